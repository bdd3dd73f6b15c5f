package main

import (
	"context"
	"flag"
	"slices"

	"qhsh/engine/games"
)

// A command is a subcommand of qhsh. The table of commands drives dispatch and help.
type command struct {
	name     string
	operands string // for the usage line; a command without them refuses any
	summary  string // one line, lower case
	help     string // what 'qhsh help NAME' prints behind the usage, in Markdown; before withHelp "" stands for the page NAME
	// noOperands is the end of the error of a command without operands that gets some; may be empty.
	noOperands string
	// endsFlags reports whether the arguments after the first operand are not for qhsh.
	endsFlags bool
	hidden    bool             // for programs, and not listed
	complete  operandCompleter // nil if no operand can be completed
	// setup defines the flags, including those of the games, and returns the action to run after
	// they have been parsed.
	setup func(fs *flag.FlagSet, all games.Table) action
}

// An action runs a command. Its error determines the exit status.
type action func(ctx context.Context, h host, operands []string) error

// defined is the setup of a command whose flags are the fields of an A.
func defined[A any, C interface {
	*A
	define(fs *flag.FlagSet, all games.Table)
	run(ctx context.Context, h host, operands []string) error
}](fs *flag.FlagSet, all games.Table) action {
	c := C(new(A))
	c.define(fs, all)
	return c.run
}

// commands returns the table of commands, in the order of the help.
func commands() []command {
	return []command{
		shellCommand,
		hintsCommand, analyzeCommand, statsCommand, treeCommand, annotateCommand, puzzlesCommand,
		serveCommand, matchCommand, tuneCommand,
		workCommand, clusterCommand,
		judgeCommand, endingsCommand, checkCommand, perftCommand, benchCommand, runCommand, pythonCommand, mcpCommand,
		convertCommand, gamesCommand, fensCommand, exploreCommand, boardCommand,
		completionCommand, completeCommand, manCommand(), versionCommand, helpCommand(),
	}
}

func listedCommands() []command {
	all := slices.DeleteFunc(commands(), func(c command) bool { return c.hidden })
	for i, c := range all {
		all[i] = c.withHelp()
	}
	return all
}

// withHelp returns the command with its help. The pages are not read before they are needed.
func (c command) withHelp() command {
	if c.help == "" {
		c.help = guide(c.name)
	}
	return c
}

// flags returns the command's flags, with the action to run after they have been parsed.
func (c command) flags(all games.Table) (*flag.FlagSet, action) {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	return fs, c.setup(fs, all)
}

// commandNames returns the names of the commands for people.
func commandNames() (names []string) {
	for _, c := range listedCommands() {
		names = append(names, c.name)
	}
	return names
}

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"qhsh/engine/games"
)

// A command is a subcommand of qhsh. The table of commands drives dispatch and help.
type command struct {
	name     string
	operands string // for the usage line
	summary  string // one line, lower case
	help     string // paragraphs and examples
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

// commands returns the table of commands, in the order of the help.
func commands() []command {
	return []command{shellCommand, hintsCommand, statsCommand, treeCommand, annotateCommand, matchCommand, tuneCommand, judgeCommand, checkCommand, perftCommand, benchCommand, runCommand, convertCommand, gamesCommand, fensCommand, boardCommand, completionCommand(), completeCommand(), versionCommand, helpCommand()}
}

// listedCommands returns the commands for people.
func listedCommands() []command {
	return slices.DeleteFunc(commands(), func(c command) bool { return c.hidden })
}

// commandNames returns the names of the commands for people.
func commandNames() (names []string) {
	for _, c := range listedCommands() {
		names = append(names, c.name)
	}
	return names
}

func helpCommand() command {
	return command{
		name:     "help",
		operands: "[COMMAND | protocol [WORD]]",
		summary:  "explain qhsh, one of its commands, or a command of a protocol",
		help: `Without COMMAND it lists the commands. 'qhsh help protocol' lists the commands of QHPLUGIN, UCI,
UCCI, XBoard's protocol and QTP, and 'qhsh help protocol PLAY' explains one: its section in the
protocol's document, the replies, and an example, which qhsh replies to as it stands there.
`,
		setup:    func(*flag.FlagSet, games.Table) action { return runHelp },
		complete: completeHelp,
	}
}

func runHelp(_ context.Context, h host, operands []string) error {
	if len(operands) == 0 {
		writeOverview(h)
		return nil
	}
	if operands[0] == "protocol" {
		return writeProtocolHelp(h, operands[1:])
	}
	cmd, err := find(operands[0])
	if err != nil {
		return usageError{err}
	}
	writeHelp(h, cmd)
	return nil
}

// completeHelp completes what 'qhsh help' explains.
func completeHelp(h host, operands []string, _ string) []candidate {
	switch {
	case len(operands) == 0:
		return append(commandCandidates(), candidate{"protocol", "the commands of protocols"})
	case len(operands) == 1 && operands[0] == "protocol":
		var all []candidate
		for _, l := range h.kinds().Languages() {
			for _, c := range l.Commands {
				all = append(all, candidate{c.Word, l.Name + ": " + c.Summary})
			}
		}
		return all
	}
	return nil
}

const overviewHead = `qhsh is for people who work with board-game engines over text protocols,
Xiangqi engines and the QHPLUGIN protocol first.

Usage:
  qhsh [FLAG...]                     talk to an engine
  qhsh COMMAND [FLAG...] [OPERAND...]
`

const overviewEnd = `
'qhsh help COMMAND' explains a command and its flags. -x and --x are the same flag,
flags may follow operands, and -- ends the flags.

` + exitHelp

func writeOverview(h host) {
	var b strings.Builder
	b.WriteString(overviewHead)
	for _, m := range h.kinds().Modes() {
		if m.Line.Flags != "" {
			fmt.Fprintf(&b, "  qhsh %-29s %s\n", m.Line.Flags, m.Line.Text)
		}
	}
	b.WriteString("\nCommands:\n")
	for _, c := range listedCommands() {
		fmt.Fprintf(&b, "  %-10s %s\n", c.name, c.summary)
	}
	b.WriteString(overviewEnd)
	_, _ = io.WriteString(h.Stdout, b.String())
}

func writeHelp(h host, c command) {
	var b strings.Builder
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.setup(fs, h.Games)
	fmt.Fprintf(&b, "qhsh %s: %s\n\nUsage:\n  qhsh %s%s", c.name, c.summary, c.name, flagsWord(fs))
	if c.operands != "" {
		b.WriteString(" " + c.operands)
	}
	fmt.Fprintf(&b, "\n\n%s", strings.NewReplacer(engineHelp, h.engineHelp(), checkedHelp, h.checkedHelp()).Replace(c.help))
	if choosesGame(fs) {
		fmt.Fprintf(&b, "\nGames, for -game NAME or NAME,KEY=VALUE...:\n%s", h.Games.Explain())
	}
	if flagsWord(fs) != "" {
		b.WriteString("\nFlags:\n")
		fs.VisitAll(func(f *flag.Flag) { describe(&b, f) })
	}
	_, _ = io.WriteString(h.Stdout, b.String())
}

func flagsWord(fs *flag.FlagSet) string {
	word := ""
	fs.VisitAll(func(*flag.Flag) { word = " [FLAG...]" })
	return word
}

// describe writes the help of a flag.
func describe(b *strings.Builder, f *flag.Flag) {
	value, usage := flag.UnquoteUsage(f)
	fmt.Fprintf(b, "  %-20s %s", "-"+f.Name+" "+value, usage)
	if f.DefValue != "" {
		fmt.Fprintf(b, " (default %s)", f.DefValue)
	}
	b.WriteByte('\n')
}

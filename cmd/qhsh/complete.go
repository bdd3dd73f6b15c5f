package main

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
)

var completeCommand = command{
	name:     "complete",
	operands: "-- WORD...",
	summary:  "complete a command line, for the scripts of 'qhsh completion'",
	help: `The WORDs are those of a command line after qhsh. The last one, which may be empty, is completed.
Each line is a word to put in its place, and after a tab its description. If it ends in one of
= , : . and /, no blank follows.

With -line LINE, the words are those of a command line for bash, and the lines are what bash
inserts for the text behind the last of the characters in -breaks.

Examples:
  qhsh complete -- hints -format ''
  qhsh complete -line 'qhsh hints -f'
`,
	hidden: true,
	setup:  defined[completeAction],
}

type completeAction struct{ line, breaks string }

func (c *completeAction) define(fs *flag.FlagSet, _ games.Table) {
	fs.StringVar(&c.line, "line", "", "complete the last word of `LINE`, a command line for bash")
	fs.StringVar(&c.breaks, "breaks", "", "the `CHARACTERS` of COMP_WORDBREAKS")
}

func (c *completeAction) run(_ context.Context, h host, operands []string) error {
	var b strings.Builder
	if c.line != "" {
		line := parseBashLine(c.line, c.breaks)
		for _, found := range h.complete(line.words[1:]) {
			b.WriteString(line.reply(found) + "\n")
		}
	} else {
		for _, found := range h.complete(operands) {
			fmt.Fprintf(&b, "%s\t%s\n", found.Text, printable.Line(found.Note))
		}
	}
	_, err := io.WriteString(h.Stdout, b.String())
	return err
}

// complete returns the completions of the last of words, a command line without the program.
func (h host) complete(words []string) []pluginclient.Completion {
	if len(words) == 0 {
		return nil
	}
	before, typed := words[:len(words)-1], words[len(words)-1]
	// A line of answers cannot have control characters.
	return slices.DeleteFunc(h.candidates(before, typed), func(c pluginclient.Completion) bool {
		return !strings.HasPrefix(c.Text, typed) || strings.ContainsFunc(c.Text, unicode.IsControl)
	})
}

// candidates returns what may follow the words before. Those that do not begin with typed are for
// the caller to drop.
func (h host) candidates(before []string, typed string) []pluginclient.Completion {
	if len(before) == 0 && !strings.HasPrefix(typed, "-") {
		return commandCandidates()
	}
	if len(before) == 0 { // the flags of the shell, and the modes
		fs, _ := shellCommand.flags(h.Games)
		all := flagNames(fs, typed)
		for _, m := range h.kinds().Modes() {
			all = append(all, pluginclient.Completion{Text: dashes(typed) + m.Flag[1:], Note: m.Summary})
		}
		return all
	}
	cmd, args, ok := h.selected(before)
	if !ok {
		return nil
	}
	fs, _ := cmd.flags(h.Games)
	line := splitLine(fs, cmd.endsFlags, args)
	name, value, hasValue := strings.Cut(typed, "=")
	switch {
	case line.open != nil:
		return h.flagValues(line.open, typed)
	case line.ended || !strings.HasPrefix(typed, "-"):
		if cmd.complete == nil {
			return nil
		}
		return cmd.complete(h, line.operands, typed)
	case hasValue:
		return pluginclient.Prefixed(name+"=", h.flagValues(fs.Lookup(strings.TrimLeft(name, "-")), value))
	}
	return flagNames(fs, typed)
}

func commandCandidates() (all []pluginclient.Completion) {
	for _, c := range listedCommands() {
		all = append(all, pluginclient.Completion{Text: c.name, Note: c.summary})
	}
	return all
}

// selected returns the command of a command line, and what follows it.
func (h host) selected(words []string) (cmd command, args []string, ok bool) {
	if mode, ok := pluginMode(h, words); ok {
		return modeCommand(mode), words[1:], true
	}
	if isShell(h, words) && words[0] != shellName {
		return shellCommand, words, true
	}
	cmd, err := find(words[0])
	return cmd, words[1:], err == nil
}

// dashes returns the dashes that typed begins with, at most two.
func dashes(typed string) string {
	if strings.HasPrefix(typed, "--") {
		return "--"
	}
	return "-"
}

// flagNames returns the flags, with as many dashes as typed has.
func flagNames(fs *flag.FlagSet, typed string) (all []pluginclient.Completion) {
	visitListed(fs, func(f *flag.Flag) {
		_, usage := flag.UnquoteUsage(f)
		all = append(all, pluginclient.Completion{Text: dashes(typed) + f.Name, Note: usage})
	})
	return all
}

// completionScripts has a script for each shell.
//
//go:embed completion
var completionScripts embed.FS

var completionShells = []string{"bash", "zsh", "fish"}

var completionCommand = command{
	name:     "completion",
	operands: "bash | zsh | fish",
	summary:  "print a script that makes a shell complete command lines",
	setup:    func(*flag.FlagSet, games.Table) action { return runCompletion },
	complete: wordAt(0, completionShells...),
}

func runCompletion(_ context.Context, h host, operands []string) error {
	if len(operands) != 1 {
		return usagef("want one shell: %s", printable.OneOf(completionShells))
	}
	script, err := completionScripts.ReadFile("completion/qhsh." + operands[0])
	if err != nil {
		return usagef("unknown shell %q: want %s", operands[0], printable.OneOf(completionShells))
	}
	_, err = h.Stdout.Write(script)
	return err
}

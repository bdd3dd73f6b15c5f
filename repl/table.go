package repl

import (
	"errors"
	"flag"
	"fmt"
	"iter"
	"slices"
	"strings"

	"qhsh/engine/games"
	"qhsh/pluginclient"
)

// A command is an entry of the table of commands.
type command struct {
	name    string // with its dot; words of the protocol in capitals
	aliases []string
	group   string
	usage   string // the arguments; a command of the shell without it takes none
	summary string // one line, lower case
	help    string // paragraphs; may be empty
	// reference is what the protocol's document says about a command of the protocol; may be empty.
	reference string
	needs     requirement
	ability   string // an ability that the engine should have announced; may be empty
	many      bool   // may be used with .all

	// What follows the name is one text, or operands and flags.
	text     bool
	most     int    // operands
	missing  string // what an operand that must be there is; may be empty
	notation bool   // has the flag -notation, for call.style
	force    bool   // has the flag -force, for call.force
	trusted  bool   // not for scripts, as it uses files or programs

	// complete returns completions of the operand after before. It may be nil.
	complete func(s *Shell, before []string) []pluginclient.Completion
	// run executes the command; setup does so for a command with flags of its own, which it defines.
	run   func(c *call) error
	setup func(c *call, fs *flag.FlagSet) (run func() error)
}

// A requirement is what a command needs in order to run.
type requirement int

const (
	needsNothing requirement = iota
	needsEngine
	needsRunning // an engine that would answer AI
	needsPlace   // an engine, and where its board stands in its game
)

var errNoEngine = errors.New("no engine: .attach one first, such as '.attach builtin'")

func (c *command) synopsis() string { return strings.TrimSpace(c.name + " " + c.usage) }

// The groups of the commands that are not the shell's own.
const (
	groupProtocol = "Protocol"
	groupOwn      = "Your own"
)

// A table holds all commands of the shell.
type table struct {
	commands []*command
	scripted []*command // of scripts
}

// all returns all commands, those of scripts last.
func (t *table) all() []*command { return slices.Concat(t.commands, t.scripted) }

func newTable(all games.Table) *table {
	t := &table{}
	for _, group := range []struct {
		name     string
		commands []*command
	}{
		{"Engines", engineCommands()},
		{"Board", boardCommands(all)},
		{"Game", gameCommands()},
		{"Thinking", thinkingCommands()},
		{"Files", fileCommands()},
		{"Scripts", scriptCommands()},
		{"Trace", traceCommands()},
		{"Shell", shellCommands()},
	} {
		for _, c := range group.commands {
			c.group = group.name
			t.commands = append(t.commands, c)
		}
	}
	return t
}

// find returns the command with the given name or alias, ignoring case, or nil.
func (t *table) find(name string) *command {
	matches := func(s string) bool { return strings.EqualFold(s, name) }
	for _, c := range t.all() {
		if matches(c.name) || slices.ContainsFunc(c.aliases, matches) {
			return c
		}
	}
	return nil
}

// names returns the names and aliases of commands in lower case.
func names(all []*command) []string {
	var names []string
	for _, c := range all {
		names = append(names, strings.ToLower(c.name))
		for _, alias := range c.aliases {
			names = append(names, strings.ToLower(alias))
		}
	}
	return names
}

// groups yields every group with its commands.
func groups(all []*command) iter.Seq2[string, []*command] {
	return func(yield func(group string, commands []*command) bool) {
		for len(all) > 0 {
			group, n := all[0].group, 1
			for n < len(all) && all[n].group == group {
				n++
			}
			if !yield(group, all[:n]) {
				return
			}
			all = all[n:]
		}
	}
}

// Table returns the commands of a language and those of the shell as a Markdown table.
func Table(all games.Table, l pluginclient.Language) string {
	var b strings.Builder
	b.WriteString("| command | |\n|---|---|\n")
	for group, commands := range groups(slices.Concat(protocolCommands(l), newTable(all).all())) {
		fmt.Fprintf(&b, "| **%s** | |\n", group)
		for _, c := range commands {
			fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(c.synopsis(), "|", `\|`), c.summary)
		}
	}
	return b.String()
}

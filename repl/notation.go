package repl

import (
	"flag"
	"fmt"
	"strings"

	"qhsh/engine/games"
)

// notationUsage is the flag of commands that show moves.
const notationUsage = "[-notation NOTATION]"

// notationCommand is .notation.
func notationCommand(all games.Table) *command {
	return &command{
		name: ".notation", usage: "[" + strings.Join(all.Notations(), "|") + "]", needs: needsNothing,
		summary: "tell or choose the notation in which moves of " + games.TitlesWith[games.Notator](all) + " are shown",
		help: `H2-E2 is ICCS, h2e2 is UCI, C2=5 WXF, 炮二平五 Chinese in simplified or in traditional
characters, Che2 SAN. It holds for .moves, .history, .hints, .tree and completion; -notation
chooses another for one of them. Moves are read in all of these at any time, a list of moves
that is typed or in a file. The words of the protocol have ICCS.
`,
		complete: words(all.Notations()...), run: runNotation,
	}
}

// ownNotation is the one that the positions of a game have, and the protocols with them.
const ownNotation = ""

// usualNotation is the name of the one that the usual game's positions have.
func usualNotation(all games.Table) string {
	for _, name := range all.Notations() {
		return name
	}
	return ownNotation
}

// runNotation is .notation.
func runNotation(c *call) error {
	name, err := c.optionalArg()
	if err != nil {
		return err
	}
	if name == "" {
		fmt.Fprintln(c.out, c.shell.style)
		return nil
	}
	style, err := c.shell.host.Games.ParseNotation(name)
	if err != nil {
		return c.usageError("%w", err)
	}
	c.shell.style = style
	return nil
}

// defineNotation defines -notation.
func (c *call) defineNotation(fs *flag.FlagSet, style *string) {
	fs.Func("notation", "", func(name string) (err error) {
		*style, err = c.shell.host.Games.NotationOf(c.shell.rules(c.engine), name)
		return err
	})
}

// notated reads the single argument that there may be, and the notation in which moves are to
// be shown.
func (c *call) notationArgs() (operand string, style string, err error) {
	style = c.shell.style
	operands, err := c.flags(func(fs *flag.FlagSet) { c.defineNotation(fs, &style) }, 1)
	if len(operands) > 0 {
		operand = operands[0]
	}
	return operand, style, err
}

// withNotation completes -notation beside what a command has otherwise; nil: it has nothing.
func withNotation(other func(*Shell, []string) []candidate) func(*Shell, []string) []candidate {
	return func(s *Shell, before []string) []candidate {
		if len(before) > 0 && before[len(before)-1] == "-notation" {
			return plainWords(s.host.Games.Notations())
		}
		all := []candidate{{text: "-notation"}}
		if other != nil {
			all = append(all, other(s, before)...)
		}
		return all
	}
}

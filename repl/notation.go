package repl

import (
	"cmp"
	"fmt"
	"strings"

	"qhsh/engine/games"
)

const notationUsage = "[-notation NOTATION]"

func notationCommand(all games.Table) *command {
	return &command{
		name: ".notation", usage: "[" + strings.Join(all.Notations(), "|") + "]", many: true, most: 1,
		summary: "print or choose the notation in which moves of " + all.TitlesWith(func(r *games.Row) bool { return r.Notations != nil }) + " are shown",
		help: `H2-E2 is ICCS, h2e2 is UCI, C2=5 WXF, 炮二平五 Chinese in simplified or in traditional
characters, Che2 SAN. The notation applies to .moves, .history, .hints, .analyze, .tree and
completion; -notation chooses another one for a single command. Moves that you type or load may
use any of these notations. Protocol commands use ICCS.
`,
		complete: words(all.Notations()...), run: runNotation,
	}
}

// usualNotation returns the name of the notation that positions of the default game use.
func usualNotation(all games.Table) string { return cmp.Or(all.Notations()...) }

func runNotation(c *call) error {
	name := c.operand()
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

package repl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient"
)

const variationOut = "out"

func gameCommands() []*command {
	return []*command{
		{
			name: ".next", aliases: []string{".n"}, usage: "[N|MOVE]", needs: needsPlace,
			summary: "step N moves forward in the game (default 1), or into the variation that begins with MOVE",
			help: `Shown are the number of the move, the move, its comment, and the moves that continue the game if
there are several. Along the line the first continuation is followed; '.variation K' and MOVE
enter another one. A move that is not in the game is played by typing it: it begins a
variation, or extends the line.
`,
			text: true, complete: continuations, run: runNext,
		},
		{
			name: ".prev", aliases: []string{".p"}, usage: "[N]", needs: needsPlace,
			summary: "step N moves back (default 1); unlike .undo, it keeps what you have played in the game",
			most:    1, run: runPrev,
		},
		{
			name: ".goto", usage: "N|start|end", needs: needsPlace,
			summary: "step to the position after N moves of the line, to its start or to its end",
			most:    1, missing: "number of a move", complete: words("start", "end"), run: runGoto,
		},
		{
			name: ".variation", usage: "[K|out]", needs: needsPlace,
			summary: "enter variation K of those that begin here, list them, or go back to where this one began",
			help: `The number K is that of the list. Within a variation .next, .prev and .goto follow its line, from
the start of the game. '.variation out' goes back to the position in which the variation began.
`,
			most: 1, complete: variationWords(variationOut), run: runVariation,
		},
		{
			name: ".comment", usage: "[TEXT]", needs: needsPlace,
			summary: "set the comment on the last move or, before the first move, on the game; or print it",
			help: `The text is the rest of the line. '.edit' edits a comment in your text editor, and '.delete
comment' deletes it.
`,
			text: true, run: runComment,
		},
		{
			name: ".glyph", usage: "[SIGN...]", needs: needsPlace,
			summary: "mark the last move by ! ? !! ?? !? ?! or $N, a glyph as PGN numbers them; or print the marks",
			help: `The marks replace those that the move has; '.delete glyphs' deletes them. Numbers of PGN are for
example $10, an equal position, and $18, a decisive advantage of the first side.
`,
			text: true, complete: glyphWords, run: runGlyph,
		},
		{
			name: ".promote", usage: "[K|main]", needs: needsPlace,
			summary: "make this variation, or variation K, the first continuation; with main, the main line",
			help: `The line that was the first becomes variation 1. In a variation of a variation '.promote main'
promotes each of them.
`,
			most: 1, complete: variationWords(promoteToMain), run: runPromote,
		},
		{
			name: ".delete", usage: "[K|comment|glyphs]", needs: needsPlace,
			summary: "delete the last move with what follows it, or variation K, or the comment or glyphs here",
			help: `After the last move has been deleted, the board shows the position before it. '.revert' brings
back what was deleted.
`,
			most: 1, complete: variationWords(deleteComment, deleteGlyphs), run: runDelete,
		},
		{
			name: ".revert", needs: needsEngine,
			summary: "take back the last .comment, .glyph, .promote, .delete or .edit of a comment in this game",
			help: `Repeated, it takes back the ones before; the board returns to where it stood. '.undo' and
'.prev' take back moves instead.
`,
			run: runRevert,
		},
	}
}

func runNext(c *call) error {
	if _, err := strconv.Atoi(c.args); c.args != "" && err != nil {
		m, err := c.shell.host.Games.ReadMove(c.at.pos(), c.args)
		if err != nil {
			return fmt.Errorf(".next: %w", err)
		}
		k := c.at.childWith(m)
		if k < 0 {
			return fmt.Errorf(".next: the game does not continue with %s here: type the move to play it", c.args)
		}
		return c.step(c.at.enter(k))
	}
	n, err := c.number("moves", 1)
	if err != nil {
		return err
	}
	switch left := c.at.length() - c.at.depth(); {
	case left == 0:
		return errors.New(".next: the line ends here: .prev or '.goto start' steps back")
	case left < n:
		return fmt.Errorf(".next: only %s to the end of the line", printable.Plural(left, "move"))
	}
	return c.step(c.at.goTo(c.at.depth() + n))
}

func runPrev(c *call) error {
	n, err := c.number("moves", 1)
	if err != nil {
		return err
	}
	switch depth := c.at.depth(); {
	case depth == 0:
		return errors.New(".prev: this is the start of the game")
	case depth < n:
		return fmt.Errorf(".prev: only %s from the start of the game", printable.Plural(depth, "move"))
	}
	return c.step(c.at.goTo(c.at.depth() - n))
}

func runGoto(c *call) (err error) {
	depth, length := 0, c.at.length()
	switch text := c.operand(); text {
	case "start":
	case "end":
		depth = length
	default:
		if depth, err = strconv.Atoi(text); err != nil || depth < 0 {
			return c.usageError("invalid number of a move %q", text)
		}
		if depth > length {
			return fmt.Errorf(".goto: no move %d here; the line has %d", depth, length)
		}
	}
	return c.step(c.at.goTo(depth))
}

func runVariation(c *call) error {
	switch c.operand() {
	case "":
		if c.at.variations() > 0 {
			fmt.Fprint(c.out, c.shell.describe(c.at))
			return nil
		}
		for depth := c.at.depth() - 1; depth >= 0; depth-- {
			if len(c.at.nodes[depth].Next) > 1 {
				return fmt.Errorf(".variation: no variation begins here; the one before begins at move %d", depth)
			}
		}
		return errors.New(".variation: no variation begins here")
	case variationOut:
		depth, inside := c.at.fork()
		if !inside {
			return errors.New(".variation: this is the main line")
		}
		return c.step(c.at.goTo(depth))
	}
	k, err := c.variation()
	if err != nil {
		return err
	}
	return c.step(c.at.enter(k))
}

// variation returns the number of a variation that the operand is, of those that begin at the place.
func (c *call) variation() (int, error) {
	k, err := strconv.Atoi(c.operand())
	switch n := c.at.variations(); {
	case err != nil:
		return 0, c.usageError("invalid number of a variation %q", c.operand())
	case n == 0:
		return 0, fmt.Errorf("%s: no variation begins here", c.command.name)
	case n == 1 && k != 1:
		return 0, fmt.Errorf("%s: no variation %d here; there is 1", c.command.name, k)
	case k < 1 || k > n:
		return 0, fmt.Errorf("%s: no variation %d here; there are %d", c.command.name, k, n)
	}
	return k, nil
}

// step sets the board to the place, unless stepping there has failed.
func (c *call) step(err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", c.command.name, err)
	}
	return c.stand(c.at)
}

func continuations(s *Shell, before []string) []pluginclient.Completion {
	p := s.here()
	if p == nil || len(before) > 0 {
		return nil
	}
	var moves []engine.Move
	for _, n := range p.node().Next {
		moves = append(moves, n.Move)
	}
	return s.moveCompletions(p.pos(), moves)
}

// variationWords completes the numbers of the variations that begin on the board, and other words.
func variationWords(others ...string) func(*Shell, []string) []pluginclient.Completion {
	return func(s *Shell, before []string) []pluginclient.Completion {
		if len(before) > 0 {
			return nil
		}
		all := pluginclient.Completions(others, false)
		p := s.here()
		if p == nil {
			return all
		}
		for k := range p.variations() {
			move := s.moveText(p.pos(), p.node().Next[k+1], s.style)
			all = append(all, pluginclient.Completion{Text: strconv.Itoa(k + 1), Note: strings.TrimSpace(move)})
		}
		return all
	}
}

package repl

import (
	"errors"
	"flag"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// notationUsage is the flag of commands that show moves.
const notationUsage = "[-notation NOTATION]"

// notationNames are the names of all notations.
func notationNames() []string {
	var names []string
	for style := notation.ICCS; style <= notation.SAN; style++ {
		names = append(names, style.String())
	}
	return names
}

// runNotation is .notation.
func runNotation(c *call) error {
	name, err := c.only()
	if err != nil {
		return err
	}
	if name == "" {
		fmt.Fprintln(c.out, c.shell.style)
		return nil
	}
	style, err := notation.ParseStyle(name)
	if err != nil {
		return c.misuse("%w", err)
	}
	c.shell.style = style
	return nil
}

// defineNotation defines -notation.
func defineNotation(fs *flag.FlagSet, style *notation.Style) {
	fs.Func("notation", "", func(name string) (err error) {
		*style, err = notation.ParseStyle(name)
		return err
	})
}

// notated reads the single argument that there may be, and the notation in which moves are to
// be shown.
func (c *call) notated() (operand string, style notation.Style, err error) {
	style = c.shell.style
	operands, err := c.flags(func(fs *flag.FlagSet) { defineNotation(fs, &style) }, 1)
	if len(operands) > 0 {
		operand = operands[0]
	}
	return operand, style, err
}

// withNotation completes -notation beside what a command has otherwise; nil: it has nothing.
func withNotation(other func(*Shell, []string) []candidate) func(*Shell, []string) []candidate {
	return func(s *Shell, before []string) []candidate {
		if len(before) > 0 && before[len(before)-1] == "-notation" {
			return plainWords(notationNames())
		}
		all := []candidate{{text: "-notation"}}
		if other != nil {
			all = append(all, other(s, before)...)
		}
		return all
	}
}

// parseMove reads a legal move: of Xiangqi in any notation, else in the game's own.
func parseMove(pos engine.Position, text string) (engine.Move, error) {
	p, ok := pos.(*xiangqi.Position)
	if !ok {
		return pos.Parse(text)
	}
	m, err := notation.Read(p, text)
	return engine.Move(m), err
}

// isMoveText tells whether a word has the form of a move of Xiangqi, wherever it may be
// played.
func isMoveText(word string) bool {
	if moveToken.MatchString(word) {
		return true
	}
	const longest = 24 // bytes, of eight Chinese characters
	if len(word) > longest {
		return false
	}
	_, err := notation.Parse(xiangqi.Start().Board(), word)
	return !errors.Is(err, notation.ErrMalformed)
}

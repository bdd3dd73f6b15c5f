package games

import (
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/engine/checkers"
)

// SVG is the board with what ImageOptions have, but for letters on pieces, which have none.
func (r checkersRow) SVG(p engine.Position, pic ImageOptions) (string, error) {
	pos := checkersOf(p)
	board := pos.Board()
	if pic.Letters {
		return "", fmt.Errorf("letters: the pieces of %s have none", engine.Title(p.Game()))
	}
	o := checkers.SVGOptions{Flip: pic.Flip, Width: pic.Width}
	var err error
	if o.Last, err = lastEnds(pos, pic.Last); err != nil {
		return "", fmt.Errorf("last: %w", err)
	}
	for _, text := range pic.Arrows {
		ends, err := parseEnds(board.Variant(), text)
		if err != nil {
			return "", fmt.Errorf("arrows: %w", err)
		}
		o.Arrows = append(o.Arrows, [2]checkers.Square(ends))
	}
	for _, text := range pic.Marks {
		s, err := board.Variant().ParseSquare(text)
		if err != nil {
			return "", fmt.Errorf("marks: %w", err)
		}
		o.Marks = append(o.Marks, s)
	}
	return board.SVG(o), nil
}

// lastEnds are the ends of a move, legal or not, or of the last one where there is no text.
func lastEnds(pos *checkers.Position, text string) ([]checkers.Square, error) {
	if text != "" {
		board := pos.Board()
		return parseEnds(board.Variant(), text)
	}
	if before, m := pos.Previous(); before != nil {
		return []checkers.Square{m.From(), m.To()}, nil
	}
	return nil, nil
}

// parseEnds reads the first and the last square of a move, legal or not.
func parseEnds(v checkers.Variant, text string) ([]checkers.Square, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("-x:", r) })
	if len(words) < 2 {
		return nil, checkers.ErrMalformed
	}
	from, err := v.ParseSquare(words[0])
	if err != nil {
		return nil, err
	}
	to, err := v.ParseSquare(words[len(words)-1])
	return []checkers.Square{from, to}, err
}

func (checkersRow) Script(g engine.Game) string {
	rules, _ := g.(checkers.Rules)
	return checkers.Script(rules.Variant)
}

// MoveNumber grows after the second side's moves, from 1 at the start of the game.
func (checkersRow) MoveNumber(p engine.Position) int {
	start, moves := p.History()
	return (len(moves)+int(start.Turn()))/2 + 1
}

func (checkersRow) QuietPlies(p engine.Position) int { return checkersOf(p).QuietPlies() }

func (checkersRow) Occurrences(p engine.Position) int { return checkersOf(p).Occurrences() }

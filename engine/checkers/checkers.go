// Package checkers implements checkers (draughts) on 8x8 squares in five variants: English, Italian,
// Spanish, Russian and Brazilian. It has the rules, positions as FEN, moves in PDN notation, and the
// numbering of squares of each variant.
//
// In all variants men move one square diagonally forward, captures are compulsory, a series of
// captures must be completed, and a side without a move has lost. The variants differ in who moves first, whether men capture backward, whether kings fly, which of several
// captures must be chosen, and what happens to a man that reaches the last row while capturing.
//
// A [Move] has the start, the end and the captured squares. Captures that differ only in their
// order or in the squares between are one move; [Board.CapturePath] returns one of the ways to play
// it, for display or for other programs.
//
// [Rules] is the engine.Game and [Position] its immutable position with history. A [Board] has no
// history and can be modified, for search and perft. Boards are plain values: keep a copy to take a
// move back.
//
// A [Set] is a bitboard in which every second row is followed by an unused bit, so that each of the
// four diagonal steps is a shift by 4 or 5 from any square (square.go).
package checkers

import (
	"fmt"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// Rules is the game in one of its variants.
type Rules struct{ Variant Variant }

// DefaultRules is the default variant, English.
var DefaultRules = Rules{English}

var (
	_ engine.Game      = Rules{}
	_ engine.SideNamer = Rules{}
)

// Name returns "checkers" in every variant.
func (r Rules) Name() string { return "checkers" }

// Title returns the name for display, such as "Russian checkers".
func (r Rules) Title() string { return printable.Capital(r.Variant.String()) + " checkers" }

// SideName returns "black" or "white".
func (r Rules) SideName(side engine.Turn) string { return r.Variant.Colour(side).String() }

// Start returns the start position.
func (r Rules) Start() engine.Position { return NewPosition(NewBoard(r.Variant)) }

// Position parses a FEN with the variant's numbering of squares (see [ParseBoard]), or the word
// startpos.
func (r Rules) Position(text string) (engine.Position, error) {
	if text == "startpos" {
		return r.Start(), nil
	}
	b, err := ParseBoard(r.Variant, text)
	for c, last := range lastRow {
		if men := b.Men(Colour(c)) & last; err == nil && men != 0 {
			err = fmt.Errorf("%v: a man on square %d, where men are crowned", Colour(c), r.Variant.Number(men.First()))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("position %s: %w", engine.Quote(text), err)
	}
	return NewPosition(b), nil
}

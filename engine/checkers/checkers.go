// Package checkers is the game of checkers (draughts) on 8x8 squares in five variants: English,
// Italian, Spanish, Russian and Brazilian. It has the rules, positions as FEN, moves as PDN writes
// them, and the numbering of squares that each variant uses.
//
// In all variants men move one square diagonally forward, captures are compulsory, a series of
// captures must be completed, and a side without a move has lost. What differs is in the table of
// [Variant]: who moves first, whether men capture backward, whether kings fly, which of several
// captures must be chosen, and what happens to a man that reaches the last row while capturing.
//
// A [Move] is where a piece starts, where it ends and which squares it captures. Ways that differ
// only in the order of the captures or in the squares between are one move; [Board.Way] finds
// one of them for those who show moves or hand them to other programs.
//
// A [Position] is the immutable value of the contract, with its history; [Rules] is the game. A
// [Board] is the same to make moves on, for a search or a count of many positions. Boards are
// plain values: keep a copy to take a move back.
//
// The board is held in sets of squares ([Set]) in which every second row is followed by a bit that
// is no square, so that each of the four diagonal steps is a shift by 4 or 5 from any square
// (square.go).
package checkers

import (
	"fmt"

	"qhsh/engine"
)

// Rules is the game in one of its variants.
type Rules struct{ Variant Variant }

// DefaultRules is the game that is played where no variant is named.
var DefaultRules = Rules{English}

var (
	_ engine.Game      = Rules{}
	_ engine.SideNamer = Rules{}
)

// Name is "checkers" in every variant.
func (r Rules) Name() string { return "checkers" }

// Title is what a person calls the game, such as "Russian checkers".
func (r Rules) Title() string { return r.Variant.title() + " checkers" }

// SideName is "black" or "white".
func (r Rules) SideName(side engine.Turn) string { return r.Variant.Colour(side).String() }

// Start is the position that a game begins from.
func (r Rules) Start() engine.Position { return NewPosition(NewBoard(r.Variant)) }

// Position reads a FEN with the variant's numbering of squares (see [ParseBoard]), or the word
// startpos.
func (r Rules) Position(text string) (engine.Position, error) {
	if text == "startpos" {
		return r.Start(), nil
	}
	b, err := ParseBoard(r.Variant, text)
	if err == nil {
		err = b.checkPromotion()
	}
	if err != nil {
		return nil, fmt.Errorf("position %s: %w", quote(text), err)
	}
	return NewPosition(b), nil
}

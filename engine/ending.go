package engine

import (
	"errors"
	"fmt"
)

// ErrUnknownEnding is wrapped by the error of a position whose ending has no table.
var ErrUnknownEnding = errors.New("no table")

// An Ending says what a position with few men is worth for the side to move, exactly.
type Ending struct {
	Value string `json:"value"` // "win", "draw" or "loss"
	// Plies is the number of plies to the end of the game if both sides play the best moves, nil where the game
	// goes on for ever.
	Plies *int `json:"dtm,omitempty"`
	// ByRule means a win or a loss in a game that goes on for ever: the loser can only do what is forbidden.
	ByRule bool `json:"byRule,omitempty"`
	// Cursed means that the game may be a draw before, because nothing is captured for too long.
	Cursed bool `json:"cursed,omitempty"`
	// Repeated means that the game has repeated positions before, so that it may end otherwise.
	Repeated bool `json:"repeated,omitempty"`
	// Disputed is what a rule set may count the position as: "win" or "loss" in place of a draw, since it forbids a
	// repetition that others allow, or "draw" by a rule on what is left.
	Disputed string `json:"disputed,omitempty"`
	// Moves are those that keep the value: of a win the fastest first, of a loss only those that last longest.
	Moves []Move `json:"-"`
}

// Result returns the result of a position with a side to move, if it is certain, or no result.
func (e Ending) Result(mover Turn) Result {
	certain := Result{Reason: "known ending"}
	switch {
	case e.Repeated || e.Cursed || e.Disputed != "":
		return Result{}
	case e.Value == "draw":
		certain.Outcome = Draw
	case e.Plies == nil:
		return Result{}
	case e.Value == "win":
		certain.Outcome = Win(mover)
	default:
		certain.Outcome = Win(mover.Other())
	}
	return certain
}

// ScoreBefore returns the score of a move that leads to an ending whose result is certain.
func (e Ending) ScoreBefore() Score {
	switch {
	case e.Plies == nil:
		return Centipawns(0)
	case e.Value == "loss":
		return MateIn(*e.Plies/2 + 1)
	}
	return MateIn(-(*e.Plies + 1) / 2)
}

// String returns the value in words, such as "win in 37 plies".
func (e Ending) String() string {
	text := e.Value
	switch {
	case e.Plies != nil && *e.Plies == 0:
		text += ": no legal move"
	case e.Plies != nil && *e.Plies == 1:
		text += " in 1 ply"
	case e.Plies != nil:
		text += fmt.Sprintf(" in %d plies", *e.Plies)
	case e.ByRule:
		text += " because one side can only do what is forbidden"
	case e.Disputed != "":
		text += ", a " + e.Disputed + " if a rule set forbids other repetitions than perpetual check"
	}
	if e.Disputed == "draw" {
		text += ", maybe a draw by a rule on what is left"
	}
	if e.Cursed {
		text += ", but maybe too long without a capture"
	}
	if e.Repeated {
		text += ", but the game has repeated positions"
	}
	return text
}

// Known says what positions are worth, and whether that is certain; nil: nothing is known.
type Known func(Position) (e Ending, certain bool)

// Of is k(p), also if either is nil.
func (k Known) Of(p Position) (e Ending, certain bool) {
	if k == nil || p == nil {
		return e, false
	}
	return k(p)
}

// Ending returns what a position is worth, or nil if that is not certain or its game is over.
func (k Known) Ending(p Position) *Ending {
	if e, certain := k.Of(p); certain && !p.Result().Over() {
		return &e
	}
	return nil
}

package script

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"qhsh/engine"
)

// An outcome is how a game ended.
type outcome struct {
	winner string // empty: none
	reason string
}

var _ starlark.Comparable = outcome{}

// newOutcome returns how the game at a position ended, None while it is in progress.
func newOutcome(pos engine.Position) starlark.Value { return outcomeBy(pos, pos.Result()) }

// outcomeBy converts the result of a game.
func outcomeBy(pos engine.Position, r engine.Result) starlark.Value {
	if !r.Over() {
		return starlark.None
	}
	o := outcome{reason: r.Reason}
	for _, side := range []engine.Turn{engine.First, engine.Second} {
		if r.Outcome == engine.Win(side) {
			o.winner = engine.SideName(pos.Game(), side)
		}
	}
	return o
}

// String returns a summary: "red wins by checkmate".
func (o outcome) String() string {
	text := "draw"
	if o.winner != "" {
		text = o.winner + " wins"
	}
	if o.reason != "" {
		text += " by " + o.reason
	}
	return text
}

func (o outcome) Type() string                             { return "outcome" }
func (o outcome) Freeze()                                  {} // it never changes
func (o outcome) Truth() starlark.Bool                     { return true }
func (o outcome) class() *class                            { return outcomeClass }
func (o outcome) Attr(name string) (starlark.Value, error) { return outcomeClass.attr(o, name) }
func (o outcome) AttrNames() []string                      { return outcomeClass.attrNames(o) }
func (o outcome) Hash() (uint32, error)                    { return starlark.String(o.String()).Hash() }

// MarshalJSON writes null if no side has won.
func (o outcome) MarshalJSON() ([]byte, error) {
	out := jsonOutcome{Reason: o.reason}
	if o.winner != "" {
		out.Winner = &o.winner
	}
	return marshal(out)
}

// CompareSameType supports only equality.
func (o outcome) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	return compareEqual(op, o == other.(outcome), "outcome")
}

var outcomeClass = newClass("Outcome",
	`How a game ended. In JSON it is {"winner":"red","reason":"checkmate"}, with winner null for a draw.`,
	attribute("winner: str | None", `"red" or "black". None in a draw.`,
		func(o outcome) (starlark.Value, error) {
			if o.winner == "" {
				return starlark.None, nil
			}
			return starlark.String(o.winner), nil
		}),
	attribute("reason: str", `A word or two, such as "checkmate" or "stalemate".`,
		func(o outcome) (starlark.Value, error) { return starlark.String(o.reason), nil }),
)

package script

import (
	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// An outcome is how a game ended.
type outcome struct {
	winner string // empty: none
	reason string
}

// outcomeBy converts the result of a game; None while it is in progress.
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
	return object{o}
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

func (o outcome) class() *class { return outcomeClass }

// MarshalJSON writes null if no side has won.
func (o outcome) MarshalJSON() ([]byte, error) {
	out := struct {
		Winner *string `json:"winner"`
		Reason string  `json:"reason"`
	}{nil, o.reason}
	if o.winner != "" {
		out.Winner = &o.winner
	}
	return printable.JSON(out)
}

var outcomeClass = newClass("Outcome",
	`How a game ended. In JSON it is {"winner":"red","reason":"checkmate"}, with winner null for a draw.`,
	attribute("winner: str | None", `"red" or "black". None in a draw.`, func(o outcome) string { return o.winner }),
	attribute("reason: str", `A word or two, such as "checkmate" or "stalemate".`, func(o outcome) string { return o.reason }),
)

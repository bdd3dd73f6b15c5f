package script

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// A hint is a move proposed by an engine with its evaluation.
type hint struct{ batch.Hint }

var _ starlark.Comparable = (*hint)(nil)

// newHints converts an engine's answer at a position to a new list.
func newHints(pos engine.Position, lines []engine.Line) *starlark.List {
	return listOf(batch.FormatHints(pos, lines), func(h batch.Hint) starlark.Value { return &hint{h} })
}

// String returns a summary: "H2-E2 +0.35 depth 12".
func (h *hint) String() string {
	words := []string{h.Move}
	if h.Score.Known() {
		words = append(words, h.Score.Pawns())
	}
	if h.Depth > 0 {
		words = append(words, "depth "+starlark.MakeInt(h.Depth).String())
	}
	return strings.Join(words, " ")
}

func (h *hint) Type() string                             { return "hint" }
func (h *hint) Freeze()                                  {} // it never changes
func (h *hint) Truth() starlark.Bool                     { return true }
func (h *hint) class() *class                            { return hintClass }
func (h *hint) Attr(name string) (starlark.Value, error) { return hintClass.attr(h, name) }
func (h *hint) AttrNames() []string                      { return hintClass.attrNames(h) }
func (h *hint) MarshalJSON() ([]byte, error)             { return marshal(h.json()) }

// json returns the hint as in the output of qhsh hints.
func (h *hint) json() batch.HintJSON {
	out := h.JSON()
	if out.PV == nil {
		out.PV = []string{}
	}
	return out
}

// Hash returns a hash of the move and the score; hints are equal if all their attributes are.
func (h *hint) Hash() (uint32, error) { return starlark.String(h.Move + " " + h.Score.String()).Hash() }

// CompareSameType supports only equality: an engine orders its hints itself.
func (h *hint) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	o := other.(*hint)
	same := h.Move == o.Move && h.Score == o.Score && h.Depth == o.Depth && h.Nodes == o.Nodes &&
		h.Text == o.Text && slices.Equal(h.PV, o.PV)
	return compareEqual(op, same, "hint")
}

var hintClass = newClass("Hint",
	`A move proposed by an engine. Hints are equal if all attributes are, and are not ordered: sort them by a key. In JSON a hint is an object as from qhsh hints: {"move":"H2-E2","cp":35,"depth":12,"nodes":81234,"pv":["H2-E2","H9-G7"]}.`,
	attribute("move: str", `The move.`,
		func(h *hint) (starlark.Value, error) { return starlark.String(h.Move), nil }),
	attribute("score: Score | None", `The score for the side that moves. None if the engine gave none.`,
		func(h *hint) (starlark.Value, error) { return scoreValue(h.Score), nil }),
	attribute("depth: int", `The search depth in plies. 0 if unknown.`,
		func(h *hint) (starlark.Value, error) { return starlark.MakeInt(h.Depth), nil }),
	attribute("nodes: int", `The number of positions visited. 0 if unknown.`,
		func(h *hint) (starlark.Value, error) { return starlark.MakeInt64(h.Nodes), nil }),
	attribute("pv: tuple[str, ...]", `The principal variation, this move first, up to the first illegal move.`,
		func(h *hint) (starlark.Value, error) { return moveTuple(h.PV), nil }),
	attribute("text: str", `Other text from the engine about the move.`,
		func(h *hint) (starlark.Value, error) { return starlark.String(h.Text), nil }),
)

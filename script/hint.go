package script

import (
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"qhsh/engine"
)

// A hint is a move proposed by an engine with its evaluation.
type hint struct {
	move  string
	score engine.Score
	depth int
	nodes int64
	pv    []string
	text  string
}

var (
	_ hasClass            = (*hint)(nil)
	_ starlark.HasAttrs   = (*hint)(nil)
	_ starlark.Comparable = (*hint)(nil)
)

// newHint converts a line of an engine's answer at a position.
func newHint(pos engine.Position, line engine.Line) *hint {
	return &hint{
		move: pos.Format(line.Move()), score: line.Score, depth: line.Depth, nodes: line.Nodes,
		pv: engine.FormatMoves(pos, line.Moves), text: line.Text,
	}
}

// newHints converts an engine's answer at a position to a new list.
func newHints(pos engine.Position, lines []engine.Line) *starlark.List {
	hints := make([]starlark.Value, len(lines))
	for i, line := range lines {
		hints[i] = newHint(pos, line)
	}
	return starlark.NewList(hints)
}

// String returns a summary: "H2-E2 +0.35 depth 12".
func (h *hint) String() string {
	words := []string{h.move}
	if h.score.Known() {
		words = append(words, h.score.Pawns())
	}
	if h.depth > 0 {
		words = append(words, "depth "+starlark.MakeInt(h.depth).String())
	}
	return strings.Join(words, " ")
}

func (h *hint) Type() string                             { return "hint" }
func (h *hint) Freeze()                                  {} // it never changes
func (h *hint) Truth() starlark.Bool                     { return true }
func (h *hint) class() *class                            { return hintClass }
func (h *hint) Attr(name string) (starlark.Value, error) { return hintClass.attr(h, name) }
func (h *hint) AttrNames() []string                      { return hintClass.attrNames(h) }
func (h *hint) MarshalJSON() ([]byte, error)             { return marshal(toJSONHint(h)) }

// Hash returns a hash of the move and the score; hints are equal if all their attributes are.
func (h *hint) Hash() (uint32, error) { return starlark.String(h.move + " " + h.score.String()).Hash() }

// CompareSameType supports only equality: an engine orders its hints itself.
func (h *hint) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	o := other.(*hint)
	same := h.move == o.move && h.score == o.score && h.depth == o.depth && h.nodes == o.nodes &&
		h.text == o.text && slices.Equal(h.pv, o.pv)
	return compareEqual(op, same, "hint")
}

var hintClass = newClass("Hint",
	`A move proposed by an engine. Hints are equal if all attributes are, and are not ordered: sort them by a key. In JSON a hint is an object as from qhsh hints: {"move":"H2-E2","cp":35,"depth":12,"nodes":81234,"pv":["H2-E2","H9-G7"]}.`,
	attribute("move: str", `The move.`,
		func(h *hint) (starlark.Value, error) { return moveValue(h.move), nil }),
	attribute("score: Score | None", `The score for the side that moves. None if the engine gave none.`,
		func(h *hint) (starlark.Value, error) { return scoreValue(h.score), nil }),
	attribute("depth: int", `The search depth in plies. 0 if unknown.`,
		func(h *hint) (starlark.Value, error) { return starlark.MakeInt(h.depth), nil }),
	attribute("nodes: int", `The number of positions visited. 0 if unknown.`,
		func(h *hint) (starlark.Value, error) { return starlark.MakeInt64(h.nodes), nil }),
	attribute("pv: tuple[str, ...]", `The principal variation, this move first, up to the first illegal move.`,
		func(h *hint) (starlark.Value, error) { return moveTuple(h.pv), nil }),
	attribute("text: str", `Other text from the engine about the move.`,
		func(h *hint) (starlark.Value, error) { return starlark.String(h.text), nil }),
)

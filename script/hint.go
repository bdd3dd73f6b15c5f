package script

import (
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient/task/batch"
)

// A hint is a move proposed by an engine with its evaluation.
type hint struct{ batch.Hint }

func newHints(pos engine.Position, lines []engine.Line) (hints []*hint) {
	for _, h := range batch.FormatHints(pos, lines) {
		hints = append(hints, &hint{h})
	}
	return hints
}

// String returns a summary: "H2-E2 +0.35 depth 12".
func (h *hint) String() string {
	words := []string{h.Move}
	if h.Score.Known() {
		words = append(words, h.Score.Pawns())
	}
	if h.Depth > 0 {
		words = append(words, "depth "+strconv.Itoa(h.Depth))
	}
	return strings.Join(words, " ")
}

func (h *hint) class() *class                { return hintClass }
func (h *hint) MarshalJSON() ([]byte, error) { return printable.JSON(h.json()) }

// json returns the hint as in the output of qhsh hints.
func (h *hint) json() batch.HintJSON {
	out := h.JSON()
	if out.PV == nil {
		out.PV = []string{}
	}
	return out
}

// equal compares all attributes.
func (h *hint) equal(other data) bool {
	o := other.(*hint)
	return h.Move == o.Move && h.Score == o.Score && h.Depth == o.Depth && h.Nodes == o.Nodes &&
		h.Text == o.Text && h.Details == o.Details && slices.Equal(h.PV, o.PV)
}

var hintClass = newClass("Hint",
	`A move proposed by an engine. Hints are equal if all attributes are, and are not ordered: sort them by a key. In JSON a hint is an object as from qhsh hints: {"move":"H2-E2","cp":35,"depth":12,"nodes":81234,"pv":["H2-E2","H9-G7"]}.`,
	attribute("move: str", `The move.`,
		func(h *hint) string { return h.Move }),
	attribute("score: Score | None", `The score for the side that moves. None if the engine gave none.`,
		func(h *hint) starlark.Value { return scoreValue(h.Score) }),
	attribute("depth: int", `The search depth in plies. 0 if unknown.`,
		func(h *hint) int { return h.Depth }),
	attribute("nodes: int", `The number of positions visited. 0 if unknown.`,
		func(h *hint) int64 { return h.Nodes }),
	attribute("pv: tuple[str, ...]", `The principal variation, this move first, up to the first illegal move.`,
		func(h *hint) []string { return h.PV }),
	attribute("wdl: tuple[int, ...]", `The chances of a win, a draw and a loss in thousandths, for the side that moves. () if the engine gave none.`,
		func(h *hint) (chances []int) {
			if h.WDL.Known() {
				chances = h.WDL[:]
			}
			return chances
		}),
	attribute("seldepth: int", `The plies of the longest line that the engine has looked at. 0 if unknown.`,
		func(h *hint) int { return h.SelDepth }),
	attribute("hashfull: int", `Thousandths of the engine's table that are in use. 0 if unknown.`,
		func(h *hint) int { return h.HashFull }),
	attribute("tbhits: int", `Positions that were looked up in tables of endings. 0 if unknown.`,
		func(h *hint) int64 { return h.TBHits }),
	attribute("text: str", `Other text from the engine about the move.`,
		func(h *hint) string { return h.Text }),
)

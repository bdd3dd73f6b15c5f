package script

import (
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/batch"
)

func TestHint(t *testing.T) {
	b := newBench(t.Context())
	b.names["h"], b.names["same"] = object{sampleHint(t)}, object{sampleHint(t)}
	b.names["bare"] = object{&hint{batch.Hint{Move: "H2-E2"}}}
	b.expect(t, [][2]string{
		{`h`, `H2-E2 +0.35 depth 12`},
		{`[bare]`, `[H2-E2]`},
		{`type(h), bool(bare)`, `("hint", True)`},
		{`h.move, h.score, h.depth, h.nodes, h.pv, h.text`, `("H2-E2", +0.35, 12, 81234, ("H2-E2", "H9-G7"), "book <1>")`},
		{`bare.wdl, bare.seldepth, bare.hashfull, bare.tbhits`, `((), 0, 0, 0)`},
		{`bare.score, bare.depth, bare.nodes, bare.pv, bare.text`, `(None, 0, 0, (), "")`},
		{`h == same, h != same, h == bare, {h: 1}[same]`, `(True, False, False, 1)`},
		{`h < bare`, `error: hint < hint: not ordered`},
		{`sorted([h])`, `[H2-E2 +0.35 depth 12]`},
		{`sorted([h, bare], key=lambda h: h.depth)[0] == bare`, `True`},
		{`dir(h)`, `["depth", "hashfull", "move", "nodes", "pv", "score", "seldepth", "tbhits", "text", "wdl"]`},
		{`h.best`, `error: hint has no .best field or method`},
		{`board().play(*h.pv).move_stack`, `["H2-E2", "H9-G7"]`},
	})
}

// TestNewHints converts an engine's answer; the illegal rest of a line is cut off.
func TestNewHints(t *testing.T) {
	pos := xiangqi.Start()
	m, err := pos.Parse("H2-E2")
	if err != nil {
		t.Fatal(err)
	}
	hints := newHints(pos, []engine.Line{
		{Moves: []engine.Move{m, m}, Score: engine.MateIn(2)},
		{Moves: []engine.Move{pos.Moves()[0]}},
	})
	if got, want := toValue(hints).String(), `(H2-E2 mate 2, A0-A1)`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := hints[0].PV, "H2-E2"; len(got) != 1 || got[0] != want {
		t.Errorf("the line is %v, want %s", got, want)
	}
}

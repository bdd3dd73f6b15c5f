package search

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// TestMirrorImage: a position and its image have the same evaluation, lists and progress, mirrored, and just
// one of them leans.
func TestMirrorImage(t *testing.T) {
	asked, err := New(DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	leaning := 0
	rapid.Check(t, func(t *rapid.T) {
		pos := rapid.SampledFrom(xiangqi.Samples()).Draw(t, "start")
		for _, n := range rapid.SliceOfN(rapid.Uint16(), 0, 12).Draw(t, "moves") {
			if legal := pos.LegalMoves(); len(legal) > 0 {
				pos, _ = pos.PlayMove(legal[int(n)%len(legal)])
			}
		}
		image := pos.Mirrored()
		if pos.FEN() == image.FEN() || pos.Result().Over() {
			return
		}
		if leans(pos) == leans(image) {
			t.Fatalf("%s: leans as its image does: %v", pos.FEN(), leans(pos))
		}
		if leans(pos) {
			leaning++
		}
		lim := engine.Limits{Nodes: rapid.Int64Range(1, 3000).Draw(t, "nodes"), Lines: rapid.IntRange(1, 3).Draw(t, "lines")}
		if moves := pos.Moves(); len(moves) > 1 && rapid.Bool().Draw(t, "ban") {
			lim.Ban = moves[:1]
		}
		// record returns all that a search says, as it is read from the image if back is set.
		record := func(pos *xiangqi.Position, lim engine.Limits, back bool) (said []string) {
			say := func(moves []engine.Move, text string) {
				moves = slices.Clone(moves)
				if back {
					mirror(moves)
				}
				said = append(said, fmt.Sprint(engine.Line{Moves: moves}, text))
			}
			asked.Forget()
			asked.Narrate(0, func(p engine.Progress) {
				if p.Number > 0 {
					say([]engine.Move{p.Move}, fmt.Sprint(p.Depth, p.Number))
				} else {
					say(p.Bound.Moves, fmt.Sprint(p.Depth, p.Bound.Score, p.Bound.Text))
				}
			})
			value, err := asked.Evaluate(pos)
			say(nil, fmt.Sprint(value, err))
			for lines, err := range asked.Search(t.Context(), pos, lim) {
				for _, l := range lines {
					say(l.Moves, fmt.Sprint(l.Score, l.Depth, l.Nodes, err))
				}
			}
			return said
		}
		want := record(pos, lim, false)
		lim.Ban = slices.Clone(lim.Ban)
		mirror(lim.Ban)
		if got := record(image, lim, true); !slices.Equal(got, want) {
			t.Fatalf("%s: image\n%q, want\n%q", pos.FEN(), got, want)
		}
	})
	if leaning == 0 {
		t.Error("no position leans")
	}
}

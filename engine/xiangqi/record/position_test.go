package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

// TestFromPosition: the record of a game leads to where the game stands.
func TestFromPosition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := xiangqi.Start()
		for range rapid.IntRange(0, 40).Draw(t, "plies") {
			legal := p.LegalMoves()
			if len(legal) == 0 {
				break
			}
			p, _ = p.PlayMove(rapid.SampledFrom(legal).Draw(t, "move"))
		}
		g := record.FromPosition(p)
		last := startPos(g)
		for _, pos := range g.Positions(true) {
			last = pos.(*xiangqi.Position)
		}
		if diff := cmp.Diff([]any{p.FEN(), p.Ply(), xiangqi.StartFEN, 0}, []any{last.FEN(), last.Ply(), startPos(g).FEN(), startPos(g).Ply()}); diff != "" {
			t.Fatal(diff)
		}
		if want := p.Result().Outcome; g.Result != want {
			t.Fatalf("result %v, want %v", g.Result, want)
		}
	})
	over, err := xiangqi.ParseFEN("R3k4/R8/9/9/9/9/9/9/9/3K5 b")
	if err != nil {
		t.Fatal(err)
	}
	if g := record.FromPosition(over); g.Result != engine.FirstWins {
		t.Errorf("result %v", g.Result)
	}
}

func TestFormIn(t *testing.T) {
	for text, want := range map[string]string{
		"[Event \"x\"]\n": "pgn", "XQ\x12": "xqf", "PK\x03\x04": "zip", `{"fen":""}`: "json",
		"h2e2\n": "moves", "": "moves", "Dear Sir": "moves", "# x\n[Red \"A\"]\n": "pgn",
	} {
		if got := Library.DetectFormat([]byte(text)).Name; got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

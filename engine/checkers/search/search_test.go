package search_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/alphabeta"
	"qhsh/engine/checkers"
	"qhsh/engine/checkers/search"
	"qhsh/engine/enginetest"
	"qhsh/engine/quoridor"
)

func newEngine(t rapid.TB, v checkers.Variant) *alphabeta.Engine {
	t.Helper()
	e, err := search.New(search.Options{Rules: checkers.Rules{Variant: v}, Hash: 1})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// at returns a random position that is not over.
func at(t *rapid.T) *checkers.Position {
	v := rapid.SampledFrom(checkers.Variants()).Draw(t, "variant")
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 7))
	pos := checkers.NewPosition(checkers.NewBoard(v))
	for range random.IntN(60) {
		moves := pos.Moves()
		next, err := pos.Do(checkers.Move(moves[random.IntN(len(moves))]))
		if err != nil {
			t.Fatal(err)
		}
		if next.Result().Over() {
			break
		}
		pos = next
	}
	return pos
}

// TestPromises checks the requirements of engine.Searcher.
func TestPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pos := at(t)
		for _, line := range enginetest.ConformSearch(t, newEngine(t, pos.Game().(checkers.Rules).Variant), pos) {
			if !line.Score.Known() {
				t.Fatalf("%v: %v has no score", pos, line)
			}
		}
	})
}

// TestWins finds forced wins, counted in the mover's moves.
func TestWins(t *testing.T) {
	for _, c := range []struct {
		v               checkers.Variant
		fen, move, want string
	}{
		{checkers.English, "B:W8:B3", "3x12", "mate 1"},
		{checkers.English, "W:WK7,K15:B1", "", "mate 3"},
		{checkers.Russian, "W:WK29:B22,11", "", "mate 1"},
	} {
		pos, err := checkers.Rules{Variant: c.v}.Position(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := engine.Best(t.Context(), newEngine(t, c.v), pos, engine.Limits{Depth: 12})
		if err != nil {
			t.Fatal(err)
		}
		if move := pos.Format(lines[0].Move()); lines[0].Score.String() != c.want || c.move != "" && move != c.move {
			t.Errorf("%v %s: %s, %v; want %s, %s", c.v, c.fen, move, lines[0].Score, c.move, c.want)
		}
	}
}

// TestRepeats: the weaker side plays for repetition, which includes the game's positions.
func TestRepeats(t *testing.T) {
	pos, err := checkers.Rules{}.Position("B:WK14,K18,K32:BK4")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"4-8", "32-28", "8-4", "28-32", "4-8", "32-28", "8-4"} {
		m, err := pos.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if pos, err = pos.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	m, err := pos.Parse("28-32")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := engine.Best(t.Context(), newEngine(t, checkers.English), pos, engine.Limits{Depth: 3, Lines: 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		if cp, _ := line.Score.Centipawns(); (line.Move() == m) != (cp == 0) {
			t.Errorf("%s: %v", pos.Format(line.Move()), line.Score)
		}
	}
}

// TestStops: a search ends by its context and its time, and refuses what it cannot search.
func TestStops(t *testing.T) {
	e := newEngine(t, checkers.Russian)
	pos := checkers.Rules{Variant: checkers.Russian}.Start()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	var lines []engine.Line
	var err error
	for lines, err = range e.Search(ctx, pos, engine.Limits{}) {
		cancel(engine.ErrMoveNow)
	}
	if err != nil || lines[0].Depth == 0 {
		t.Errorf("move now: %v, %v", lines, err)
	}
	if _, err := engine.Best(t.Context(), e, pos, engine.Limits{Time: 10 * time.Millisecond}); err != nil {
		t.Error(err)
	}
	gone, cancelNow := context.WithCancel(t.Context())
	cancelNow()
	if _, err := engine.Best(gone, e, pos, engine.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	for _, c := range []struct {
		pos  engine.Position
		want string
	}{
		{checkers.DefaultRules.Start(), "search: the position is of English checkers, and the engine plays Russian checkers"},
		{quoridor.Default.Start(), "search: the position is of Quoridor, and the engine plays Checkers"},
	} {
		if _, err := engine.Best(t.Context(), e, c.pos, engine.Limits{}); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	for _, v := range checkers.Variants() {
		b.Run(v.String(), func(b *testing.B) {
			e, err := search.New(search.Options{Rules: checkers.Rules{Variant: v}})
			if err != nil {
				b.Fatal(err)
			}
			var nodes int64
			depth := 0
			for b.Loop() {
				for _, pos := range checkers.Samples(v) {
					e.Forget()
					lines, err := engine.Best(b.Context(), e, pos, engine.Limits{Nodes: 100_000})
					if err != nil {
						b.Fatal(err)
					}
					nodes += lines[0].Nodes
					depth += lines[0].Depth
				}
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
			b.ReportMetric(float64(depth)/float64(b.N)/11, "depth")
		})
	}
}

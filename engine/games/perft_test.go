package games_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
)

// TestDivide: every move has its own count, with any number of goroutines.
func TestDivide(t *testing.T) {
	for _, game := range append(table.Games(), enginetest.Stones) {
		const depth = 3
		p := game.Start()
		var want []games.Branch
		for _, m := range p.Moves() {
			next, err := p.Play(m)
			if err != nil {
				t.Fatal(err)
			}
			nodes, err := table.Perft(t.Context(), next, depth-1)
			if err != nil {
				t.Fatal(err)
			}
			name := p.Format(m)
			if game.Name() == "xiangqi" {
				name = xiangqi.Move(m).UCI()
			}
			want = append(want, games.Branch{Move: name, Nodes: nodes})
		}
		for _, jobs := range []int{-1, 1, 3, 100} {
			got, err := table.Divide(t.Context(), p, depth, jobs)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %d jobs (-want +got):\n%s", game.Name(), jobs, diff)
			}
		}
	}
}

func TestDivideErrors(t *testing.T) {
	for _, game := range table.Games()[:2] {
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
		if _, err := table.Divide(ctx, game.Start(), 9, 2); !errors.Is(err, cause) {
			t.Errorf("%s: cancelled: %v", game.Name(), err)
		}
	}
	over, err := xiangqi.ParseFEN("3k5/9/9/9/9/9/9/9/3r1r3/4K4 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := table.Divide(t.Context(), over, 3, 2); err != nil || len(got) != 0 {
		t.Errorf("a finished game: %v, %v", got, err)
	}
}

// TestDivideUnknownGame: a game that is not in the table is counted, too.
func TestDivideUnknownGame(t *testing.T) {
	got, err := games.Default.Divide(t.Context(), enginetest.Stones.Start(), 2, 1)
	if err != nil || len(got) != 2 || got[0].Nodes != int64(len(after(t, enginetest.Stones.Start()).Moves())) {
		t.Errorf("%v, %v", got, err)
	}
}

// after returns the position after the first legal move.
func after(t *testing.T, p engine.Position) engine.Position {
	t.Helper()
	next, err := p.Play(p.Moves()[0])
	if err != nil {
		t.Fatal(err)
	}
	return next
}

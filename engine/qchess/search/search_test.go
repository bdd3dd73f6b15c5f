package search_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/qchess"
	"qhsh/engine/qchess/search"
)

// middle returns a position of a game whose steps were drawn by lot, in which a side is to move.
func middle(t *rapid.T, start qchess.Board) *qchess.Position {
	pos := qchess.NewPosition(start)
	for range rapid.IntRange(0, 80).Draw(t, "steps") {
		moves := pos.Moves()
		next, err := pos.Do(qchess.Step(rapid.SampledFrom(moves).Draw(t, "step")))
		if err != nil {
			t.Fatal(err)
		}
		if next.Result().Over() {
			break
		}
		pos = next
	}
	if pos.Turn() == engine.Chance {
		before, _ := pos.Undo()
		pos = before.(*qchess.Position)
	}
	return pos
}

func engines(t *rapid.T, seed int) (all []*search.Engine) {
	for _, a := range []search.Agent{search.Search, search.Ply} {
		e, err := search.New(search.Options{Agent: a, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// The answer does not depend on hidden kinds.
func TestHiddenKindsDoNotMatter(t *testing.T) {
	enginetest.SkipUnderRace(t)
	rapid.Check(t, func(t *rapid.T) {
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		full := qchess.NewBoard()
		full.Deal(source)
		pos := middle(t, full)
		board := pos.Board()
		view := board.View()
		redrawn := view
		redrawn.Deal(source)
		for _, e := range engines(t, 3) {
			lim := engine.Limits{Nodes: 400, Lines: 5}
			want, err := engine.Best(context.Background(), e, pos, lim)
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range []qchess.Board{view, redrawn} {
				got, err := engine.Best(context.Background(), e, qchess.NewPosition(b), lim)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(engine.Score{})); diff != "" {
					t.Fatalf("at %v instead of %v:\n%s", b.String(), pos, diff)
				}
			}
		}
	})
}

// Every list is legal, as long as it may be, without banned moves, within the nodes; and no piece
// that cannot move is selected where another can.
func TestPromises(t *testing.T) {
	enginetest.SkipUnderRace(t)
	rapid.Check(t, func(t *rapid.T) {
		pos := middle(t, qchess.NewBoard())
		board := pos.Board()
		moves := pos.Moves()
		lim := engine.Limits{Nodes: rapid.Int64Range(1, 300).Draw(t, "nodes"), Lines: rapid.IntRange(0, 20).Draw(t, "lines")}
		if len(moves) > 1 {
			lim.Ban = []engine.Move{rapid.SampledFrom(moves).Draw(t, "ban")}
		}
		for _, e := range engines(t, 1) {
			for list, err := range e.Search(context.Background(), pos, lim) {
				if err != nil {
					t.Fatal(err)
				}
				enginetest.ProveMates(t, pos, lim.Ban, list)
				if len(list) == 0 || len(list) > max(1, lim.Lines) {
					t.Fatalf("%d lines, %d wanted", len(list), lim.Lines)
				}
				for _, l := range list {
					if !slices.Contains(moves, l.Move()) || slices.Contains(lim.Ban, l.Move()) || l.Nodes > lim.Nodes {
						t.Fatalf("%v: %v after %d nodes", pos, pos.Format(l.Move()), l.Nodes)
					}
				}
				if _, moving := board.Selected(); !moving && len(lim.Ban) == 0 && !board.CanMove(qchess.Step(list[0].Move()).Square()) {
					t.Fatalf("%v: %v cannot move", pos, pos.Format(list[0].Move()))
				}
			}
		}
	})
}

func TestNoMove(t *testing.T) {
	e, err := search.New(search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	start := qchess.NewPosition(qchess.NewBoard())
	drawing, err := start.Do(qchess.SelectStep(qchess.SquareAt(3, 6)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Best(context.Background(), e, drawing, engine.Limits{}); !errors.Is(err, engine.ErrNoMove) || err.Error() != "search: it is chance's turn: no move to choose from" {
		t.Errorf("at chance's turn: %v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(engine.ErrMoveNow)
	if best, err := engine.Best(ctx, e, start, engine.Limits{}); err != nil || len(best) != 1 {
		t.Errorf("at once: %v, %v", best, err)
	}
	ctx, cancel = context.WithCancelCause(context.Background())
	gone := errors.New("gone")
	cancel(gone)
	if _, err := engine.Best(ctx, e, start, engine.Limits{}); !errors.Is(err, gone) {
		t.Errorf("given up: %v", err)
	}
	if _, err := search.New(search.Options{Agent: "best"}); err == nil || err.Error() != "agent=best: want ply or search" {
		t.Errorf("another agent: %v", err)
	}
}

// A king that can be captured is.
func TestCapturesTheKing(t *testing.T) {
	pos, err := qchess.Rules.Position("w rr0@37,-,-,kk@77,-,-,-,-,-,-,-,-,-,-,-,- -,-,-,kk@30,-,-,-,-,pn@11,-,-,-,-,-,-,- -")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []search.Agent{search.Search, search.Ply} {
		e, _ := search.New(search.Options{Agent: a})
		for _, want := range []string{"@37", "37-30"} {
			best, err := engine.Best(context.Background(), e, pos, engine.Limits{Nodes: 2000})
			if err != nil || pos.Format(best[0].Move()) != want || best[0].Score != engine.MateIn(1) {
				t.Fatalf("%s: %v, %v; want %s", a, best, err, want)
			}
			if pos, err = pos.Play(best[0].Move()); err != nil {
				t.Fatal(err)
			}
		}
		pos, _ = pos.(*qchess.Position).History()
	}
}

// TestWinsLater: what is expected to win the king after a reply is no mate in one.
func TestWinsLater(t *testing.T) {
	pos, err := qchess.Rules.Position("w rb@16,-n,-,kk@37,qq0@61,-,-n,rp@76,p?r0@04,-b,pp0@24,p?p@34,-p,p?p0@55,pp0@65,pp0@74 " +
		"rp@01,n?p@10,-,kk0@73,-p,bn@14,nb1@31,r?b0@71,pp0@03,-q,pr1@11,-r,-,-,-p,pp1@64 61")
	if err != nil {
		t.Fatal(err)
	}
	e, _ := search.New(search.Options{})
	best, err := engine.Best(context.Background(), e, pos, engine.Limits{Nodes: 500})
	if cp, ok := best[0].Score.Centipawns(); err != nil || pos.Format(best[0].Move()) != "61-71" || !ok || cp < 9900 {
		t.Errorf("%v, %v", best, err)
	}
}

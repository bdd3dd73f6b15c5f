package net_test

import (
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
	"qhsh/engine/xiangqi/net"
)

// value returns what an Evaluator must return for a board: the output computed from scratch, as far
// as the material can convert it.
func value(w *net.Weights, b *xiangqi.Board) int {
	v := w.Evaluate(b)
	leader := b.Side()
	if v < 0 {
		leader = leader.Other()
	}
	return v * eval.WinScale(b, leader) / eval.MaxWinScale
}

// walk makes and undoes random moves on a board with an Evaluator, null moves among them, and calls
// visit from time to time.
func walk(t *rapid.T, b *xiangqi.Board, e eval.Evaluator, visit func()) {
	var passed []bool // for each move made
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, 1<<20), 0, 120).Draw(t, "moves") {
		legal := b.AppendMoves(nil)
		switch last := len(passed) - 1; {
		case last >= 0 && (n%4 == 0 || len(legal) == 0):
			b.Undo()
			if !passed[last] {
				e.Unmake()
			}
			passed = passed[:last]
		case n%16 == 1 && !b.InCheck() && len(legal) > 0:
			b.Pass()
			passed = append(passed, true)
		case len(legal) > 0:
			m := legal[n/16%len(legal)]
			e.Make(m)
			b.Do(m)
			passed = append(passed, false)
		}
		if n>>16 < 6 {
			visit()
		}
	}
}

// An Evaluator returns what is computed from scratch, wherever moves have led and however many
// positions were not evaluated, also after another Reset.
func TestEvaluatorFollowsMoves(t *testing.T) {
	for _, hidden := range net.HiddenSizes {
		w := arbitrary(hidden, 3)
		e := net.NewEvaluator(w)
		rapid.Check(t, func(t *rapid.T) {
			b := anyBoard(t)
			e.Reset(b)
			walk(t, b, e, func() {
				if got, want := e.Evaluate(), value(w, b); got != want {
					t.Fatalf("%d, from scratch %d", got, want)
				}
			})
		})
	}
}

// Kings that wander over files D, E and F change the views of both sides.
func TestEvaluatorFollowsKings(t *testing.T) {
	w := arbitrary(64, 4)
	e := net.NewEvaluator(w)
	p, err := xiangqi.ParseFEN("3k5/9/9/4p4/9/9/4P4/9/9/4K4 w")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		b := p.Board()
		e.Reset(b)
		walk(t, b, e, func() {
			if got, want := e.Evaluate(), value(w, b); got != want {
				t.Fatalf("%d, from scratch %d", got, want)
			}
		})
	})
}

// A line that is longer than any of a search is evaluated, too.
func TestEvaluatorFollowsLongLines(t *testing.T) {
	w := arbitrary(64, 5)
	e := net.NewEvaluator(w)
	b := xiangqi.Start().Board()
	e.Reset(b)
	for ply := range 400 {
		m := b.AppendMoves(nil)[0]
		e.Make(m)
		b.Do(m)
		if got, want := e.Evaluate(), value(w, b); ply%7 == 0 && got != want {
			t.Fatalf("ply %d: %d, from scratch %d", ply, got, want)
		}
	}
}

func TestEvaluatorAllocatesNothing(t *testing.T) {
	e := net.NewEvaluator(arbitrary(256, 6))
	b := xiangqi.Start().Board()
	moves := b.AppendMoves(nil)
	e.Reset(b)
	if n := testing.AllocsPerRun(10, func() {
		for _, m := range moves {
			e.Make(m)
			b.Do(m)
			e.Evaluate()
			b.Undo()
			e.Unmake()
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkEvaluator measures a move and its evaluation, as in a search.
func BenchmarkEvaluator(b *testing.B) {
	board := xiangqi.Start().Board()
	moves := board.AppendMoves(nil)
	for name, e := range map[string]eval.Evaluator{
		"64":  net.NewEvaluator(arbitrary(64, 7)),
		"128": net.NewEvaluator(arbitrary(128, 7)),
		"256": net.NewEvaluator(arbitrary(256, 7)),
	} {
		b.Run(name, func(b *testing.B) {
			e.Reset(board)
			for i := 0; b.Loop(); i++ {
				m := moves[i%len(moves)]
				e.Make(m)
				board.Do(m)
				e.Evaluate()
				board.Undo()
				e.Unmake()
			}
		})
	}
}

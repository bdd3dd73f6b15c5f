package search

import (
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
	"qhsh/engine/xiangqi/net"
)

var seeds = []string{
	"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
	"r1bakab1r/9/1cn1c1n2/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/9/R1BAKABR1 b",
	"3ak4/4aP3/9/p7p/4R4/4C4/P3c3P/B3B4/4A4/3r1K3 w",
	"c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w",
}

// anyPosition returns a position after random moves, with at least one legal move.
func anyPosition(t *rapid.T) *xiangqi.Position {
	p, err := xiangqi.ParseFEN(rapid.SampledFrom(seeds).Draw(t, "fen"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, 1<<16), 0, 40).Draw(t, "moves") {
		legal := p.LegalMoves()
		next, err := p.PlayMove(legal[n%len(legal)])
		if err != nil {
			t.Fatal(err)
		}
		if next.Result().Over() {
			break
		}
		p = next
	}
	return p
}

// A reference is a second implementation of alpha-beta with only what defines the score at a
// depth: no table, no move ordering, no pruning rule.
type reference struct {
	b     *xiangqi.Board
	proof bool // only the third occurrence of a position decides a game
}

func (r reference) score() int {
	v, leader := net.Embedded().Evaluate(r.b), r.b.Side()
	if v < 0 {
		leader = leader.Other()
	}
	return v * eval.WinScale(r.b, leader) / eval.MaxWinScale
}

func (r reference) repeated(ply int) (int, bool) {
	v, ok := r.b.Repetition()
	times, _ := r.b.Cycle()
	return int(v) * (ruleScore - ply), ok && (times > 2 || v == xiangqi.Draws || !r.proof)
}

func (r reference) node(ply, depth, alpha, beta int) int {
	if v, ok := r.repeated(ply); ok {
		return v
	}
	if depth == 0 {
		return r.quiesce(ply, alpha, beta)
	}
	best := matedIn(ply)
	for _, m := range r.b.AppendMoves(nil) {
		r.b.Do(m)
		best = max(best, -r.node(ply+1, depth-1, -beta, -max(alpha, best)))
		r.b.Undo()
		if best >= beta {
			break
		}
	}
	return best
}

func (r reference) quiesce(ply, alpha, beta int) int {
	if ply >= maxPly {
		return r.score()
	}
	times, _ := r.b.Cycle() // after a quiet evasion, only the third occurrence counts
	if v, ok := r.repeated(ply); ok && (times > 2 || r.b.InCheck()) {
		return v
	}
	var moves []xiangqi.Move
	best := matedIn(ply)
	if r.b.InCheck() {
		moves = r.b.AppendMoves(nil)
	} else {
		best = r.score()
		moves = r.b.AppendCaptures(nil)
	}
	for _, m := range moves {
		if best >= beta {
			break
		}
		r.b.Do(m)
		best = max(best, -r.quiesce(ply+1, -beta, -max(alpha, best)))
		r.b.Undo()
	}
	return best
}

// With every rule off, the search returns the same scores as the reference, for the best line and
// for all lines. The reference is slow, so the depth is smaller for positions with more moves.
func TestSearchIsExact(t *testing.T) {
	enginetest.SkipUnderRace(t)
	e, err := New(Options{Hash: 1})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		pos, depth := anyPosition(t), rapid.IntRange(1, 3).Draw(t, "depth")
		switch n := len(pos.LegalMoves()); {
		case n > 24:
			depth = 1
		case n > 12:
			depth = min(depth, 2)
		}
		if leans(pos) {
			pos = pos.Mirrored() // as it would be searched
		}
		want := map[xiangqi.Move]engine.Score{}
		ref := reference{b: pos.Board()}
		score := func(m xiangqi.Move) int {
			ref.b.Do(m)
			defer ref.b.Undo()
			return -ref.node(1, depth-1, -infinity, infinity)
		}
		for _, m := range pos.LegalMoves() {
			ref.proof = false
			v := score(m)
			if ref.proof = isByRule(v); ref.proof && !isByRule(score(m)) {
				return // the proof begins in the midst of the moves: each has one of two scores
			}
			want[m] = engineScore(v)
		}
		lines := rapid.SampledFrom([]int{1, 3, len(want)}).Draw(t, "lines")
		e.Forget()
		answer, err := engine.Best(t.Context(), e, pos, engine.Limits{Depth: depth, Lines: lines})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range answer {
			m := xiangqi.Move(line.Move())
			if line.Score != want[m] {
				t.Errorf("%s depth %d: %s %v, want %v", pos.FEN(), depth, m.ICCS(), line.Score, want[m])
			}
			delete(want, m)
		}
		worst := answer[len(answer)-1].Score
		for m, score := range want {
			if score.Compare(worst) > 0 {
				t.Errorf("%s depth %d: %s is %v, but only %v is shown", pos.FEN(), depth, m.ICCS(), score, worst)
			}
		}
	})
}

// The picker returns every legal move once, whatever the table move is.
func TestPickerIsComplete(t *testing.T) {
	w := newWorker(DefaultOptions(), newTable(1))
	rapid.Check(t, func(t *rapid.T) {
		pos := anyPosition(t)
		w.board = pos.Board()
		want := map[xiangqi.Move]bool{}
		noisy := rapid.Bool().Draw(t, "noisy")
		for _, m := range pos.LegalMoves() {
			want[m] = !noisy || pos.At(m.To()) != xiangqi.Empty
		}
		hash := rapid.OneOf(rapid.SampledFrom(pos.LegalMoves()),
			rapid.Map(rapid.Uint16(), func(n uint16) xiangqi.Move { return xiangqi.Move(n) })).Draw(t, "hash")
		w.stack[3].picker.reset(hash, noisy, false)
		for m := w.nextMove(3); m != 0; m = w.nextMove(3) {
			if !want[m] {
				t.Fatalf("%s: unexpected or repeated move %s", pos.FEN(), m.ICCS())
			}
			delete(want, m)
		}
		for m, wanted := range want {
			if wanted {
				t.Fatalf("%s: %s is missing", pos.FEN(), m.ICCS())
			}
		}
	})
}

// The search never exceeds its node budget, and the node count in the answer is correct.
func TestBudgetIsExact(t *testing.T) {
	enginetest.SkipUnderRace(t)
	e, err := New(Options{Hash: 1})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		pos, nodes := anyPosition(t), rapid.Int64Range(1, 5000).Draw(t, "nodes")
		answer, err := engine.Best(t.Context(), e, pos, engine.Limits{Nodes: nodes})
		if err != nil {
			t.Fatal(err)
		}
		spent := e.worker.budget.nodes
		if spent > nodes || answer[0].Nodes > spent {
			t.Errorf("%d nodes allowed, %d spent, %d told", nodes, spent, answer[0].Nodes)
		}
		if n, ok := answer[0].Score.Mate(); spent < nodes && !ok && answer[0].Depth < maxDepth {
			t.Errorf("%d nodes allowed, %d spent, with %v (mate %d) at depth %d",
				nodes, spent, answer[0].Score, n, answer[0].Depth)
		}
	})
}

func TestReductionGrows(t *testing.T) {
	for n, want := range map[int]int{1: 0, 2: 16, 3: 24, 4: 32, 6: 40, 64: 96} {
		if got := log16(n); got != want {
			t.Errorf("log16(%d) = %d, want %d", n, got, want)
		}
	}
}

package search

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"qhsh/engine"
	"qhsh/engine/alphabeta"
	"qhsh/engine/qchess"
)

// A worker runs one search.
type worker struct {
	*alphabeta.Budget
	Options
	priors      [2]*qchess.Prior
	hiddenValue [2][16]float64 // expected value of a hidden second kind
	info        [maxDepth + 1]attackInfo
}

// maxDepth is the maximum number of turns searched.
const maxDepth = 8

func newWorker(b *alphabeta.Budget, board *qchess.Board, o Options) *worker {
	w := &worker{Budget: b, Options: o}
	for side := range engine.Turn(2) {
		w.priors[side] = board.Shown(side).Prior()
		for slot := range w.hiddenValue[side] {
			for k, p := range w.priors[side][slot] {
				w.hiddenValue[side][slot] += p * kindValue[k]
			}
		}
	}
	return w
}

// A rootStep is a step at the root with its value.
type rootStep struct {
	step  qchess.Step
	value float64
	wins  bool // certainly, with this turn
	depth int
	nodes int64
}

// iterativeDeepening searches one turn deeper in each iteration and yields the lines.
func (w *worker) iterativeDeepening(ctx context.Context, b *qchess.Board, steps []qchess.Step, lim engine.Limits, yield func([]engine.Line, error) bool) error {
	list := make([]rootStep, len(steps))
	for i, s := range steps {
		list[i] = rootStep{step: s}
	}
	want := min(max(lim.Lines, 1), len(list))
	last := maxDepth
	if lim.Depth > 0 {
		last = min(last, lim.Depth)
	}
	if w.Agent == Ply {
		last = 1
	}
	for depth := 1; depth <= last && !w.Stopped; depth++ {
		w.iterate(b, list, depth, want)
		if !w.Stopped {
			if !yield(lines(list[:want]), nil) {
				return nil
			}
		}
		if list[0].value >= winThreshold {
			break
		}
	}
	if err := engine.AbortCause(ctx); err != nil {
		return err
	}
	if w.Stopped {
		answer := lines(list[:want])
		if list[0].depth == 0 {
			w.analyse(b, &w.info[0])
			answer[0].Score = engine.Centipawns(int(math.Round(w.staticEval(b, &w.info[0]))))
		}
		yield(answer, nil)
	}
	return nil
}

// iterate searches all steps at a depth and sorts them. If the budget ends, the steps searched so
// far come first, unless fewer than are wanted do not lose: those not searched may be better than one
// that does. In the first iteration, steps not searched come before those that lose, without a value.
func (w *worker) iterate(b *qchess.Board, list []rootStep, depth, want int) {
	done := make([]rootStep, 0, len(list))
	for i := range list {
		c := list[i]
		bar := math.Inf(-1)
		if len(done) >= want {
			bar = done[want-1].value
		}
		value := w.searchStep(b, c.step, depth, bar)
		if w.Stopped {
			break
		}
		c.value, c.depth, c.nodes = value+w.noise(c.step), depth, w.Nodes
		c.wins = c.value >= winThreshold && w.wins(b, c.step)
		at, _ := slices.BinarySearchFunc(done, c.value, func(d rootStep, v float64) int {
			if d.value >= v {
				return -1
			}
			return 1
		})
		done = slices.Insert(done, at, c)
	}
	rest := slices.Concat(list[len(done):], list[:len(done)])
	if w.Stopped {
		done = slices.DeleteFunc(done, func(c rootStep) bool { return c.value <= -winThreshold })
		if depth > 1 && len(done) < want {
			return
		}
	}
	rest = slices.DeleteFunc(rest, func(c rootStep) bool {
		return slices.ContainsFunc(done, func(d rootStep) bool { return d.step == c.step })
	})
	copy(list, append(done, rest...))
}

// searchStep returns the value of a step of the side to move.
func (w *worker) searchStep(b *qchess.Board, s qchess.Step, depth int, bar float64) float64 {
	if _, moving := b.Selected(); moving {
		next := *b
		if next.Do(s) != nil {
			return math.Inf(-1)
		}
		return w.searchAfter(&next, b.Turn(), depth-1, math.Inf(-1), math.Inf(1))
	}
	l := &w.info[depth]
	w.analyse(b, l)
	return w.searchSelection(b, l, s.Square(), depth)
}

// wins reports whether a step of the side to move takes the king in this turn, whatever kind its piece shows.
// A value says less: it is an expectation, and estimated beyond the turn.
func (w *worker) wins(b *qchess.Board, s qchess.Step) bool {
	side := b.Turn()
	next := *b
	if _, moving := b.Selected(); moving {
		return next.Do(s) == nil && next.Result().Outcome == engine.Win(side)
	}
	l := &w.info[0]
	w.analyse(b, l)
	for k, chance := range l.chances[side][b.Slot(s.Square())] {
		next = *b
		next.SelectAs(s.Square(), qchess.Kind(k))
		won := chance == 0
		for set := next.Destinations(); set != 0 && next.Turn() == side && !won; set &= set - 1 {
			won = w.wins(&next, qchess.MoveStep(s.Square(), qchess.Square(bits.TrailingZeros64(set))))
		}
		if !won {
			return false
		}
	}
	return true
}

// noise returns a small value that depends on the seed, to break near ties.
func (w *worker) noise(s qchess.Step) float64 {
	h := uint64(s)*0x9e3779b97f4a7c15 + uint64(w.Seed)*0xbf58476d1ce4e5b9
	h ^= h >> 31
	h *= 0x94d049bb133111eb
	return float64(h>>40) / (1 << 24) * 3
}

// searchSelection returns the expected value of selecting a piece.
func (w *worker) searchSelection(b *qchess.Board, l *attackInfo, at qchess.Square, depth int) float64 {
	side, slot := b.Turn(), b.Slot(at)
	sum := 0.0
	for k, chance := range l.chances[side][slot] {
		if chance > 0 {
			next := *b
			next.SelectAs(at, qchess.Kind(k))
			sum += chance * w.searchMovement(&next, side, depth)
		}
	}
	return sum
}

// searchMovement returns the value of the best move of the selected piece, whose kind is known. If
// it cannot move, the turn is over.
func (w *worker) searchMovement(b *qchess.Board, side engine.Turn, depth int) float64 {
	set := b.Destinations()
	if b.Turn() != side || set == 0 {
		return w.searchAfter(b, side, depth-1, math.Inf(-1), math.Inf(1))
	}
	best := math.Inf(-1)
	enemies := b.Occupied(side.Other())
	for _, part := range []uint64{set & enemies, set &^ enemies} {
		for ; part != 0; part &= part - 1 {
			next := *b
			next.DoMove(qchess.Square(bits.TrailingZeros64(part)))
			best = max(best, w.searchAfter(&next, side, depth-1, best, math.Inf(1)))
			if w.Stopped || best >= winThreshold {
				return best
			}
		}
	}
	return best
}

// searchAfter returns the value of a position for the side that has just moved. Values outside
// alpha and beta may be bounds.
func (w *worker) searchAfter(b *qchess.Board, side engine.Turn, depth int, alpha, beta float64) float64 {
	if !w.Spend() {
		return 0
	}
	if result := b.Result(); result.Over() {
		switch result.Outcome {
		case engine.Draw:
			return 0
		case engine.Win(side):
			return win - float64(maxDepth-depth)
		}
		return -win
	}
	l := &w.info[depth]
	w.analyse(b, l)
	if depth == 0 {
		if w.Agent == Ply {
			return -w.material(b, l)
		}
		return -w.staticEval(b, l)
	}
	return -w.searchTurn(b, l, depth, -beta, -alpha)
}

// quietMargin is the assumed maximum gain of a quiet move.
const quietMargin = 120

// searchTurn returns the value of a turn for the side to move.
func (w *worker) searchTurn(b *qchess.Board, l *attackInfo, depth int, alpha, beta float64) float64 {
	type candidate struct {
		at   qchess.Square
		gain float64
	}
	var all [16]candidate
	n := 0
	b.EachPiece(b.Turn(), func(slot int, p *qchess.Piece) {
		all[n] = candidate{p.At, l.captureGain(b, slot)}
		n++
	})
	slices.SortFunc(all[:n], func(x, y candidate) int { return cmp.Or(cmp.Compare(y.gain, x.gain), cmp.Compare(x.at, y.at)) })
	balance, best := w.material(b, l), math.Inf(-1)
	for i, c := range all[:n] {
		if i > 0 && balance+c.gain+quietMargin <= max(alpha, best) {
			break
		}
		best = max(best, w.searchSelection(b, l, c.at, depth))
		if w.Stopped || best >= beta {
			break
		}
	}
	return best
}

// lines converts root steps to engine.Lines.
func lines(list []rootStep) []engine.Line {
	all := make([]engine.Line, len(list))
	for i, c := range list {
		all[i] = engine.Line{Moves: []engine.Move{engine.Move(c.step)}, Depth: c.depth, Nodes: c.nodes}
		switch {
		case c.depth == 0:
		case c.wins:
			all[i].Score = engine.MateIn(1)
		default:
			all[i].Score = engine.Centipawns(int(math.Round(c.value)))
		}
	}
	return all
}

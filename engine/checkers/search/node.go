package search

import (
	"math"

	"qhsh/engine/alphabeta"
	"qhsh/engine/checkers"
	"qhsh/engine/checkers/eval"
)

const (
	maxEval = 20000 // maximum of an evaluation
	maxPly  = 128
)

// A frame is the state of a node on the search stack.
type frame struct {
	board   checkers.Board
	quiet   int // plies since the last irreversible move
	killers [2]checkers.Move
	moves   []checkers.Move
	scored  []scoredMove
}

// A worker runs searches, one at a time.
type worker struct {
	alphabeta.Tree[checkers.Move]
	rules    checkers.Rules
	weights  *eval.Weights
	table    *alphabeta.Table[bucket]
	age      uint8 // of the entries of this search
	history  history
	stack    [maxPly + 2]frame
	gameKeys []uint64 // keys of the positions before the root that can repeat, the latest last
}

// Do plays a move at ply, for the node at the next.
func (w *worker) Do(ply int, m checkers.Move) {
	f, child := &w.stack[ply], &w.stack[ply+1]
	child.board = f.board
	child.quiet = f.quiet + 1
	if f.board.IsIrreversible(m) {
		child.quiet = 0
	}
	child.board.Do(m)
}

// isRepetition reports whether the position at ply has occurred before, in the search or in the
// game.
func (w *worker) isRepetition(ply int) bool {
	f := &w.stack[ply]
	if f.quiet < 4 {
		return false
	}
	key := f.board.Key()
	for back := 4; back <= f.quiet; back += 2 {
		switch at := ply - back; {
		case at >= 0:
			if w.stack[at].board.Key() == key {
				return true
			}
		case len(w.gameKeys)+at >= 0:
			if w.gameKeys[len(w.gameKeys)+at] == key {
				return true
			}
		default:
			return false
		}
	}
	return false
}

// Node returns the value of the node at ply. Captures do not reduce the depth, nor does an only move, because it is
// forced.
func (w *worker) Node(ply, depth, alpha, beta int) int {
	f := &w.stack[ply]
	if w.isRepetition(ply) {
		return 0
	}
	if alpha = max(alpha, -alphabeta.Win+ply); alpha >= beta {
		return alpha
	}
	capture := f.board.CanCapture()
	threatened := !capture && depth <= 4 && f.board.Threatened()
	if depth <= 0 && !capture && (!threatened || depth < -2) || ply >= maxPly {
		if !f.board.CanMove() {
			return -alphabeta.Win + ply
		}
		return w.evaluate(f)
	}
	known, ok := w.table.Probe(f.board.Key(), ply)
	if ok && beta-alpha == 1 && int(known.Depth) >= depth && known.AllowsCutoff(alpha, beta) {
		return int(known.Score)
	}
	if !capture && !threatened && beta-alpha == 1 && depth <= 4 && beta < alphabeta.ProvenWin && beta > -alphabeta.ProvenWin {
		if value := w.evaluate(f) - 35*max(depth, 1); value >= beta && f.board.CanMove() {
			return value
		}
	}
	w.generate(f, known.Move, capture)
	if len(f.scored) == 0 {
		lost := -alphabeta.Win + ply
		w.store(f.board.Key(), ply, alphabeta.Entry{Score: int16(lost), Bound: alphabeta.Exact, Depth: int8(max(depth, 0))})
		return lost
	}
	left := depth - 1
	if len(f.scored) == 1 && depth > 0 || capture && depth <= 0 {
		left = depth
	}
	best, found := w.Moves(ply, depth, left, alpha, beta, f.scored)
	if w.Stopped {
		return best
	}
	found.Move &= fromToMask
	found.Depth = int8(max(depth, 0))
	w.store(f.board.Key(), ply, found)
	return best
}

func (w *worker) evaluate(f *frame) int {
	return max(-maxEval, min(maxEval, w.weights.Evaluate(&f.board)))
}

// generate generates and scores the moves of a node.
func (w *worker) generate(f *frame, known fromTo, capture bool) {
	if capture {
		f.moves = f.board.AppendCaptures(f.moves[:0])
	} else {
		f.moves = f.board.AppendQuiet(f.moves[:0])
	}
	f.scored = f.scored[:0]
	for _, m := range f.moves {
		f.scored = append(f.scored, scoredMove{Move: m, Score: w.moveOrder(f, m, known)})
	}
}

// reductions are the late move reductions of quiet moves, by depth and move number.
var reductions = func() (r [64][64]uint8) {
	for depth := 1; depth < 64; depth++ {
		for i := 1; i < 64; i++ {
			r[depth][i] = uint8(0.6 + math.Log(float64(depth))*math.Log(float64(i))/2.2)
		}
	}
	return r
}()

// Reduction returns the late move reduction of move number i.
func (w *worker) Reduction(ply, left, i int) int {
	if left < 2 || i < 2 || w.stack[ply].moves[0].Captured() != 0 || w.stack[ply+1].board.CanCapture() {
		return 0
	}
	return min(int(reductions[min(left, 63)][min(i, 63)]), left-1)
}

// Cut rewards move number i, which caused a cutoff, and penalizes the moves before it.
func (w *worker) Cut(ply, depth, i int) {
	f := &w.stack[ply]
	m := f.scored[i].Move
	if m.Captured() != 0 || depth <= 0 {
		return
	}
	if f.killers[0] != m {
		f.killers[0], f.killers[1] = m, f.killers[0]
	}
	counts := &w.history[f.board.Turn()]
	alphabeta.Reward(&counts[fromToOf(m)], depth, 1)
	for _, c := range f.scored[:i] {
		alphabeta.Reward(&counts[fromToOf(c.Move)], depth, -1)
	}
}

type scoredMove = alphabeta.ScoredMove[checkers.Move]

// history has a score for each colour, from and to square: how often such moves caused cutoffs.
type history [2][1 << 12]int32

// moveOrder returns a move's score for ordering: first the move of the table, then captures by
// value, killers, and quiet moves by history.
func (w *worker) moveOrder(f *frame, m checkers.Move, known fromTo) int32 {
	switch {
	case fromToOf(m) == known:
		return 1 << 30
	case m.Captured() != 0:
		return int32(1<<20 + 64*m.Captured().Len() + 64*(m.Captured()&f.board.Kings(f.board.Turn().Other())).Len())
	case m == f.killers[0]:
		return 1 << 18
	case m == f.killers[1]:
		return 1 << 17
	}
	return w.history[f.board.Turn()][fromToOf(m)]
}

// fromTo is the start and end square of a move. It may be ambiguous, which is good enough for move
// ordering.
type fromTo = uint16

const fromToMask = 1<<12 - 1

func fromToOf(m checkers.Move) fromTo { return fromTo(m & fromToMask) }

// A bucket has the deeper entry and the latest one.
type bucket = [2]alphabeta.Entry

// store stores the result of the node at ply.
func (w *worker) store(key uint64, ply int, found alphabeta.Entry) {
	b, key := w.table.Bucket(key)
	e := &b[0]
	switch {
	case b[0].Holds(key):
	case b[1].Holds(key):
		e = &b[1]
	case b[0].Bound != alphabeta.NoBound && b[0].Age == w.age && b[0].Depth > found.Depth:
		e = &b[1]
	}
	found.Age = w.age
	e.Set(key, ply, found)
}

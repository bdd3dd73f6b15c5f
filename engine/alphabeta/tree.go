package alphabeta

import "qhsh/engine"

// Nodes are what a game knows of the nodes of its tree. A node has a ply, the number of moves from the root.
type Nodes[M any] interface {
	// Do plays a move of the node at ply, for the node at the next.
	Do(ply int, m M)
	// Node returns the value of the node at ply for the side to move, within the window. The result is invalid
	// if the budget has stopped.
	Node(ply, depth, alpha, beta int) int
	// Reduction returns how much less deep than depth, which is left for it, the node after move number i is searched
	// at first.
	Reduction(ply, depth, i int) int
	// Cut is called when move number i has ended the search of a node.
	Cut(ply, depth, i int)
}

// A Tree is the principal variation search of a game: the methods of a [Worker] that make moves. M is the game's type
// of moves.
type Tree[M ~uint16 | ~uint32 | ~uint64] struct {
	*Budget
	Of Nodes[M]
	pv [][]M // by ply, the best line from there
}

// NewTree returns a tree of so many plies at most.
func NewTree[M ~uint16 | ~uint32 | ~uint64](plies int) Tree[M] {
	return Tree[M]{pv: make([][]M, plies+2)}
}

// makeMove plays a move at ply. It reports whether the budget had a node left.
func (t *Tree[M]) makeMove(ply int, m M) bool {
	if !t.Spend() {
		return false
	}
	t.Of.Do(ply, m)
	t.pv[ply+1] = t.pv[ply+1][:0]
	return true
}

// Moves searches the moves of the node at ply, the best of the remaining ones first, with left plies below each. It
// returns the node's value, and what the table keeps of it but for the depth, the move being the low bits of the best one.
func (t *Tree[M]) Moves(ply, depth, left, alpha, beta int, moves []ScoredMove[M]) (best int, found Entry) {
	best, found.Bound = -Infinity, UpperBound
	for i := range moves {
		m := PickBest(moves, i)
		if !t.makeMove(ply, m) {
			break
		}
		value := t.child(ply, left, i, alpha, beta)
		if t.Stopped {
			break
		}
		if value <= best {
			continue
		}
		best = value
		if value <= alpha {
			continue
		}
		alpha = value
		found.Move, found.Bound = uint16(m), Exact
		t.pv[ply] = append(append(t.pv[ply][:0], m), t.pv[ply+1]...)
		if value >= beta {
			found.Bound = LowerBound
			t.Of.Cut(ply, depth, i)
			break
		}
	}
	found.Score = int16(best)
	return best, found
}

// child returns the value, for the side to move at ply, of the node after move number i, which has been made.
func (t *Tree[M]) child(ply, left, i, alpha, beta int) int {
	if i == 0 {
		return -t.Of.Node(ply+1, left, -beta, -alpha)
	}
	less := t.Of.Reduction(ply, left, i)
	value := -t.Of.Node(ply+1, left-less, -alpha-1, -alpha)
	if value > alpha && less > 0 && !t.Stopped {
		value = t.again(ply, left, alpha, alpha+1)
	}
	if value > alpha && value < beta && !t.Stopped {
		value = t.again(ply, left, alpha, beta)
	}
	return value
}

// again searches the node after ply once more.
func (t *Tree[M]) again(ply, left, alpha, beta int) int {
	t.pv[ply+1] = t.pv[ply+1][:0]
	return -t.Of.Node(ply+1, left, -beta, -alpha)
}

// MakeMove makes a move at the root.
func (t *Tree[M]) MakeMove(m engine.Move) bool { return t.makeMove(0, M(m)) }

// Search returns the value of the move made at the root.
func (t *Tree[M]) Search(depth, alpha, beta int) int { return t.again(0, depth, alpha, beta) }

// AppendPV appends the principal variation after the move made at the root.
func (t *Tree[M]) AppendPV(dst []engine.Move) []engine.Move {
	return engine.AppendMovesOf(dst, t.pv[1])
}

package search

import (
	"qhsh/engine"
	"qhsh/engine/quoridor"
)

// A choice is a move with a number to sort it by.
type choice struct {
	action quoridor.Action
	rank   int32
}

// history counts, for each side and action, what it has been good for.
type history [1 << 13]int32

const historyLimit = 1 << 14

func (h *history) at(a quoridor.Action) *int32 { return &h[a&(1<<13-1)] }

// reward and punish keep counts within the limit.
func (h *history) reward(a quoridor.Action, depth int) {
	bonus := int32(min(depth*depth*16, historyLimit/4))
	*h.at(a) += bonus - *h.at(a)*bonus/historyLimit
}

func (h *history) punish(a quoridor.Action, depth int) {
	bonus := int32(min(depth*depth*16, historyLimit/4))
	*h.at(a) -= bonus + *h.at(a)*bonus/historyLimit
}

func (h *history) age() {
	for i := range h {
		h[i] /= 2
	}
}

// plan is what moves are chosen by at a node.
type plan struct {
	ways      [2]quoridor.Path // by side
	side      engine.Turn      // to move
	me, other quoridor.Cell    // the pawns
}

func newPlan(b *quoridor.Board) plan {
	side := b.Turn()
	return plan{
		ways: [2]quoridor.Path{b.ShortestPath(quoridor.Black), b.ShortestPath(quoridor.White)}, side: side,
		me: b.Pawn(side), other: b.Pawn(side.Other()),
	}
}

// mine and others are a shortest way of the side to move, and of the other side.
func (p *plan) mine() *quoridor.Path   { return &p.ways[p.side] }
func (p *plan) others() *quoridor.Path { return &p.ways[p.side.Other()] }

// promising reports whether a wall is worth a look: across the opponent's way, or close to
// a pawn.
func (p *plan) promising(wall quoridor.Action) bool {
	return p.others().BlockedBy(wall) || near(wall, p.other, 2) || near(wall, p.me, 1)
}

// near reports whether a wall's centre is within some cells of a cell's middle.
func near(wall quoridor.Action, c quoridor.Cell, reach int) bool {
	at := wall.Cell()
	// The centre is at the lower right corner of the wall's cell.
	dr, dc := at.Row()-1-c.Row(), at.Col()-c.Col()
	return dr >= -reach && dr < reach && dc >= -reach && dc < reach
}

// rank orders moves: steps ahead first, then walls across the way, by history.
func (w *worker) rank(b *quoridor.Board, p *plan, a quoridor.Action) int32 {
	rank := *w.history.at(a)
	switch {
	case a.Kind() == quoridor.Step:
		next := *b
		next.Do(a)
		rank += 1000 * int32(8+p.mine().Steps()-next.Distance(b.Turn()))
	case p.others().BlockedBy(a):
		rank += 6000
		if p.mine().BlockedBy(a) {
			rank -= 3000
		}
	}
	return rank
}

// appendChoices appends the moves worth a look at a node, with their ranks.
func (w *worker) appendChoices(to []choice, ply int, hash quoridor.Action) []choice {
	b := &w.stack[ply].board
	p := newPlan(b)
	w.actions = b.AppendMovesWithPaths(w.actions[:0], &p.ways)
	for _, a := range w.actions {
		rank := int32(1 << 30)
		if a != hash {
			if a.Kind() != quoridor.Step && !p.promising(a) {
				continue
			}
			rank = w.rank(b, &p, a)
			if a == w.stack[ply].killer {
				rank += 1 << 16
			}
		}
		to = append(to, choice{a, rank})
	}
	return to
}

// next moves the best of the choices from i on to i.
func next(choices []choice, i int) quoridor.Action {
	best := i
	for j := i + 1; j < len(choices); j++ {
		if choices[j].rank > choices[best].rank {
			best = j
		}
	}
	choices[i], choices[best] = choices[best], choices[i]
	return choices[i].action
}

// over returns the value of a game that is over, to the side to move; ok is false while it
// goes on.
func over(b *quoridor.Board, ply int) (value int, ok bool) {
	winner, ok := b.Winner()
	switch {
	case !ok:
		return 0, false
	case winner == b.Turn():
		return win - ply, true
	}
	return -win + ply, true
}

package search

import (
	"qhsh/engine/alphabeta"
	"qhsh/engine/quoridor"
)

type scoredMove = alphabeta.ScoredMove[quoridor.Action]

// A history has a score for each side and action.
type history [1 << 13]int32

func (h *history) at(a quoridor.Action) *int32 { return &h[a&(1<<13-1)] }

// A nodeInfo is what the moves of a node are selected by.
type nodeInfo struct {
	board *quoridor.Board
	paths [2]quoridor.Path // by side
}

func newNodeInfo(b *quoridor.Board) nodeInfo {
	return nodeInfo{b, [2]quoridor.Path{b.ShortestPath(quoridor.Black), b.ShortestPath(quoridor.White)}}
}

// ownPath and otherPath are a shortest way of the side to move, and of the other side.
func (p *nodeInfo) ownPath() *quoridor.Path   { return &p.paths[p.board.Turn()] }
func (p *nodeInfo) otherPath() *quoridor.Path { return &p.paths[p.board.Turn().Other()] }

// worthSearching reports whether a wall is searched: across the opponent's path, or close to a
// pawn.
func (p *nodeInfo) worthSearching(wall quoridor.Action) bool {
	me := p.board.Turn()
	return p.otherPath().BlockedBy(wall) || near(wall, p.board.Pawn(me.Other()), 2) || near(wall, p.board.Pawn(me), 1)
}

// near reports whether a wall's centre is within some cells of a cell's middle.
func near(wall quoridor.Action, c quoridor.Cell, reach int) bool {
	at := wall.Cell()
	// The centre is at the lower right corner of the wall's cell.
	dr, dc := at.Row()-1-c.Row(), at.Col()-c.Col()
	return dr >= -reach && dr < reach && dc >= -reach && dc < reach
}

// moveScore orders moves: steps ahead first, then walls across the opponent's path, by history.
func (w *worker) moveScore(p *nodeInfo, a quoridor.Action) int32 {
	rank := *w.history.at(a)
	switch {
	case a.Kind() == quoridor.Step:
		next := *p.board
		next.Do(a)
		rank += 1000 * int32(8+p.ownPath().Steps-next.Distance(p.board.Turn()))
	case p.otherPath().BlockedBy(a):
		rank += 6000
		if p.ownPath().BlockedBy(a) {
			rank -= 3000
		}
	}
	return rank
}

// appendMoves appends the moves to search at a node with their scores.
func (w *worker) appendMoves(to []scoredMove, ply int, hash quoridor.Action) []scoredMove {
	b := &w.stack[ply].board
	p := newNodeInfo(b)
	w.actions = b.AppendMovesWithPaths(w.actions[:0], &p.paths)
	for _, a := range w.actions {
		rank := int32(1 << 30)
		if a != hash {
			if a.Kind() != quoridor.Step && !p.worthSearching(a) {
				continue
			}
			rank = w.moveScore(&p, a)
			if a == w.stack[ply].killer {
				rank += 1 << 16
			}
		}
		to = append(to, scoredMove{Move: a, Score: rank})
	}
	return to
}

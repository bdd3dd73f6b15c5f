// Package search is an engine for Quoridor that implements engine.Searcher.
//
// It is an alpha-beta search with iterative deepening, principal variation search, a transposition
// table, killers and a history (movepick.go), with an evaluation of the shortest path
// lengths and the walls left (evaluate.go). Most of some 130 moves are walls without effect, so
// below the root only walls across the opponent's shortest path or close to a pawn are searched
// (movepick.go); at the root all are, the others reduced. Once no wall is left the race is counted.
//
// Package alphabeta has what it shares with other games, and the guarantees. A score is a hundredth
// of a step: cp 100 is one step ahead.
package search

import (
	"qhsh/engine/alphabeta"
	"qhsh/engine/quoridor"
)

// maxDepth is the last iteration.
const maxDepth = 60

// New returns an engine with a transposition table of so many MiB, 1 to alphabeta.MaxHash; 0: alphabeta.DefaultHash.
// Another size is an error.
func New(hash int) (*alphabeta.Engine, error) {
	table, err := alphabeta.NewTable[bucket](hash)
	if err != nil {
		return nil, err
	}
	w := &worker{Tree: alphabeta.NewTree[quoridor.Action](maxPly), table: table}
	w.Of = w
	return alphabeta.NewEngine(w, maxDepth), nil
}

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

// Options configure an Engine.
type Options struct {
	Hash int // size of the transposition table in MiB, 1 to alphabeta.MaxHash; 0: alphabeta.DefaultHash
}

// An Engine is an engine.Searcher for Quoridor.
type Engine struct{ alphabeta.Engine }

// maxDepth is the last iteration.
const maxDepth = 60

// New returns an engine. The error names an invalid option.
func New(o Options) (*Engine, error) {
	table, err := alphabeta.NewTable[bucket](o.Hash)
	if err != nil {
		return nil, err
	}
	w := &worker{Tree: alphabeta.NewTree[quoridor.Action](maxPly), table: table}
	w.Of = w
	return &Engine{alphabeta.NewEngine(w, maxDepth)}, nil
}

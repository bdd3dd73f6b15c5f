// Package search is an engine for the five variants of checkers. It implements engine.Searcher.
//
// It is an alpha-beta search with iterative deepening, principal variation search, a transposition
// table, killer moves and history, and the evaluation of package eval. Nodes
// with a capture, which have few moves since captures are compulsory, and nodes with a threatened
// capture are always extended. There are late move reductions and reverse futility pruning (node.go).
// A position that has occurred before is a draw.
//
// Package alphabeta has what it shares with other games, and the guarantees. Each line has a score.
// A score is a hundredth of a man.
package search

import (
	"qhsh/engine/alphabeta"
	"qhsh/engine/checkers"
	"qhsh/engine/checkers/eval"
)

// Options configure an engine for one variant of checkers.
type Options struct {
	Rules   checkers.Rules
	Hash    int           // size of the transposition table in MiB, 1 to alphabeta.MaxHash; 0: alphabeta.DefaultHash
	Weights *eval.Weights // nil: the tuned weights of the variant
}

// maxDepth is the maximum number of iterations.
const maxDepth = 99

// New returns an engine. It returns an error if an option is invalid.
func New(o Options) (*alphabeta.Engine, error) {
	table, err := alphabeta.NewTable[bucket](o.Hash)
	if err != nil {
		return nil, err
	}
	if o.Weights == nil {
		o.Weights = eval.New(eval.Tuned(o.Rules.Variant))
	}
	w := &worker{Tree: alphabeta.NewTree[checkers.Move](maxPly), rules: o.Rules, table: table, weights: o.Weights}
	w.Of = w
	return alphabeta.NewEngine(w, maxDepth), nil
}

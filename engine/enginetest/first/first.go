// Package first is an engine for tests that finds the first legal moves.
package first

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"qhsh/engine"
)

// A Searcher is an engine.Searcher for tests. It finds the first legal moves, in the order in which the rules
// generate them, with decreasing scores.
type Searcher struct {
	Forever bool // a search lasts until it is stopped
}

// Levels are 1 and 2.
func (Searcher) Levels() []engine.Level {
	return []engine.Level{{ID: 1, Text: "first move"}, {ID: 2, Text: "first move, too"}}
}

// Search yields one list.
func (f Searcher) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		var lines []engine.Line
		for _, m := range pos.Moves() {
			if len(lines) < max(lim.Lines, 1) && !slices.Contains(lim.Ban, m) {
				lines = append(lines, engine.Line{
					Moves: []engine.Move{m}, Score: engine.Centipawns(10 - 5*len(lines)), Depth: 1, Nodes: 1,
				})
			}
		}
		if !yield(lines, nil) || !f.Forever {
			return
		}
		<-ctx.Done()
		if cause := context.Cause(ctx); !errors.Is(cause, engine.ErrMoveNow) {
			yield(nil, fmt.Errorf("first: %w", cause))
		}
	}
}

package engine_test

import (
	"context"
	"fmt"
	"iter"

	"qhsh/engine"
	"qhsh/engine/quoridor"
)

// fewestReplies is an engine that plays the move which leaves the fewest replies. It yields a
// better answer as soon as it has one, so that a search can be ended at any time.
type fewestReplies struct{}

func (fewestReplies) Search(ctx context.Context, pos engine.Position, _ engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		fewest := -1
		for _, m := range pos.Moves() {
			if ctx.Err() != nil {
				yield(nil, context.Cause(ctx))
				return
			}
			next, err := pos.Play(m)
			if err != nil {
				yield(nil, err)
				return
			}
			replies := len(next.Moves())
			if fewest >= 0 && replies >= fewest {
				continue
			}
			fewest = replies
			if !yield([]engine.Line{{Moves: []engine.Move{m}, Depth: 1}}, nil) {
				return
			}
		}
	}
}

// A Searcher is a whole engine: it can be served over a protocol, and play matches.
func ExampleSearcher() {
	pos := quoridor.Rules{Size: 3, Walls: 1}.Start()
	lines, err := engine.Best(context.Background(), fewestReplies{}, pos, engine.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(pos.Format(lines[0].Move()))
	// Output:
	// A2h
}

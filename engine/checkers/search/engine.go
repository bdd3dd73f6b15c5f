// Package search is an engine for the five variants of checkers. It implements [engine.Searcher].
//
// It is an alpha-beta search with iterative deepening, principal variation search, a transposition
// table (table.go), killer moves and history (order.go), and the evaluation of package eval. Nodes
// with a capture, which have few moves since captures are compulsory, and nodes with a threatened
// capture are always extended. There are late move reductions and reverse futility pruning (node.go).
// A position that has occurred before is a draw.
//
// It gives the same guarantees as the search of Xiangqi: it never searches more than Limits.Nodes
// nodes; a new Engine, and one after Forget, gives the same answer on every machine, unless
// Limits.Time is set; there is always an answer, and each of its lines has a score and is legal to
// the end; after ErrMoveNow it searches at least its first thousand nodes. The table is kept from search to search,
// so searching the expected reply is pondering. A score is a hundredth of a man.
package search

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"qhsh/engine"
	"qhsh/engine/budget"
	"qhsh/engine/checkers"
	"qhsh/engine/checkers/eval"
)

// Options configure an Engine.
type Options struct {
	Rules   checkers.Rules
	Hash    int           // size of the transposition table in MiB, 1 to 65536; 0: 16
	Weights *eval.Weights // nil: the tuned weights of the variant
}

const (
	// DefaultHash is the default size of the transposition table, in MiB.
	DefaultHash = 16
	// MaxHash is the maximum size of the transposition table, in MiB.
	MaxHash = 1 << 16
)

// An Engine is an engine.Searcher for one variant of checkers. It keeps its transposition table
// from search to search and runs one search at a time: Search and Forget wait for a running search
// to end.
type Engine struct {
	rules  checkers.Rules
	free   chan struct{} // holds a token while no search runs
	worker *worker
}

var (
	_ engine.Searcher  = (*Engine)(nil)
	_ engine.Leveler   = (*Engine)(nil)
	_ engine.Forgetter = (*Engine)(nil)
)

// New returns an engine. It returns an error if an option is invalid.
func New(o Options) (*Engine, error) {
	if o.Hash == 0 {
		o.Hash = DefaultHash
	}
	if o.Hash < 1 || o.Hash > MaxHash {
		return nil, fmt.Errorf("search: hash=%d: want 1 to %d MiB", o.Hash, MaxHash)
	}
	if o.Weights == nil {
		o.Weights = eval.For(o.Rules.Variant)
	}
	e := &Engine{rules: o.Rules, free: make(chan struct{}, 1), worker: &worker{table: newTable(o.Hash), weights: o.Weights}}
	e.free <- struct{}{}
	return e, nil
}

// Levels returns engine.NodeLevels.
func (e *Engine) Levels() []engine.Level { return engine.NodeLevels() }

// Forget clears the tables, so that the next search is that of a new engine.
func (e *Engine) Forget() {
	<-e.free
	defer e.release()
	e.worker.forget()
}

func (e *Engine) release() { e.free <- struct{}{} }

// Search searches a position of the engine's variant; other positions are an error. It yields the
// lines after each iteration.
func (e *Engine) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if err := e.search(ctx, pos, lim, yield); err != nil {
			yield(nil, fmt.Errorf("search: %w", err))
		}
	}
}

func (e *Engine) search(ctx context.Context, pos engine.Position, lim engine.Limits, yield func([]engine.Line, error) bool) error {
	root, ok := pos.(*checkers.Position)
	if !ok || root == nil {
		return engine.OtherGame(pos, e.rules)
	}
	if rules := root.Game().(checkers.Rules); rules != e.rules {
		return &engine.OtherGameError{Position: rules.Title(), Engine: e.rules.Title()}
	}
	lim, err := lim.AtLevel(e.Levels())
	if err != nil {
		return err
	}
	moves, err := rootMoves(root, lim.Ban)
	if err != nil {
		return err
	}
	if err := e.acquire(ctx); err != nil {
		return err
	}
	defer e.release()
	return e.worker.search(budget.New(ctx, lim), root, moves, lim, yield)
}

// acquire waits until no search is running.
func (e *Engine) acquire(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil && !errors.Is(err, engine.ErrMoveNow) {
		return err
	}
	select {
	case <-e.free:
		return nil
	default:
	}
	select {
	case <-e.free:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// rootMoves returns the legal moves that are not banned. It is an error if there are none.
func rootMoves(root *checkers.Position, ban []engine.Move) ([]checkers.Move, error) {
	if result := root.Result(); result.Over() {
		return nil, fmt.Errorf("%s: %w", result.Reason, engine.ErrNoMove)
	}
	board := root.Board()
	moves := slices.DeleteFunc(board.AppendMoves(nil), func(m checkers.Move) bool {
		return slices.Contains(ban, engine.Move(m))
	})
	if len(moves) == 0 {
		return nil, fmt.Errorf("every move is banned: %w", engine.ErrNoMove)
	}
	return moves, nil
}

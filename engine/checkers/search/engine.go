// Package search is an engine for the five variants of checkers that keeps the promises of
// [engine.Searcher].
//
// It is an alpha-beta search with iterative deepening, principal variation search, a transposition
// table (table.go), killers and a history (order.go), over the features of package eval. Captures
// are compulsory, so that a node with one has few moves: it is always searched to its end, and so is
// one that threatens to capture. Quiet moves late in the order are looked at less deep, and nodes far
// above the window are not looked at (node.go). A position that has occurred before is a draw.
//
// What a caller can rely on is what the package search of Xiangqi promises: never more than
// Limits.Nodes nodes; the same answer on every machine for a new Engine and after Forget, unless
// there is Limits.Time; always an answer, in which every line is legal to its end; at least the
// first thousand nodes after ErrMoveNow. Its table stays warm from one search to the next, so that a
// search of the reply that is expected is pondering. A score is a hundredth of a man.
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

// Options say how an Engine searches.
type Options struct {
	Rules   checkers.Rules
	Hash    int           // size of the transposition table in MiB, 1 to 65536; 0: 16
	Weights *eval.Weights // nil: those of the variant
}

const (
	// DefaultHash is the size of a transposition table that nobody has said a size for, in MiB.
	DefaultHash = 16
	// MaxHash is the largest size of a transposition table, in MiB.
	MaxHash = 1 << 16
)

// An Engine is an engine.Searcher for a variant of checkers with a memory. It runs one search at a
// time: a second Search waits for the first to end, and so does Forget.
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

// New makes an engine. The error names an option that makes no sense.
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

// Levels are engine.NodeLevels.
func (e *Engine) Levels() []engine.Level { return engine.NodeLevels() }

// Forget makes the engine answer as if it were new.
func (e *Engine) Forget() {
	<-e.free
	defer e.release()
	e.worker.forget()
}

func (e *Engine) release() { e.free <- struct{}{} }

// Search looks at a position of the engine's variant; one of another game is an error. It yields
// the list after every iteration.
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
		return fmt.Errorf("the position is of %s, and the engine plays %s", rules.Title(), e.rules.Title())
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

// acquire waits for the engine to be free.
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

// rootMoves are the legal moves that are not banned, at least one.
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

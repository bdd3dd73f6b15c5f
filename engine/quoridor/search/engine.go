// Package search is an engine for Quoridor that implements [engine.Searcher].
//
// It is an alpha-beta search with iterative deepening, principal variation search, a transposition
// table (tt.go), killers and a history (movepick.go), with an evaluation of the shortest path
// lengths and the walls left (evaluate.go). Most of some 130 moves are walls without effect, so
// below the root only walls across the opponent's shortest path or close to a pawn are searched
// (movepick.go); at the root all are, the others reduced. Once no wall is left the race is counted.
//
// The guarantees are those of Xiangqi's package search: never more
// than Limits.Nodes nodes; the same answer on every machine for a new Engine and after
// Forget, unless there is Limits.Time; always an answer, in which every line is legal to
// its end; at least the first thousand nodes after ErrMoveNow. A score is a hundredth of
// a step: cp 100 is one step ahead.
package search

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"qhsh/engine"
	"qhsh/engine/budget"
	"qhsh/engine/quoridor"
)

// Options configure an Engine.
type Options struct {
	Hash int // size of the transposition table in MiB, 1 to 65536; 0: 16
}

const (
	// DefaultHash is the default size of the transposition table in MiB.
	DefaultHash = 16
	// MaxHash is the largest size of a transposition table, in MiB.
	MaxHash = 1 << 16
)

// An Engine is an engine.Searcher for Quoridor that remembers earlier searches. It runs one search
// at a time: a second Search waits for the first to end, and so does Forget.
type Engine struct {
	free   chan struct{} // holds a token while no search runs
	worker *worker
}

var (
	_ engine.Searcher  = (*Engine)(nil)
	_ engine.Leveler   = (*Engine)(nil)
	_ engine.Forgetter = (*Engine)(nil)
)

// New returns an engine. The error names an invalid option.
func New(o Options) (*Engine, error) {
	if o.Hash == 0 {
		o.Hash = DefaultHash
	}
	if o.Hash < 1 || o.Hash > MaxHash {
		return nil, fmt.Errorf("search: hash=%d: want 1 to %d MiB", o.Hash, MaxHash)
	}
	e := &Engine{free: make(chan struct{}, 1), worker: &worker{table: newTable(o.Hash)}}
	e.free <- struct{}{}
	return e, nil
}

// Levels returns engine.NodeLevels.
func (e *Engine) Levels() []engine.Level { return engine.NodeLevels() }

// Forget makes the engine answer as if it were new.
func (e *Engine) Forget() {
	<-e.free
	defer e.release()
	e.worker.clear()
}

func (e *Engine) release() { e.free <- struct{}{} }

// Search searches a position of Quoridor; one of another game is an error. It yields the list of
// lines after every iteration.
func (e *Engine) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if err := e.search(ctx, pos, lim, yield); err != nil {
			yield(nil, fmt.Errorf("search: %w", err))
		}
	}
}

func (e *Engine) search(ctx context.Context, pos engine.Position, lim engine.Limits, yield func([]engine.Line, error) bool) error {
	root, ok := pos.(*quoridor.Position)
	if !ok || root == nil {
		return engine.OtherGame(pos, quoridor.Default)
	}
	lim, err := lim.AtLevel(e.Levels())
	if err != nil {
		return err
	}
	moves, err := allowedMoves(root, lim.Ban)
	if err != nil {
		return err
	}
	if err := e.acquire(ctx); err != nil {
		return err
	}
	defer e.release()
	return e.worker.run(budget.New(ctx, lim), root.Board(), moves, lim, yield)
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

// allowedMoves returns the legal moves that are not banned, at least one.
func allowedMoves(root *quoridor.Position, ban []engine.Move) ([]quoridor.Action, error) {
	if result := root.Result(); result.Over() {
		return nil, fmt.Errorf("%s: %w", result.Reason, engine.ErrNoMove)
	}
	board := root.Board()
	moves := slices.DeleteFunc(board.AppendMoves(nil), func(a quoridor.Action) bool {
		return slices.Contains(ban, engine.Move(a))
	})
	if len(moves) == 0 {
		return nil, fmt.Errorf("every move is banned: %w", engine.ErrNoMove)
	}
	return moves, nil
}

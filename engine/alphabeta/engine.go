// Package alphabeta is what the engines of several games share: an [Engine] that deepens iteratively
// at the root (root.go), the search of a node's moves (tree.go), a transposition table (table.go), scores
// (score.go), the order of moves (order.go) and the budget of nodes and time (budget.go). A game adds its
// [Nodes], which with a [Tree] make a [Worker].
//
// An Engine gives these guarantees, as does the search of Xiangqi: it never searches more than
// Limits.Nodes nodes; a new Engine, and one after Forget, gives the same answer on every machine,
// unless Limits.Time is set; there is always an answer, and each of its lines is legal to the end;
// after ErrMoveNow it searches at least its first thousand nodes. The table is kept from search to
// search, so searching the expected reply is pondering.
package alphabeta

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"qhsh/engine"
)

// A Worker is a game's part of a search. All methods but Check are called within a search or
// Forget, of which an Engine runs one at a time.
type Worker interface {
	// Check returns an error if the worker cannot search pos, such as a position of another game.
	Check(pos engine.Position) error
	// Begin prepares a search of pos. It returns moves as root moves, with Order, Reduction and
	// Score set. The worker takes a node from b for each move that it makes.
	Begin(b *Budget, pos engine.Position, moves []engine.Move) []RootMove
	// MakeMove makes a move at the root and reports whether the budget had a node left.
	MakeMove(m engine.Move) bool
	// Search returns the value of that move, for the side that made it. The value is invalid if the
	// budget has stopped.
	Search(depth, alpha, beta int) int
	// AppendPV appends the principal variation after that move to dst.
	AppendPV(dst []engine.Move) []engine.Move
	// Forget clears all that is remembered from search to search.
	Forget()
}

// An Engine is an engine.Searcher that searches with a Worker. It runs one search at a time: Search
// and Forget wait for a running search to end.
type Engine struct {
	worker   Worker
	maxDepth int // number of iterations
	running  Mutex
}

var (
	_ engine.Searcher  = (*Engine)(nil)
	_ engine.Leveler   = (*Engine)(nil)
	_ engine.Forgetter = (*Engine)(nil)
)

// NewEngine returns an engine that deepens up to maxDepth.
func NewEngine(w Worker, maxDepth int) *Engine { return &Engine{w, maxDepth, NewMutex()} }

// Levels returns engine.NodeLevels.
func (e *Engine) Levels() []engine.Level { return engine.NodeLevels() }

// Forget makes the engine answer as if it were new.
func (e *Engine) Forget() {
	e.running.Lock()
	defer e.running.Unlock()
	e.worker.Forget()
}

// Search searches a position of the engine's game; other positions are an error. It yields the
// lines after each iteration.
func (e *Engine) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if err := e.search(ctx, pos, lim, yield); err != nil {
			yield(nil, fmt.Errorf("search: %w", err))
		}
	}
}

func (e *Engine) search(ctx context.Context, pos engine.Position, lim engine.Limits, yield func([]engine.Line, error) bool) error {
	if err := e.worker.Check(pos); err != nil {
		return err
	}
	lim, err := lim.AtLevel(e.Levels())
	if err != nil {
		return err
	}
	moves, err := engine.AllowedMoves(pos, lim.Ban)
	if err != nil {
		return err
	}
	if err := e.running.LockContext(ctx); errors.Is(err, engine.ErrMoveNow) {
		yield(engine.UnsearchedLines(moves, lim.Lines), nil)
		return nil
	} else if err != nil {
		return err
	}
	defer e.running.Unlock()
	d := &deepening{worker: e.worker, budget: NewBudget(ctx, lim, pollEvery, pollEvery), lines: min(max(lim.Lines, 1), len(moves))}
	d.roots = d.worker.Begin(d.budget, pos, moves)
	last := e.maxDepth
	if lim.Depth > 0 {
		last = min(last, lim.Depth)
	}
	return d.run(last, yield)
}

// Package search is the embedded Xiangqi engine: an alpha-beta search that keeps the
// promises of [engine.Searcher].
//
// The core is principal variation search with iterative deepening, a transposition
// table (table.go) and a quiescence search of captures, evasions and first checks
// (quiesce.go). Each rule that cuts, shortens or lengthens a line, or orders the moves, is a
// field of [Options], so that a match can judge it.
//
// Rooms: engine.go is the public face; run.go is one search from its limits to its
// answer, threads.go the threads that help it; root.go one iteration at the root, where
// several lines are kept, and lines.go how the scores of those are found; node.go
// everything below. rules.go has the rules of the game that end it. forgo.go has the rules that cut a
// node before its moves are looked at (razoring, reverse futility, null move, probcut),
// prune.go those that skip or reduce a move, singular.go the one that extends it.
// order.go hands the moves out in stages, by what history.go remembers of them and by
// what exchange.go counts on one point; correction.go remembers where the evaluation
// was wrong. budget.go says when to stop; score.go what scores mean; rulenames.go what
// who tests the rules calls them. Some functions are called by what they do, where the
// field has a word: forgo is whole-node pruning, confirm the history bonus of a cutoff by
// the table, praise the one of the prior move when a node fails low, closeIn MTD(f). What a
// position is worth is for an [eval.Evaluator] to say, which Options can put in the place
// of the one in package eval.
//
// What a caller can rely on:
//
//   - A node is a position entered by a move or a null move. A search never enters
//     more than Limits.Nodes of them.
//   - With one thread, and with several where the nodes are so few that one searches alone
//     (Options.Threads), the same position, game history and limits without Time give
//     the same lines and nodes on every machine, for a new Engine and after Forget. Without Forget
//     an answer may profit from earlier searches.
//   - There is always an answer, whatever the budget: the last completed iteration,
//     corrected by what the broken one has found out so far. Where even the first
//     iteration is broken, moves without a score fill the list.
//   - The list has Limits.Lines lines, or one for every legal move that is not
//     banned if those are fewer. Every line is legal to its end.
//   - A context that ends with engine.ErrMoveNow, and Limits.Time, still allow the
//     first thousand nodes, about a millisecond, so that an answer is never blind.
//
// A position that has occurred before, in the game or in the line, counts as a
// draw, or as a win for the side that is checked or chased by every move of the cycle,
// by Options.Rules. So does one in which those rules end the game as a draw, because too
// long nothing was taken or nothing is left to attack with; but a game that was so ended
// before the search is played on. Who has no legal move has lost, in check or not.
//
// Nothing is allocated at a node.
package search

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// An Engine is an engine.Searcher for Xiangqi with a memory: what one search finds
// helps the next one, until Forget.
//
// It runs one search at a time. A second Search waits for the first to end, and so
// does Forget. A loop over a search must therefore not start another on the same
// Engine in its body; it would wait for itself.
type Engine struct {
	options Options
	levels  []engine.Level
	free    chan struct{} // holds a token while no search runs
	table   *table
	worker  *worker
	helpers []*worker
	visited atomic.Int64 // nodes of the latest search
}

var (
	_ engine.Searcher  = (*Engine)(nil)
	_ engine.Leveler   = (*Engine)(nil)
	_ engine.Forgetter = (*Engine)(nil)
)

// New makes an engine. The error names an option that makes no sense.
func New(o Options) (*Engine, error) {
	o, err := o.checked()
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	t := newTable(o.Hash)
	e := &Engine{
		options: o, levels: levelsOf(o), free: make(chan struct{}, 1),
		table: t, worker: newWorker(o, t),
	}
	e.resizeHelpers()
	e.free <- struct{}{}
	return e, nil
}

// Adjust gives the engine another size of its table in MiB and another number of threads,
// as Options.Hash and Options.Threads do. With a table of another size it answers as if it
// were new, and the old one's memory is the system's again before the new one is made; with
// other threads alone it keeps what it has found. It waits for a search that is running.
// The error names what makes no sense; nothing has changed then.
func (e *Engine) Adjust(hash, threads int) error {
	<-e.free
	defer e.release()
	o := e.options
	o.Hash, o.Threads = hash, threads
	o, err := o.checked()
	if err != nil {
		return fmt.Errorf("search: %w", err)
	}
	resized := o.Hash != e.options.Hash
	e.options = o
	if resized {
		e.replaceTable()
	}
	e.resizeHelpers()
	return nil
}

// Options are those that the engine searches by, defaults filled in.
func (e *Engine) Options() Options {
	<-e.free
	defer e.release()
	return e.options
}

// replaceTable makes the table anew, by the options, when the old one is gone.
func (e *Engine) replaceTable() {
	workers := append([]*worker{e.worker}, e.helpers...)
	e.table = nil
	for _, w := range workers {
		w.table = nil
	}
	debug.FreeOSMemory()
	e.table = newTable(e.options.Hash)
	for _, w := range workers {
		w.table = e.table
		w.clear()
	}
}

// levelsOf are the ten levels, each of the same budget if the options give one.
func levelsOf(o Options) []engine.Level {
	levels := engine.NodeLevels()
	if o.Nodes == 0 {
		return levels
	}
	for i := range levels {
		levels[i].Limits = engine.Limits{Nodes: o.Nodes}
		levels[i].Text = fmt.Sprintf("%d nodes a move at every level", o.Nodes)
	}
	return levels
}

// Levels are engine.NodeLevels, or the budget of Options.Nodes ten times.
func (e *Engine) Levels() []engine.Level { return slices.Clone(e.levels) }

// Forget makes the engine answer as if it were new. It takes no time, however
// large the table is. It waits for a search that is running.
func (e *Engine) Forget() {
	<-e.free
	defer e.release()
	e.table.clear()
	e.worker.clear()
	for _, w := range e.helpers {
		w.clear()
	}
}

// Visited is the number of nodes that the latest search has entered, the sum of what each
// of its threads has, those of an iteration that brought nothing new included.
func (e *Engine) Visited() int64 { return e.visited.Load() }

func (e *Engine) release() { e.free <- struct{}{} }

// Search looks at a position of Xiangqi; one of another game is an error. It
// yields the list after every iteration. Where nothing limits it, it goes on until
// there is nothing more to find: every line is a proven mate, or the depth is 64.
// Each loop over the result is a search of its own.
func (e *Engine) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if err := e.search(ctx, pos, lim, yield); err != nil {
			yield(nil, fmt.Errorf("search: %w", err))
		}
	}
}

// search yields everything but the error, which is nil if the receiver gave up.
func (e *Engine) search(ctx context.Context, pos engine.Position, lim engine.Limits, yield func([]engine.Line, error) bool) error {
	root, ok := pos.(*xiangqi.Position)
	if !ok || root == nil {
		return engine.OtherGame(pos, xiangqi.Rules)
	}
	lim, err := lim.AtLevel(e.levels)
	if err != nil {
		return err
	}
	moves, err := allowedMoves(root, lim.Ban)
	if err != nil {
		return err
	}
	if err := e.acquire(ctx); errors.Is(err, engine.ErrMoveNow) {
		yield(unsearchedLines(moves, lim.Lines), nil)
		return nil
	} else if err != nil {
		return err
	}
	defer e.release()
	b := newBudget(ctx, lim)
	defer func() { e.visited.Store(b.total()) }()
	if e.options.HashAge {
		e.table.newSearch()
	}
	if n := threadCount(e.options.Threads, lim.Nodes); n > 1 {
		defer startHelpers(e.helpers[:n-1], b, root, moves, lim)()
	}
	return e.worker.run(b, root, moves, lim, yield)
}

// acquire waits for the engine to be free. The error is the context's cause, if it
// ends before.
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

// allowedMoves are the legal moves that are not banned, at least one.
func allowedMoves(root *xiangqi.Position, ban []engine.Move) ([]xiangqi.Move, error) {
	if result := root.Result(); result.Over() {
		return nil, fmt.Errorf("%s: %w", result.Reason, engine.ErrNoMove)
	}
	legal := root.Moves()
	moves := make([]xiangqi.Move, 0, len(legal))
	for _, m := range legal {
		if !slices.Contains(ban, m) {
			moves = append(moves, xiangqi.Move(m))
		}
	}
	if len(moves) == 0 {
		return nil, fmt.Errorf("every move is banned: %w", engine.ErrNoMove)
	}
	return moves, nil
}

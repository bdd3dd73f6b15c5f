// Package search is the embedded Xiangqi engine: an alpha-beta search that implements
// [engine.Searcher].
//
// The core is principal variation search with iterative deepening, a transposition table (tt.go)
// and a quiescence search of captures, check evasions and first checks (qsearch.go). Each rule that
// prunes, reduces, extends or orders moves is a field of [Options], so that a match can measure it.
//
// Files: engine.go is the exported API; run.go runs one search from its limits to its answer,
// threads.go its helper threads, mirror.go makes a position and its mirror image one; root.go is
// one iteration at the root, multipv.go the search for several lines; search.go searches the nodes
// below. endrules.go has the rules that end a game. prunenode.go prunes whole nodes before their
// moves are searched (razoring, reverse futility, null move, ProbCut), prunemove.go skips and
// reduces moves, singular.go extends one. movepick.go returns the moves in stages, ordered by the
// histories of history.go and by the static exchange evaluation of see.go; correction.go is the
// correction history. budget.go decides when to stop; score.go defines the scores; rulenames.go the
// names of the rules of Options. An [eval.Evaluator] evaluates positions; Options can replace that
// of the network in the program.
//
// # Adding a rule
//
// A rule is a boolean field of Options and an if where it applies. Nothing else names it: by
// reflection DefaultOptions has it on, its name in lower case is an operand of on= and off=, and
// TestRulesMatter fails if it changes no search. So a match measures it:
//
//	qhsh match -sprt elo0=0,elo1=5 -nodes 5000 -order random -openings book.epd new=builtin old=builtin,off=NAME
//
// Its thresholds are fields of Margins, which are options too, and which "qhsh tune" tunes. The new
// signature of "qhsh bench" shows that the search has changed.
//
// # Guarantees
//
//   - A node is a position entered by a move or a null move. A search never enters
//     more than Limits.Nodes of them.
//   - With one thread, or with so few nodes that only one thread searches (see Options.Threads), the
//     same position, game history and limits without Time give the same lines and nodes on every
//     machine, for a new Engine and after Forget. Without Forget an answer may use results of earlier
//     searches. A position and its mirror image have the same, mirrored.
//   - There is always an answer, whatever the budget: the last completed iteration, updated with what
//     the interrupted one has found so far. If even the first iteration was interrupted, moves without
//     a score fill the list; the first line has at least the evaluation of the position.
//   - The list has Limits.Lines lines, or one for every legal move that is not
//     banned if those are fewer. Every line is legal to its end.
//   - A context that ends with engine.ErrMoveNow, and Limits.Time, still allow the
//     first thousand nodes, about a millisecond, so that there is always a searched answer.
//
// A repeated position, in the game or in the line, is scored by Options.Rules: a draw, or a win for
// the side that is checked or chased by every move of the cycle. A position that those rules
// declare drawn (no capture for too long, no attackers left) scores as a draw, unless that rule had
// already ended the game at the root. A side without a legal move has lost, in check or not.
//
// Searching a node does not allocate.
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
	"qhsh/engine/alphabeta"
	"qhsh/engine/xiangqi"
)

// An Engine is an engine.Searcher for Xiangqi. What one search finds helps the next one, until
// Forget.
//
// It runs one search at a time. A second Search waits for the first to end, and so does Forget. The
// body of a loop over a search must therefore not start another on the same Engine: it would wait
// forever.
type Engine struct {
	options Options
	levels  []engine.Level
	running alphabeta.Mutex
	table   *table
	worker  *worker
	helpers []*worker
	image   bool         // the root of the last search is the mirror image of its position; see leans
	visited atomic.Int64 // nodes of the last search
}

var (
	_ engine.Searcher  = (*Engine)(nil)
	_ engine.Leveler   = (*Engine)(nil)
	_ engine.Forgetter = (*Engine)(nil)
	_ engine.Narrator  = (*Engine)(nil)
	_ engine.Evaluator = (*Engine)(nil)
)

// New returns an engine. The error names an invalid option.
func New(o Options) (*Engine, error) {
	o, err := o.checked()
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	t := newTable(o.Hash)
	e := &Engine{
		options: o, levels: levelsOf(o), running: alphabeta.NewMutex(),
		table: t, worker: newWorker(o, t),
	}
	e.resizeHelpers()
	return e, nil
}

// Adjust changes the size of the transposition table in MiB, the number of threads and the rules for
// repetitions; see Options. A change of the size or the rules clears everything the engine remembers, and
// the old table's memory is returned to the system before a new one is allocated; changing only the
// threads keeps it. Adjust waits for a running search. If the error is not nil, nothing has changed.
func (e *Engine) Adjust(hash, threads int, rules xiangqi.RuleSet) error {
	e.running.Lock()
	defer e.running.Unlock()
	o := e.options
	o.Hash, o.Threads, o.Rules = hash, threads, rules
	o, err := o.checked()
	if err != nil {
		return fmt.Errorf("search: %w", err)
	}
	resized, ruled := o.Hash != e.options.Hash, o.Rules != e.options.Rules
	e.options = o
	if resized {
		e.replaceTable()
	}
	e.resizeHelpers()
	for _, w := range e.workers() {
		w.options.Rules = o.Rules
	}
	if ruled {
		e.clear()
	}
	return nil
}

// Options returns the engine's options with the defaults filled in.
func (e *Engine) Options() Options {
	e.running.Lock()
	defer e.running.Unlock()
	return e.options
}

// workers returns the worker and the helpers.
func (e *Engine) workers() []*worker { return append([]*worker{e.worker}, e.helpers...) }

// replaceTable allocates a table of the size in the options after releasing the old one.
func (e *Engine) replaceTable() {
	e.table = nil
	for _, w := range e.workers() {
		w.table = nil
	}
	debug.FreeOSMemory()
	e.table = newTable(e.options.Hash)
	for _, w := range e.workers() {
		w.table = e.table
		w.clear()
	}
}

// levelElo are the Elo of the levels against each other with the network g4, in matches from the openings of real
// games; level 1 is 1000 by definition. The errors are in qhsh help levels, which also says how to measure.
var levelElo = [10]int{1000, 1317, 1787, 2331, 2780, 3180, 3436, 3703, 3869, 3939}

// levelsOf returns the ten levels; if o.Nodes is set, each has that budget.
func levelsOf(o Options) []engine.Level {
	levels := engine.NodeLevels()
	for i := range levels {
		if o.Nodes > 0 {
			levels[i].Limits = engine.Limits{Nodes: o.Nodes}
			levels[i].Text = fmt.Sprintf("%d nodes a move at every level", o.Nodes)
		} else {
			levels[i].Elo = levelElo[i]
		}
	}
	return levels
}

// Levels returns engine.NodeLevels, or ten levels with the budget of Options.Nodes.
func (e *Engine) Levels() []engine.Level { return slices.Clone(e.levels) }

// Forget makes the engine answer as if it were new. It takes constant time, whatever the size of
// the table. It waits for a running search.
func (e *Engine) Forget() {
	e.running.Lock()
	defer e.running.Unlock()
	e.clear()
}

func (e *Engine) clear() {
	e.table.clear()
	for _, w := range e.workers() {
		w.clear()
	}
}

// Narrate makes searches tell their progress; see engine.Narrator. It also holds for a running search.
func (e *Engine) Narrate(from int64, tell func(engine.Progress)) {
	e.worker.listener.Store(&listener{from, func(p engine.Progress) {
		if e.image {
			mirror(p.Bound.Moves)
			if p.Number > 0 {
				p.Move = engine.Move(xiangqi.Move(p.Move).Mirrored())
			}
		}
		tell(p)
	}})
}

// Evaluate returns the static evaluation of a position. It waits for a running search.
func (e *Engine) Evaluate(pos engine.Position) (engine.Score, error) {
	root, ok := pos.(*xiangqi.Position)
	if !ok || root == nil {
		return engine.Score{}, engine.OtherGame(pos, xiangqi.Rules)
	}
	if root.InCheck() {
		return engine.Score{}, nil
	}
	if leans(root) {
		root = root.Mirrored()
	}
	e.running.Lock()
	defer e.running.Unlock()
	e.worker.evaluator.Reset(root.Board())
	return engineScore(e.worker.staticEval()), nil
}

// Details returns the plies of the longest line of the current iteration, and how much of the table is in use.
// Only who gets the lines of a search may call it.
func (e *Engine) Details() engine.Details {
	return engine.Details{SelDepth: e.worker.selDepth, HashFull: e.table.full()}
}

// Visited returns the number of nodes that the last search entered in all its threads, including
// those of an iteration that changed nothing.
func (e *Engine) Visited() int64 { return e.visited.Load() }

// Search searches a position of Xiangqi; a position of another game is an error. It yields the list
// of lines after every iteration. Without limits it continues until every line is a proven mate, or
// to depth 64. Each loop over the result is a new search.
func (e *Engine) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if err := e.search(ctx, pos, lim, yield); err != nil {
			yield(nil, fmt.Errorf("search: %w", err))
		}
	}
}

// search yields everything except the error. It returns nil if the receiver stopped the loop.
func (e *Engine) search(ctx context.Context, pos engine.Position, lim engine.Limits, yield func([]engine.Line, error) bool) error {
	root, ok := pos.(*xiangqi.Position)
	if !ok || root == nil {
		return engine.OtherGame(pos, xiangqi.Rules)
	}
	lim, err := lim.AtLevel(e.levels)
	if err != nil {
		return err
	}
	image := leans(root)
	if image {
		root, lim.Ban, yield = root.Mirrored(), slices.Clone(lim.Ban), mirrored(yield)
		mirror(lim.Ban)
	}
	moves, err := engine.AllowedMoves(root, lim.Ban)
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
	e.image = image
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

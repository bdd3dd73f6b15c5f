package attach

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/bench"
)

// A DirectSearcher is a Session that calls an engine in this process directly for searches.
type DirectSearcher interface {
	// Threads returns the number of search threads.
	Threads() int
}

// DirectThreads returns the number of search threads of s; ok is false if s is not a
// [DirectSearcher].
func DirectThreads(s pluginclient.Session) (threads int, ok bool) {
	if d, is := pluginclient.As[DirectSearcher](s); is {
		return d.Threads(), true
	}
	return 0, false
}

// UseHighestLevel sets the highest level of an engine whose level applies to every search, so that
// only the time limit bounds its searches. For other engines it is a no-op.
func UseHighestLevel(ctx context.Context, s pluginclient.Session) error {
	levels := s.Info().Levels
	if !pluginclient.BoundsOf(s).Always || len(levels) == 0 {
		return nil
	}
	return s.SetLevel(ctx, levels[len(levels)-1].ID)
}

func visited(s engine.Searcher) int64 {
	if v, ok := engine.As[bench.Visitor](s); ok {
		return v.Visited()
	}
	return 0
}

var _ pluginclient.Ponderer = (*engineSession)(nil)

// An engineSession is the part of a Session that calls an embedded engine directly.
type engineSession struct {
	engine   engineInstance
	searcher leveledSearcher
	games    games.Table
	level    atomic.Int64
	levelSet atomic.Bool // SetLevel was called
	latest   atomic.Pointer[searchLines]
}

// A searchLines holds the latest lines of a search.
type searchLines struct {
	pos   engine.Position
	lines []engine.Line
}

func newEngineSession(e engineInstance, t games.Table) *engineSession {
	a := &engineSession{engine: e, searcher: engine.WithLevels(e.searcher), games: t}
	a.level.Store(int64(defaultLevel(a.searcher.Levels())))
	return a
}

// defaultLevel returns the default level, or the weakest level if the engine does not have that.
func defaultLevel(levels []engine.Level) int {
	if len(levels) > 0 && engine.CheckLevel(levels, engine.DefaultLevel) != nil {
		return levels[0].ID
	}
	return engine.DefaultLevel
}

// Level returns the level of searches without limits.
func (a *engineSession) Level() (id int, known bool) { return int(a.level.Load()), true }

// SetLevel sets the level of searches without limits.
func (a *engineSession) SetLevel(_ context.Context, id int) error {
	if err := engine.CheckLevel(a.searcher.Levels(), id); err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrRefused, err)
	}
	a.level.Store(int64(id))
	a.levelSet.Store(true)
	return nil
}

// Bounds returns the level, which also applies to searches with a time limit if SetLevel set it, or
// the node limit of the SPEC.
func (a *engineSession) Bounds() pluginclient.Bounds {
	level, _ := a.Level()
	return a.engine.bounds(pluginclient.Bounds{Level: level, Known: true, Chosen: a.levelSet.Load()})
}

// limits returns lim combined with the Bounds.
func (a *engineSession) limits(lim engine.Limits) engine.Limits {
	lim, _ = a.Bounds().Limits(lim)
	return lim
}

// Search calls the engine.
func (a *engineSession) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return a.searcher.Search(ctx, pos, a.limits(lim))
}

// Ponder calls the engine on its opponent's time.
func (a *engineSession) Ponder(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	return pluginclient.Ponder(ctx, a.searcher, pos, a.limits(lim), hit)
}

// storeLines stores the engine's latest lines.
func (a *engineSession) storeLines(pos engine.Position, lines []engine.Line) {
	a.latest.Store(&searchLines{pos, lines})
}

// linesFor returns the lines if they are for pos, or nil.
func (t *searchLines) linesFor(pos engine.Position) []engine.Line {
	if t == nil || t.pos.Key() != pos.Key() {
		return nil
	}
	return t.lines
}

// Forget clears what the engine remembers of earlier searches.
func (a *engineSession) Forget() { engine.Forget(a.searcher) }

// Visited returns the number of nodes of the latest search.
func (a *engineSession) Visited() int64 { return visited(a.searcher) }

// Perft counts the legal move sequences on one thread.
func (a *engineSession) Perft(ctx context.Context, pos engine.Position, depth int) (int64, error) {
	return a.engine.perft(ctx, a.games, pos, depth)
}

func (e engineInstance) perft(ctx context.Context, t games.Table, pos engine.Position, depth int) (int64, error) {
	if pos.Game().Name() != e.game.Name() {
		return 0, engine.OtherGame(pos, e.game)
	}
	return t.Perft(ctx, pos, depth)
}

// Threads returns the number of search threads.
func (a *engineSession) Threads() int { return a.engine.Threads }

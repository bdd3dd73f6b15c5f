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

// A DirectSearcher is a Session whose searches go straight to an engine in this process.
type DirectSearcher interface {
	// Threads is on how many threads the engine searches.
	Threads() int
}

// DirectThreads reports whether a Session is a [DirectSearcher], and on how many threads it searches.
func DirectThreads(s pluginclient.Session) (threads int, ok bool) {
	if d, is := pluginclient.As[DirectSearcher](s); is {
		return d.Threads(), true
	}
	return 0, false
}

// UseHighestLevel returns an error if s, whose searches have a limit on time, cannot be made to play as
// well as the time lets it: an engine whose level always holds has to be at its highest.
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

// asked is the part of a Session that asks an embedded engine directly.
type asked struct {
	engine   ownEngine
	searcher leveledSearcher
	games    games.Table
	level    atomic.Int64
	chosen   atomic.Bool // the level has been set
	latest   atomic.Pointer[thought]
}

// thought is a list that an engine has come to.
type thought struct {
	pos   engine.Position
	lines []engine.Line
}

func newAsked(e ownEngine, t games.Table) *asked {
	a := &asked{engine: e, searcher: engine.WithLevels(e.searcher), games: t}
	a.level.Store(int64(usualLevel(a.searcher.Levels())))
	return a
}

// usualLevel is the default level, or the weakest of an engine that has it not.
func usualLevel(levels []engine.Level) int {
	if len(levels) > 0 && announced(engine.DefaultLevel, levels) != nil {
		return levels[0].ID
	}
	return engine.DefaultLevel
}

// Level is that of searches that have no limits of their own.
func (a *asked) Level() (id int, known bool) { return int(a.level.Load()), true }

// SetLevel sets it.
func (a *asked) SetLevel(_ context.Context, id int) error {
	if err := announced(id, a.searcher.Levels()); err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrRefused, err)
	}
	a.level.Store(int64(id))
	a.chosen.Store(true)
	return nil
}

// Bounds are the level's, which holds beside a limit on time where it has been set, or the nodes of
// the SPEC.
func (a *asked) Bounds() pluginclient.Bounds {
	level, _ := a.Level()
	return a.engine.bounds(pluginclient.Bounds{Level: level, Known: true, Chosen: a.chosen.Load()})
}

// limits are limits within the Bounds.
func (a *asked) limits(lim engine.Limits) engine.Limits {
	lim, _ = a.Bounds().Limits(lim)
	return lim
}

// Search is the engine's.
func (a *asked) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return a.searcher.Search(ctx, pos, a.limits(lim))
}

// note remembers what the engine thinks of the conversation's position.
func (a *asked) note(pos engine.Position, lines []engine.Line) { a.latest.Store(&thought{pos, lines}) }

// of is the latest list that the engine has come to while it thought about a position, best
// line first; none if it has not.
func (t *thought) of(pos engine.Position) []engine.Line {
	if t == nil || t.pos.Key() != pos.Key() {
		return nil
	}
	return t.lines
}

// Forget makes the engine answer as if new.
func (a *asked) Forget() { engine.Forget(a.searcher) }

// Visited is what the latest search has cost.
func (a *asked) Visited() int64 { return visited(a.searcher) }

// Perft counts the sequences of legal moves on one thread.
func (a *asked) Perft(ctx context.Context, pos engine.Position, depth int) (int64, error) {
	return a.engine.perft(ctx, a.games, pos, depth)
}

func (e ownEngine) perft(ctx context.Context, t games.Table, pos engine.Position, depth int) (int64, error) {
	if pos.Game().Name() != e.game.Name() {
		return 0, engine.OtherGame(pos, e.game)
	}
	return t.Perft(ctx, pos, depth)
}

// Threads is on how many threads the engine searches.
func (a *asked) Threads() int { return a.engine.Threads }

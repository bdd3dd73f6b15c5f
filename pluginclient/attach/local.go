package attach

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/bench"
)

// A local is the Session of a Searcher of this process: the conversation is another Session, such as a
// client of a server on an in-memory pipe, and searches call the Searcher directly.
type local struct {
	pluginclient.Session // the conversation
	searcher             engine.Searcher
	latest               *latestLines
	fixed                engine.Limits // of every search, instead of a level
	usual                int           // the level before SetLevel
	levelSet             atomic.Bool   // SetLevel was called
}

var (
	_ pluginclient.Bounded           = (*local)(nil)
	_ pluginclient.Ponderer          = (*local)(nil)
	_ pluginclient.BackgroundThinker = (*local)(nil)
	_ pluginclient.LiveThinker       = (*local)(nil)
)

func newLocal(conversation pluginclient.Session, s engine.Searcher, latest *latestLines) *local {
	l := &local{Session: conversation, searcher: s, latest: latest}
	l.usual, _ = l.Level()
	return l
}

func (l *local) Unwrap() engine.Searcher { return l.Session }

func (l *local) SetLevel(ctx context.Context, id int) error {
	err := l.Session.SetLevel(ctx, id)
	if err == nil {
		l.levelSet.Store(true)
	}
	return err
}

// Bounds returns the level, which also applies to searches with a time limit if the user has set it,
// by SetLevel or by a line of the conversation; or the fixed limits.
func (l *local) Bounds() pluginclient.Bounds {
	level, known := l.Level()
	return pluginclient.Bounds{Level: level, Known: known, Chosen: l.levelSet.Load() || level != l.usual, Fixed: l.fixed}
}

// Search calls the Searcher, within the Bounds, when background thinking has ended.
func (l *local) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	lim, _ = l.Bounds().Limits(lim)
	return l.afterBackground(ctx, l.searcher.Search(ctx, pos, lim))
}

// Ponder is Search on the opponent's time.
func (l *local) Ponder(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	lim, _ = l.Bounds().Limits(lim)
	return l.afterBackground(ctx, pluginclient.Ponder(ctx, l.searcher, pos, lim, hit))
}

func (l *local) afterBackground(ctx context.Context, search iter.Seq2[[]engine.Line, error]) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if err := l.endBackground(ctx); err != nil {
			yield(nil, err)
			return
		}
		search(yield)
	}
}

// endBackground ends background thinking, by sending any command.
func (l *local) endBackground(ctx context.Context) error {
	if !l.BGThink() {
		return nil
	}
	_, err := l.Session.(*qhplugin.Client).AskLevel(ctx)
	return err
}

func (l *local) BGThink() bool {
	b, ok := pluginclient.As[pluginclient.BackgroundThinker](l.Session)
	return ok && b.BGThink()
}

// SetBGThink turns background thinking off. It cannot be turned on for searches, which go past the
// server that does it, and ponder instead.
func (l *local) SetBGThink(ctx context.Context, on bool) error {
	switch {
	case on:
		return errors.New("searches ponder without BGTHINK")
	case !l.BGThink():
		return nil
	}
	return l.Session.(*qhplugin.Client).SetBGThink(ctx, false)
}

func (l *local) LatestLines() []engine.Line {
	if found := l.latest.Load(); found != nil && found.pos.Key() == l.Position().Key() {
		return found.lines
	}
	return nil
}

func (l *local) Forget() { engine.Forget(l.searcher) }

// latestLines are the latest lines of the conversation's searches.
type latestLines struct{ atomic.Pointer[searchLines] }

type searchLines struct {
	pos   engine.Position
	lines []engine.Line
}

func (l *latestLines) watch(pos engine.Position, lines []engine.Line) {
	l.Store(&searchLines{pos, lines})
}

// A levelSetter has the level of a conversation whose protocol has none.
type levelSetter struct {
	levels []engine.Level
	fixed  engine.Limits // instead of the level
	id     atomic.Int64
}

func newLevelSetter(e engineInstance) *levelSetter {
	l := &levelSetter{levels: e.searcher.Levels(), fixed: e.fixed()}
	l.id.Store(int64(engine.StartLevel(l.levels, engine.DefaultLevel)))
	return l
}

// Level returns the level; known is false if it is the engine's own.
func (l *levelSetter) Level() (id int, known bool) {
	n := l.id.Load()
	return int(n), n != 0
}

func (l *levelSetter) SetLevel(_ context.Context, id int) error {
	if err := engine.CheckLevel(l.levels, id); err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrRefused, err)
	}
	l.id.Store(int64(id))
	return nil
}

func (l *levelSetter) limits() engine.Limits {
	if l.fixed.Kinds() != 0 {
		return l.fixed
	}
	return engine.Limits{Level: int(l.id.Load())}
}

// An embeddedSession is the local of an embedded engine.
type embeddedSession struct {
	*local
	engine engineInstance
	games  games.Table
}

var (
	_ bench.Counter = (*embeddedSession)(nil)
	_ bench.Visitor = (*embeddedSession)(nil)
)

// DirectThreads returns the number of search threads of an engine in this process that is called directly
// for searches; ok is false for others.
func DirectThreads(s pluginclient.Session) (threads int, ok bool) {
	if e, is := pluginclient.As[*embeddedSession](s); is {
		return e.engine.Threads, true
	}
	return 0, false
}

func (s *embeddedSession) Visited() int64 {
	if v, ok := engine.As[bench.Visitor](s.engine.searcher); ok {
		return v.Visited()
	}
	return 0
}

// Perft counts the sequences of legal moves on one thread.
func (s *embeddedSession) Perft(ctx context.Context, pos engine.Position, depth int) (int64, error) {
	if pos.Game().Name() != s.engine.game.Name() {
		return 0, engine.OtherGame(pos, s.engine.game)
	}
	return s.games.Perft(ctx, pos, depth)
}

func (s *embeddedSession) Close() error {
	defer s.engine.release()
	return s.local.Close()
}

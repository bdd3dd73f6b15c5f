package match

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
)

// A thinkFunc is the search of a fake engine.
type thinkFunc func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error)

// A fake is a Session whose searches call a function.
type fake struct {
	pluginclient.Session // nil: a match calls no other methods
	engines              *fakeEngines
	think                thinkFunc
	trace                *pluginclient.Trace
	forgotten            bool
	closed               bool
}

func (f *fake) Forget()                    { f.forgotten = true }
func (f *fake) Trace() *pluginclient.Trace { return f.trace }
func (f *fake) Idle(context.Context) error { return f.engines.lost }

func (f *fake) Close() error {
	f.engines.mu.Lock()
	defer f.engines.mu.Unlock()
	if !f.closed {
		f.closed = true
		f.engines.open--
	}
	return nil
}

func (f *fake) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if f.closed {
			yield(nil, errors.New("search on a closed engine"))
			return
		}
		yield(f.think(ctx, pos, lim))
	}
}

// fakeEngines opens fakes and counts them.
type fakeEngines struct {
	mu           sync.Mutex
	open, opened int
	most         int   // maximum of open
	lost         error // how an engine that was told to stop ends
}

// player returns a player whose engine searches with think.
func (s *fakeEngines) player(name string, think thinkFunc) Player {
	return Player{Name: name, Spec: name, Open: func(context.Context) (pluginclient.Session, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open++
		s.opened++
		s.most = max(s.most, s.open)
		trace := pluginclient.NewTrace(name, nil)
		trace.Add(pluginclient.Sent, "AI")
		return &fake{engines: s, think: think, trace: trace}, nil
	}}
}

func (s *fakeEngines) allClosed(t *testing.T) {
	t.Helper()
	if s.open != 0 {
		t.Errorf("%d of %d engines are still open", s.open, s.opened)
	}
}

// rank searches with an enginetest.Ranker.
func rank(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	return engine.Best(ctx, enginetest.Ranker{}, pos, lim)
}

// failing returns an error at the positions for which at returns true.
func failing(at func(pos engine.Position) bool, err error) thinkFunc {
	return func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
		if at(pos) {
			return nil, &pluginclient.Error{Engine: "fake", Err: err}
		}
		return rank(ctx, pos, lim)
	}
}

func always(engine.Position) bool { return true }

// stonesConfig returns a match of the test game, which has chance and double moves.
func stonesConfig(players ...Player) *Config {
	return &Config{
		Game: enginetest.Stones, Players: players, Tournament: RoundRobin, Order: Sequential,
		Games: 2, Rounds: 1, Repeat: true, Seed: 1, Margin: time.Second,
	}
}

// A collector is an Output that keeps the records, without dates and times.
type collector struct{ records []Record }

func (c *collector) Write(r Record) error {
	c.records = append(c.records, withoutTimes(r))
	return nil
}

func withoutTimes(r Record) Record {
	r.Date, r.Seconds, r.Moves = "", 0, slices.Clone(r.Moves)
	for i := range r.Moves {
		r.Moves[i].Seconds = 0
	}
	return r
}

func (c *collector) numbers() (games []int) {
	for _, r := range c.records {
		games = append(games, r.Game)
	}
	return games
}

func (c *collector) results() (results []string) {
	for _, r := range c.records {
		results = append(results, fmt.Sprintf("%s %s", r.Result, r.Reason))
	}
	return results
}

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

// moveFunc is how a fake engine thinks.
type moveFunc func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error)

// fake is a Session over a function.
type fake struct {
	pluginclient.Session // nil: what a match does not use
	stable               *stable
	think                moveFunc
	trace                *pluginclient.Trace
	forgotten            bool
	closed               bool
}

func (f *fake) Forget()                    { f.forgotten = true }
func (f *fake) Trace() *pluginclient.Trace { return f.trace }

func (f *fake) Close() error {
	f.stable.mu.Lock()
	defer f.stable.mu.Unlock()
	if !f.closed {
		f.closed = true
		f.stable.open--
	}
	return nil
}

func (f *fake) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if f.closed {
			yield(nil, errors.New("a closed engine is asked"))
			return
		}
		yield(f.think(ctx, pos, lim))
	}
}

// stable opens fakes and counts them.
type stable struct {
	mu           sync.Mutex
	open, opened int
	most         int // the most that were open at the same time
}

// player plays by think.
func (s *stable) player(name string, think moveFunc) Player {
	return Player{Name: name, Spec: name, Open: func(context.Context) (pluginclient.Session, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open++
		s.opened++
		s.most = max(s.most, s.open)
		trace := pluginclient.NewTrace(name, nil)
		trace.Add(pluginclient.Sent, "AI")
		return &fake{stable: s, think: think, trace: trace}, nil
	}}
}

func (s *stable) allClosed(t *testing.T) {
	t.Helper()
	if s.open != 0 {
		t.Errorf("%d of %d engines are still open", s.open, s.opened)
	}
}

// rank answers at once, by the position alone.
func rank(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	return engine.Best(ctx, enginetest.Ranker{}, pos, lim)
}

// failing fails where at tells.
func failing(at func(pos engine.Position) bool, err error) moveFunc {
	return func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
		if at(pos) {
			return nil, &pluginclient.Error{Engine: "fake", Err: err}
		}
		return rank(ctx, pos, lim)
	}
}

func always(engine.Position) bool { return true }

// stonesTerms are of a match of the test game, which has chance and double moves.
func stonesTerms(players ...Player) *Config {
	return &Config{
		Game: enginetest.Stones, Players: players, Tournament: RoundRobin, Order: Sequential,
		Games: 2, Rounds: 1, Repeat: true, Seed: 1, Margin: time.Second,
	}
}

// collect is an Output that keeps the records, without what differs from run to run.
type collect struct{ records []Record }

func (c *collect) Write(r Record) error {
	c.records = append(c.records, timeless(r))
	return nil
}

func timeless(r Record) Record {
	r.Date, r.Seconds, r.Moves = "", 0, slices.Clone(r.Moves)
	for i := range r.Moves {
		r.Moves[i].Seconds = 0
	}
	return r
}

func (c *collect) numbers() (games []int) {
	for _, r := range c.records {
		games = append(games, r.Game)
	}
	return games
}

func (c *collect) results() (results []string) {
	for _, r := range c.records {
		results = append(results, fmt.Sprintf("%s %s", r.Result, r.Reason))
	}
	return results
}

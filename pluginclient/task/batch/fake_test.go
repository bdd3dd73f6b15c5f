package batch

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
)

type searchFunc func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error)

// fake is a Session over a Searcher that records its use.
type fake struct {
	pluginclient.Session // nil: the methods that a batch does not use
	search               searchFunc
	farm                 *farm
}

func (f *fake) Info() pluginclient.Info { return pluginclient.Info{Name: "fake"} }
func (f *fake) Level() (int, bool)      { return 3, true }
func (f *fake) Forget()                 { f.farm.note(func() { f.farm.forgotten++ }) }

func (f *fake) Restart(context.Context) error {
	f.farm.note(func() { f.farm.restarted++ })
	return nil
}

func (f *fake) Close() error {
	f.farm.note(func() { f.farm.open-- })
	return nil
}

func (f *fake) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) { yield(f.search(ctx, pos, lim)) }
}

// farm opens fakes.
type farm struct {
	search searchFunc

	mu                                 sync.Mutex
	opened, open, forgotten, restarted int
}

func (f *farm) note(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *farm) Open(context.Context) (pluginclient.Session, error) {
	f.note(func() { f.opened++; f.open++ })
	return &fake{search: f.search, farm: f}, nil
}

// allClosed fails the test if a session is still open.
func (f *farm) allClosed(t *testing.T) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open != 0 {
		t.Errorf("%d of %d sessions are still open", f.open, f.opened)
	}
}

// rank answers immediately.
func rank(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	return engine.Best(ctx, enginetest.Ranker{}, pos, lim)
}

// firstMove answers with the first legal move.
func firstMove(_ context.Context, pos engine.Position, _ engine.Limits) ([]engine.Line, error) {
	return []engine.Line{{Moves: pos.Moves()[:1], Score: engine.Centipawns(7)}}, nil
}

// slowly is rank with a delay that depends on the position, and stops with the context.
func slowly(delay func(pos engine.Position) time.Duration) searchFunc {
	return func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
		select {
		case <-time.After(delay(pos)):
			return rank(ctx, pos, lim)
		case <-ctx.Done():
			return nil, fmt.Errorf("fake: %w", context.Cause(ctx))
		}
	}
}

// runPool runs positions through a Pool.
func runPool(ctx context.Context, src Source, sink Sink, p PoolOptions, o Options) (Tally, error) {
	pool, err := NewPool(ctx, p)
	if err != nil {
		return Tally{}, err
	}
	defer pool.Close()
	return Run(ctx, src, sink, pool, o)
}

// stones returns a Source of lines in the test game.
func stones(text string) Source { return NewLines(enginetest.Stones, "", strings.NewReader(text)) }

// piles returns n lines, each with a different position that has moves.
func piles(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d %s 2\n", i+1, []string{"first", "second"}[i%2])
	}
	return b.String()
}

// collect is a Sink that keeps the answers.
type collect struct{ answers []Answer }

func (c *collect) Write(a Answer) error {
	c.answers = append(c.answers, a)
	return nil
}

// lines returns the numbers of the answers' lines, failures as negative numbers.
func (c *collect) lines() []int {
	var lines []int
	for _, a := range c.answers {
		if a.Err != nil {
			lines = append(lines, -a.Line)
			continue
		}
		lines = append(lines, a.Line)
	}
	return lines
}

func upTo(n int) []int {
	var lines []int
	for i := range n {
		lines = append(lines, i+1)
	}
	return lines
}

func wantLines(t *testing.T, sink *collect, want []int) {
	t.Helper()
	if got := sink.lines(); !slices.Equal(got, want) {
		t.Errorf("answered lines %v, want %v", got, want)
	}
}

// sourceFunc is a function as a Source.
type sourceFunc func() (Item, error)

func (f sourceFunc) Next() (Item, error) { return f() }

// sinkFunc is a function as a Sink.
type sinkFunc func(Answer) error

func (f sinkFunc) Write(a Answer) error { return f(a) }

var errBroken = errors.New("broken")

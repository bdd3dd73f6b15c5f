package batch

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"qhsh/pluginclient"
)

// renamed is a session that reports another name.
type renamed struct {
	pluginclient.Session
	name string
}

func (r renamed) Info() pluginclient.Info { return pluginclient.Info{Name: r.name} }

// TestOtherEngine: an engine that reports another name than the first is opened again, and is not
// used if it still does.
func TestOtherEngine(t *testing.T) {
	for _, c := range []struct {
		name  string
		names []string // of the engines in the order in which they are opened; the last name is that of all others
		lost  bool     // it cannot be opened
	}{
		{"once", []string{"fake", "other", "fake"}, false},
		{"always", []string{"fake", "other"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			farm := &farm{search: rank}
			opened := 0
			pool, err := NewPool(t.Context(), PoolOptions{
				Jobs: 2,
				Open: func(ctx context.Context) (pluginclient.Session, error) {
					s, err := farm.Open(ctx)
					s = renamed{s, c.names[min(opened, len(c.names)-1)]}
					opened++
					return s, err
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			first, err := pool.acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			second, err := pool.acquire(t.Context())
			if (err != nil) != c.lost || err != nil && !strings.Contains(err.Error(), `"other"`) {
				t.Errorf("error %v", err)
			}
			if err == nil && second.Info().Name != "fake" {
				t.Errorf("%q is used", second.Info().Name)
			}
			for _, s := range []*slot{first, second} {
				if s.Session != nil {
					_ = s.Close()
				}
			}
			farm.allClosed(t)
		})
	}
}

// TestDiesAtTheStart: the first engine gets a second attempt, like all others.
func TestDiesAtTheStart(t *testing.T) {
	farm := &farm{search: rank}
	tries := 0
	pool, err := NewPool(t.Context(), PoolOptions{Open: func(ctx context.Context) (pluginclient.Session, error) {
		if tries++; tries == 1 {
			return nil, fmt.Errorf("%w: %w", pluginclient.ErrStart, pluginclient.ErrDied)
		}
		return farm.Open(ctx)
	}})
	if err != nil {
		t.Fatal(err)
	}
	_ = pool.Close()
	farm.allClosed(t)
}

// TestInterruptedAtTheEnd: a run that is cancelled after it has written everything is complete.
func TestInterruptedAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		farm := &farm{search: rank}
		sink := sinkFunc(func(a Answer) error {
			if a.Line == 3 {
				synctest.Wait() // until the input has ended
				cancel()
			}
			return nil
		})
		tally, err := runPool(ctx, stones(piles(3)), sink, PoolOptions{Open: farm.Open}, Options{})
		if err != nil || tally.Done != 3 {
			t.Errorf("%d done, error %v", tally.Done, err)
		}
	})
}

package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// counting counts the searches for each position.
type counting struct {
	search searchFunc

	mu    sync.Mutex
	count map[string]int
}

func (c *counting) Search(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	c.mu.Lock()
	if c.count == nil {
		c.count = map[string]int{}
	}
	c.count[pos.String()]++
	c.mu.Unlock()
	return c.search(ctx, pos, lim)
}

// TestEqualPositions: each position is searched once, wherever its equals are. The output equals
// that of a run that searches all of them, except for the line number of a bad line.
func TestEqualPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piles := rapid.SliceOfN(rapid.IntRange(0, 6), 1, 60).Draw(t, "piles")
		var input strings.Builder
		for _, n := range piles {
			if n == 0 {
				input.WriteString("nonsense\n")
				continue
			}
			fmt.Fprintf(&input, "%d first 2\n", n)
		}
		var outputs []string
		for _, o := range []struct {
			jobs    int
			noDedup bool
		}{{1, true}, {1, false}, {3, false}} {
			c := &counting{search: rank}
			farm := &farm{search: c.Search}
			var out bytes.Buffer
			tally, err := runPool(t.Context(), stones(input.String()), &jsonSink{&out},
				PoolOptions{Open: farm.Open, Jobs: o.jobs}, Options{NoDedup: o.noDedup})
			if err != nil {
				t.Fatal(err)
			}
			outputs = append(outputs, out.String())
			different := len(c.count)
			for pos, n := range c.count {
				if n > 1 && !o.noDedup {
					t.Fatalf("%s was searched %d times", pos, n)
				}
			}
			good := tally.Done - tally.Failed
			if tally.Done != len(piles) || !o.noDedup && tally.Equal != good-different {
				t.Fatalf("%+v of %d positions, %d different ones", tally, len(piles), different)
			}
		}
		if diff := cmp.Diff(outputs[0], outputs[1]); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(outputs[0], outputs[2]); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestEqualWaits: an equal position waits for the one that is being searched. If that search fails,
// the next one is searched, and the others wait for it.
func TestEqualWaits(t *testing.T) {
	for _, c := range []struct {
		name     string
		failures int // of the first searches; after two a position has an error
		want     []int
		searches int
		equal    int
	}{
		{"good", 0, []int{1, 2, 3, 4}, 1, 3},
		{"the first one fails", 2, []int{-1, 2, 3, 4}, 3, 2},
		{"two fail", 4, []int{-1, -2, 3, 4}, 5, 1},
		{"all fail", 8, []int{-1, -2, -3, -4}, 8, 0},
	} {
		for _, unordered := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, unordered %v", c.name, unordered), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					failures := c.failures
					count := &counting{search: func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
						time.Sleep(time.Second)
						if failures--; failures >= 0 {
							return nil, &pluginclient.Error{Engine: "fake", Err: pluginclient.ErrDied}
						}
						return rank(ctx, pos, lim)
					}}
					farm := &farm{search: count.Search}
					sink := &collect{}
					tally, err := runPool(t.Context(), stones(strings.Repeat("5 first 2\n", 4)), sink,
						PoolOptions{Open: farm.Open, Jobs: 3}, Options{Unordered: unordered})
					if err != nil {
						t.Fatal(err)
					}
					wantLines(t, sink, c.want)
					if n := count.count["5 first 2"]; n != c.searches || tally.Equal != c.equal {
						t.Errorf("%d searches, %+v", n, tally)
					}
					farm.allClosed(t)
				})
			})
		}
	}
}

// TestUnordered writes answers as they arrive, each once.
func TestUnordered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		farm := &farm{search: slowly(func(pos engine.Position) time.Duration {
			if strings.HasPrefix(pos.String(), "1 ") {
				return time.Hour
			}
			return time.Second
		})}
		sink := &collect{}
		_, err := runPool(t.Context(), stones(piles(100)+"x\n"), sink, PoolOptions{Open: farm.Open, Jobs: 2}, Options{Unordered: true})
		if err != nil {
			t.Fatal(err)
		}
		got := sink.lines()
		if got[len(got)-1] != 1 {
			t.Errorf("line 1, which takes an hour, is not the last: %v", got)
		}
		slices.Sort(got)
		if want := append([]int{-101}, upTo(100)...); !slices.Equal(got, want) {
			t.Errorf("lines %v", got)
		}
	})
}

// TestStrict ends at the first failure in input order.
func TestStrict(t *testing.T) {
	late := &pluginclient.Error{Engine: "fake", Command: "HINTS", Err: pluginclient.ErrTimedOut}
	for _, c := range []struct {
		name, input string
		want        []int
		err         string
	}{
		{"a bad line", piles(3) + "x\n" + piles(9), []int{1, 2, 3}, `line 4: stones "x": want a number, a side and a roll of 1 or 2`},
		{"an engine that fails", "1 first 1\n77 first 1\n2 first 1\n", []int{1}, "line 2: fake: HINTS: took too long and was stopped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			farm := &farm{search: func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
				if strings.HasPrefix(pos.String(), "77 ") {
					return nil, late
				}
				return rank(ctx, pos, lim)
			}}
			sink := &collect{}
			_, err := runPool(t.Context(), stones(c.input), sink, PoolOptions{Open: farm.Open, Jobs: 2}, Options{Strict: true})
			var strict *StrictError
			if !errors.As(err, &strict) || err.Error() != c.err {
				t.Errorf("error %v", err)
			}
			wantLines(t, sink, c.want)
			farm.allClosed(t)
		})
	}
}

// TestRestarts: after an invalid answer the engine is restarted before it is asked again; after its
// death, its session restarts it.
func TestRestarts(t *testing.T) {
	for _, c := range []struct {
		err               error
		restarted, counts int
	}{
		{pluginclient.ErrIllegal, 1, 1},
		{pluginclient.ErrInvalidReply, 1, 1},
		{pluginclient.ErrRefused, 0, 0},
		{pluginclient.ErrDied, 0, 1},
		{pluginclient.ErrNoReply, 0, 1},
		{pluginclient.ErrFlood, 0, 1},
		{pluginclient.ErrTimedOut, 0, 0},
	} {
		t.Run(c.err.Error(), func(t *testing.T) {
			first := true
			farm := &farm{search: func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
				if first {
					first = false
					return nil, &pluginclient.Error{Engine: "fake", Err: c.err}
				}
				return rank(ctx, pos, lim)
			}}
			pool, err := NewPool(t.Context(), PoolOptions{Open: farm.Open})
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			if _, err := Run(t.Context(), stones(piles(2)), &collect{}, pool, Options{}); err != nil {
				t.Fatal(err)
			}
			if farm.restarted != c.restarted || pool.Restarts() != c.counts {
				t.Errorf("restarted %d times, counted %d, want %d and %d", farm.restarted, pool.Restarts(), c.restarted, c.counts)
			}
		})
	}
}

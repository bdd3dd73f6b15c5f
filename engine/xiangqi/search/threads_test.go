package search_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
)

// threaded returns the default options with a small table and several threads.
func threaded() search.Options {
	o := small()
	o.Threads = 4
	return o
}

// Every answer of a search with several threads is valid, and no thread outlives its search.
func TestThreadsAnswer(t *testing.T) {
	e := newEngine(t, threaded())
	rapid.Check(t, func(t *rapid.T) {
		pos := anyPosition(t)
		lim := anyLimits(t, pos)
		lim.Level, lim.Depth, lim.Nodes = 0, max(1, lim.Depth), 50_000+lim.Nodes // enough for three
		if len(allowed(pos, lim)) == 0 {
			return
		}
		for list, err := range e.Search(t.Context(), pos, lim) {
			if err != nil {
				t.Fatal(err)
			}
			checkAnswer(t, pos, lim, list)
		}
	})
}

// Breaking out of the loop also ends the helper threads.
func TestThreadsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, threaded())
		for range e.Search(t.Context(), xiangqi.Start(), engine.Limits{}) {
			break
		}
		best(t, e, xiangqi.Start(), engine.Limits{Depth: 6})
	})
}

// With few nodes the first thread searches alone: an engine with many threads gives the same
// answer as one with a single thread, every time.
func TestThreadsOfFewNodes(t *testing.T) {
	o := small()
	single := newEngine(t, o)
	o.Threads = 8
	many := newEngine(t, o)
	for _, pos := range xiangqi.Samples()[:2] {
		for _, lim := range []engine.Limits{{Level: 5, Lines: 3}, {Level: 3}, {Nodes: 30_000}} {
			want, got := best(t, single, pos, lim), best(t, many, pos, lim)
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(engine.Score{})); diff != "" {
				t.Errorf("%+v: -one thread +eight:\n%s", lim, diff)
			}
			if single.Visited() != many.Visited() {
				t.Errorf("%+v: one thread visits %d nodes, eight %d", lim, single.Visited(), many.Visited())
			}
		}
	}
}

// Changing only the number of threads keeps the table. Changing its size clears it. Invalid values
// change nothing.
func TestAdjust(t *testing.T) {
	enginetest.SkipUnderRace(t)
	lim := engine.Limits{Nodes: 20_000}
	pos := xiangqi.Start()
	e, kept := newEngine(t, small()), newEngine(t, small())
	adjust := func(hash, threads int, want string) {
		t.Helper()
		if err := e.Adjust(hash, threads, xiangqi.Asian); fmt.Sprint(err) != want {
			t.Errorf("hash=%d, threads=%d: %v, want %s", hash, threads, err, want)
		}
	}
	same := func(what string, other *search.Engine) {
		t.Helper()
		if diff := cmp.Diff(best(t, other, pos, lim), best(t, e, pos, lim), cmp.AllowUnexported(engine.Score{})); diff != "" {
			t.Errorf("%s: -want +got:\n%s", what, diff)
		}
	}
	same("fresh", kept)
	adjust(1, 3, "<nil>")
	adjust(1<<20, 1, "search: hash=1048576: want 1 to 65536 MiB")
	adjust(1, 1000, "search: threads=1000: want 1 to 256")
	if o := e.Options(); o.Hash != 1 || o.Threads != 3 {
		t.Errorf("hash=%d, threads=%d", o.Hash, o.Threads)
	}
	same("with other threads", kept)
	best(t, e, pos, engine.Limits{Depth: 5})
	adjust(3, 2, "<nil>")
	o := small()
	o.Hash = 3
	same("with a larger table", newEngine(t, o))
	adjust(0, 0, "<nil>")
	if o := e.Options(); o.Hash != 16 || o.Threads != 1 {
		t.Errorf("by default hash=%d, threads=%d", o.Hash, o.Threads)
	}
}

package search_test

import (
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
)

// threaded are the default options with a small table and several threads.
func threaded() search.Options {
	o := small()
	o.Threads = 4
	return o
}

// Every answer of several threads is what an answer must be, and no thread outlives
// its search.
func TestThreadsAnswer(t *testing.T) {
	e := newEngine(t, threaded())
	rapid.Check(t, func(t *rapid.T) {
		pos := anyPosition(t)
		lim := anyLimits(t, pos)
		lim.Nodes *= 10
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

// Breaking out ends the helpers too.
func TestThreadsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newEngine(t, threaded())
		for range e.Search(t.Context(), xiangqi.Start(), engine.Limits{}) {
			break
		}
		best(t, e, xiangqi.Start(), engine.Limits{Depth: 6})
	})
}

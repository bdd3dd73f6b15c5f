package analyze

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// A fake is a Session over a Searcher.
type fake struct {
	pluginclient.Session // nil: the methods that a server does not use
	engine.Searcher
	name   string
	levels []engine.Level
	lost   func() bool // reports whether the engine is lost at its next search; may be nil
	why    error       // for which it is lost; nil: it dies
}

func (f *fake) Info() pluginclient.Info {
	return pluginclient.Info{Protocol: "FAKE 1", Name: f.name, Levels: f.levels}
}
func (f *fake) Level() (id int, known bool)   { return 2, f.levels != nil }
func (f *fake) Restart(context.Context) error { return nil }
func (f *fake) Close() error                  { return nil }

func (f *fake) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	if f.lost != nil && f.lost() {
		return func(yield func([]engine.Line, error) bool) {
			yield(nil, &pluginclient.Error{Engine: f.name, Command: "search", Err: cmp.Or(f.why, pluginclient.ErrDied)})
		}
	}
	return f.Searcher.Search(ctx, pos, lim)
}

// A liveFake is a fake that tells its lines while it searches.
type liveFake struct{ *fake }

func (liveFake) LatestLines() []engine.Line { return nil }

// A silent Searcher yields once. It takes as many hundredths of a second as its level is, by default
// 2, or the time of the search.
type silent struct{}

func (silent) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		pace := lim.Time
		if pace == 0 {
			pace = time.Duration(cmp.Or(lim.Level, 2)) * 10 * time.Millisecond
		}
		lim.Time, lim.Nodes = 0, int64(pace)
		lines, err := engine.Best(ctx, enginetest.Ranker{Pace: pace}, pos, lim)
		yield(lines, err)
	}
}

// newEngine returns an Engine that plays stones with jobs sessions.
func newEngine(t *testing.T, name string, jobs int, session func() pluginclient.Session) Engine {
	t.Helper()
	pool, err := batch.NewPool(t.Context(), batch.PoolOptions{
		Jobs: jobs, Spec: name,
		Open: func(context.Context) (pluginclient.Session, error) { return session(), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	return Engine{Name: name, Spec: name, Protocol: "FAKE", Game: enginetest.Stones, Pool: pool}
}

// threeLevels are the levels of a silent engine.
func threeLevels() (all []engine.Level) {
	for id := range 3 {
		all = append(all, engine.Level{ID: id + 1, Text: fmt.Sprint("level ", id+1)})
	}
	return all
}

// newEngines returns an engine that is live, one that is silent, one that always dies, and one that
// dies once.
func newEngines(t *testing.T) []Engine {
	died := false
	dieOnce := func() bool {
		first := !died
		died = true
		return first
	}
	silentOne := newEngine(t, "silent", 1, func() pluginclient.Session {
		return &fake{Searcher: silent{}, name: "Silent", levels: threeLevels()}
	})
	silentOne.UnsupportedLimits = engine.LimitNodes | engine.LimitDepth
	return []Engine{
		newEngine(t, "live", 1, func() pluginclient.Session {
			return liveFake{&fake{Searcher: enginetest.Ranker{Depth: 4, Pace: 10 * time.Millisecond}, name: "Live"}}
		}),
		silentOne,
		newEngine(t, "dies", 1, func() pluginclient.Session {
			return &fake{Searcher: silent{}, name: "Dies", lost: func() bool { return true }}
		}),
		newEngine(t, "once", 1, func() pluginclient.Session {
			return &fake{Searcher: enginetest.Ranker{}, name: "Once", lost: dieOnce}
		}),
	}
}

// diesAtTimes returns a function that reports a death at random, about every nth time.
func diesAtTimes(r *rand.Rand, nth int) func() bool {
	var mu sync.Mutex
	return func() bool {
		mu.Lock()
		defer mu.Unlock()
		return r.IntN(nth) == 0
	}
}

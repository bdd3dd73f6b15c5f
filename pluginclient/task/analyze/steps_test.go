package analyze

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
)

// An untimedFake is a fake whose protocol has no times.
type untimedFake struct{ *fake }

func (untimedFake) Untimed() {}

// TestSteps: searches grow where an engine tells nothing while it searches, and can be told more than
// one limit.
func TestSteps(t *testing.T) {
	leveled := &fake{Searcher: silent{}, levels: threeLevels()}
	plain := &fake{Searcher: silent{}}
	level := func(ids ...int) (all []engine.Limits) {
		for _, id := range ids {
			all = append(all, engine.Limits{Level: id})
		}
		return all
	}
	times := func(seconds ...time.Duration) (all []engine.Limits) {
		for _, n := range seconds {
			all = append(all, engine.Limits{Time: n * time.Second})
		}
		return all
	}
	for _, c := range []struct {
		name    string
		session pluginclient.Session
		limits  engine.Limits
		want    []engine.Limits
		endless []engine.Limits // the first four
	}{
		{"live", liveFake{leveled}, level(3)[0], level(3), []engine.Limits{{Time: endlessTime, Depth: endlessDepth}}},
		{"levels", leveled, level(3)[0], level(1, 2, 3), level(1, 2, 3)},
		{"own level", leveled, engine.Limits{}, level(1, 0), level(1, 2, 3)},
		{"time", leveled, times(20)[0], times(1, 2, 4, 13), level(1, 2, 3)},
		{"no level", plain, engine.Limits{}, level(0), times(1, 2, 4, 8)},
		{"a short time", plain, times(1)[0], times(1), times(1, 2, 4, 8)},
		{"untimed", untimedFake{plain}, times(20)[0], times(20), level(0)},
		{"untimed with levels", untimedFake{leveled}, level(3)[0], level(3), level(1, 2, 3)},
	} {
		if diff := cmp.Diff(c.want, growingSteps(c.session, c.limits, time.Second)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		var endless []engine.Limits
		for lim := range endlessSteps(c.session, engine.Limits{}) {
			if endless = append(endless, lim); len(endless) == 4 {
				break
			}
		}
		if diff := cmp.Diff(c.endless, endless); diff != "" {
			t.Errorf("%s, endless: %s", c.name, diff)
		}
	}
}

// TestLive: the lines of every step are told.
func TestLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pos, err := enginetest.Stones.Position("7 first 2")
		if err != nil {
			t.Fatal(err)
		}
		began, nodes := time.Now(), []int64{}
		err = Live(t.Context(), &fake{Searcher: silent{}, levels: threeLevels()}, Search{
			Pos: pos, Endless: true, OnLines: func(lines []engine.Line) { nodes = append(nodes, lines[0].Nodes) },
		})
		if want := []int64{1e7, 2e7, 3e7}; err != nil || !slices.Equal(nodes, want) || time.Since(began) != 60*time.Millisecond {
			t.Errorf("%v after %v, %v", nodes, time.Since(began), err)
		}
	})
}

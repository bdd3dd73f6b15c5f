package main

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/engine/games/gamestest"
)

// countingSearcher counts its searches.
type countingSearcher struct {
	engine.Searcher
	searches *atomic.Int64
}

func (c countingSearcher) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	c.searches.Add(1)
	return c.Searcher.Search(ctx, pos, lim)
}

// TestTraceChangesNothing: with -trace an embedded engine runs as many searches as without, all
// outputs are equal, and each search is in the trace.
func TestTraceChangesNothing(t *testing.T) {
	for _, c := range []struct {
		in      string
		args    []string
		counted bool // only the engine of stones searches
	}{
		{"7 first 2\n7 first moves roll 2 take 2\n", []string{"hints", "-engine", "stones", "-level", "1"}, true},
		{"", []string{"tree", "-engine", "stones", "-depth", "2", "-width", "2", "3", "first", "2"}, true},
		{"", []string{"match", "-games", "2", "-depth", "2", "a=stones", "b=stones"}, true},
		{"startpos\nstartpos moves h2e2\n", []string{"hints", "-engine", "builtin,nodes=200", "-hints", "2"}, false},
		{"startpos\nstartpos moves h2e2\n", []string{"hints", "-level", "2"}, false},
		{"", []string{"match", "-games", "2", "-maxmoves", "3", "-nodes", "100", "a=builtin", "b=builtin"}, false},
		{"", []string{"match", "-games", "2", "-maxmoves", "3", "-level", "1", "-player", "b,depth=1", "a=builtin", "b=builtin"}, false},
	} {
		run := func() (said outcome, searches int) {
			var counter atomic.Int64
			said = runQhsh(t.Context(), func(h *host) {
				h.Games = games.Default.With(gamestest.Stones(countingSearcher{enginetest.Ranker{}, &counter}))
				h.Stdin = strings.NewReader(c.in)
			}, c.args...)
			said.stdout = clocks.ReplaceAllString(said.stdout, "TIME")
			return said, int(counter.Load())
		}
		without, searches := run()
		file := filepath.Join(t.TempDir(), "trace.txt")
		c.args = append(c.args, "-trace", file)
		with, again := run()
		if diff := cmp.Diff(without, with, cmp.AllowUnexported(outcome{})); diff != "" || without.status != exitOK {
			t.Errorf("%q: -without +with:\n%s", c.args, diff)
		}
		trace, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		noted := strings.Count(string(trace), " # search ")
		if noted == 0 || searches != again || c.counted && noted != searches {
			t.Errorf("%q: %d searches, %d with a trace, which has %d", c.args, searches, again, noted)
		}
	}
}

package qhplugin

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// witness is a Searcher that tells of its searches. Without a level it thinks until it
// is told to stop.
type witness struct {
	game []engine.Move // what it plays and expects
	mu   sync.Mutex
	seen []string
}

func (w *witness) saw(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, fmt.Sprintf(format, args...))
}

func (w *witness) soFar() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.seen)
}

func (w *witness) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	_, moves := pos.History()
	name := fmt.Sprintf("level %d after %d", lim.Level, len(moves))
	return func(yield func([]engine.Line, error) bool) {
		w.saw("begin %s", name)
		begun := time.Now()
		if lim.Level == 0 {
			<-ctx.Done()
			yield(nil, context.Cause(ctx))
			w.saw("end %s, %v", name, time.Since(begun))
			return
		}
		yield([]engine.Line{{Moves: w.game[len(moves):]}}, nil)
	}
}

func (w *witness) Forget() { w.saw("forget") }

func (w *witness) Levels() []engine.Level { return engine.NodeLevels() }

// TestBackgroundThinking: after AI the server thinks about its answer to the expected
// reply. The PLAY of that reply leaves it running, up to the next command; any other
// command drops it.
func TestBackgroundThinking(t *testing.T) {
	begin := []string{"forget", "begin level 5 after 0", "begin level 0 after 2"}
	for _, c := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"hit", []string{"AI", "PLAY H9-G7", "AI"}, append(begin[:3:3], "end level 0 after 2, 2s", "begin level 5 after 2", "begin level 0 after 4")},
		{"miss", []string{"AI", "PLAY A9-A8"}, append(begin[:3:3], "end level 0 after 2, 1s")},
		{"illegal", []string{"AI", "PLAY A9-A0"}, append(begin[:3:3], "end level 0 after 2, 1s")},
		{"undo", []string{"AI", "UNDO"}, append(begin[:3:3], "end level 0 after 2, 1s")},
		{"level", []string{"AI", "LEVEL"}, append(begin[:3:3], "end level 0 after 2, 1s")},
		{"after a hit", []string{"AI", "PLAY H9-G7", "LEVEL"}, append(begin[:3:3], "end level 0 after 2, 2s")},
		{"fen", []string{"AI", startFEN}, append(begin[:3:3], "end level 0 after 2, 1s", "forget")},
		{"off", []string{"BGTHINK OFF", "AI", "PLAY H9-G7"}, begin[:2]},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &witness{game: mustMoves("H2-E2", "H9-G7", "B2-D2", "B9-C7")}
				streams, err := pluginclient.Pipe((&Server{Searcher: w}).Serve)(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				go func() { _, _ = io.Copy(io.Discard, streams.Stdout) }()
				for _, line := range append([]string{"BGTHINK ON"}, c.lines...) {
					fmt.Fprintln(streams.Stdin, line)
					time.Sleep(time.Second)
				}
				seen := w.soFar()
				streams.Stdin.Close()
				_ = streams.Wait()
				if diff := cmp.Diff(c.want, seen); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
}

// ponderer is a Searcher with means of its own to think on its opponent's time.
type ponderer struct{ *witness }

func (p ponderer) Ponder(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	_, moves := pos.History()
	p.saw("ponder after %d, limited %t, without a hit %t", len(moves), lim.Level > 0 || lim.Nodes > 0 || lim.Depth > 0, hit == nil)
	return p.witness.Search(ctx, pos, lim)
}

// TestBackgroundPonderer: such a Searcher uses them, and no level ends its thinking.
func TestBackgroundPonderer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &witness{game: mustMoves("H2-E2", "H9-G7", "B2-D2", "B9-C7")}
		streams, err := pluginclient.Pipe((&Server{Searcher: ponderer{w}}).Serve)(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, streams.Stdout) }()
		for _, line := range []string{"BGTHINK ON", "AI", "PLAY H9-G7", "LEVEL"} {
			fmt.Fprintln(streams.Stdin, line)
			time.Sleep(time.Second)
		}
		streams.Stdin.Close()
		_ = streams.Wait()
		want := []string{
			"forget", "begin level 5 after 0", "ponder after 2, limited false, without a hit false",
			"begin level 0 after 2", "end level 0 after 2, 2s",
		}
		if diff := cmp.Diff(want, w.soFar()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

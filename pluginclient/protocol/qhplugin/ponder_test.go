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

// witness is a Searcher that records its searches, in seconds since the first. The first ends at
// once, all others take 2.5 seconds.
type witness struct {
	game  []engine.Move // what it plays and expects
	mu    sync.Mutex
	begun time.Time
	seen  []string
}

func (w *witness) saw(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.begun.IsZero() {
		w.begun = time.Now()
	}
	w.seen = append(w.seen, fmt.Sprintf("%v ", time.Since(w.begun))+fmt.Sprintf(format, args...))
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
		if len(moves) > 0 {
			select {
			case <-ctx.Done():
				yield(nil, context.Cause(ctx))
				w.saw("drop %s", name)
				return
			case <-time.After(2500 * time.Millisecond):
				w.saw("end %s", name)
			}
		}
		yield([]engine.Line{{Moves: w.game[len(moves):]}}, nil)
	}
}

func (w *witness) Forget() { w.saw("forget") }

func (w *witness) Levels() []engine.Level { return engine.NodeLevels() }

// TestBackgroundThinking: after AI the server starts the search that AI would start after the
// expected reply. The PLAY of that reply continues it, and the AI after it takes it over, whether
// it has ended or not; any other command stops it.
func TestBackgroundThinking(t *testing.T) {
	begin := []string{"0s forget", "1s begin level 5 after 0", "1s begin level 5 after 2"}
	for _, c := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"hit", []string{"AI", "PLAY H9-G7", "AI"}, append(begin[:3:3], "3.5s end level 5 after 2", "3.5s begin level 5 after 4")},
		{"late hit", []string{"AI", "PLAY H9-G7", "", "", "AI"}, append(begin[:3:3], "3.5s end level 5 after 2", "5s begin level 5 after 4")},
		{"aborted hit", []string{"AI", "PLAY H9-G7", "AI\nABORT"}, append(begin[:3:3], "3s drop level 5 after 2")},
		{"miss", []string{"AI", "PLAY A9-A8"}, append(begin[:3:3], "2s drop level 5 after 2")},
		{"AI without a PLAY", []string{"AI", "AI"}, append(begin[:3:3], "2s drop level 5 after 2", "2s begin level 5 after 1")},
		{"AI with an argument", []string{"AI", "PLAY H9-G7", "AI now"}, append(begin[:3:3], "3s drop level 5 after 2")},
		{"hints", []string{"AI", "PLAY H9-G7", "HINTS"}, append(begin[:3:3], "3s drop level 5 after 2", "3s begin level 5 after 2")},
		{"illegal", []string{"AI", "PLAY A9-A0"}, append(begin[:3:3], "2s drop level 5 after 2")},
		{"undo", []string{"AI", "UNDO"}, append(begin[:3:3], "2s drop level 5 after 2")},
		{"level", []string{"AI", "LEVEL"}, append(begin[:3:3], "2s drop level 5 after 2")},
		{"after a hit", []string{"AI", "PLAY H9-G7", "LEVEL"}, append(begin[:3:3], "3s drop level 5 after 2")},
		{"fen", []string{"AI", startFEN}, append(begin[:3:3], "2s drop level 5 after 2", "2s forget")},
		{"off", []string{"BGTHINK OFF", "AI", "PLAY H9-G7"}, []string{"0s forget", "2s begin level 5 after 0"}},
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

// ponderer is a Searcher that implements pondering itself.
type ponderer struct{ *witness }

func (p ponderer) Ponder(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	_, moves := pos.History()
	p.saw("ponder after %d, limited %t, without a hit %t", len(moves), lim.Level > 0 || lim.Nodes > 0 || lim.Depth > 0, hit == nil)
	return p.witness.Search(ctx, pos, lim)
}

// TestBackgroundPonderer: the server uses such a Searcher's pondering, within the limits of the
// level.
func TestBackgroundPonderer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &witness{game: mustMoves("H2-E2", "H9-G7", "B2-D2", "B9-C7")}
		streams, err := pluginclient.Pipe((&Server{Searcher: ponderer{w}}).Serve)(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, streams.Stdout) }()
		for _, line := range []string{"LEVEL 3", "BGTHINK ON", "AI", "PLAY H9-G7", "LEVEL"} {
			fmt.Fprintln(streams.Stdin, line)
			time.Sleep(time.Second)
		}
		streams.Stdin.Close()
		_ = streams.Wait()
		want := []string{
			"0s forget", "2s begin level 3 after 0", "2s ponder after 2, limited true, without a hit false",
			"2s begin level 3 after 2", "4s drop level 3 after 2",
		}
		if diff := cmp.Diff(want, w.soFar()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

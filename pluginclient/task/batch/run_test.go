package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
)

// mixed is an input with every kind of line.
const mixed = "# a comment\n\n5 first 2\nnonsense\n0 second\n7 first\n7 first moves roll 2, take 2\n3 second 1 moves take 2\n9 second 2\n"

// TestOrder runs an input on several engines of different speed: the outputs are equal byte by
// byte.
func TestOrder(t *testing.T) {
	input := mixed + piles(300)
	outputs := map[int]string{}
	for _, jobs := range []int{1, 2, 3, 7} {
		synctest.Test(t, func(t *testing.T) {
			farm := &farm{search: slowly(func(pos engine.Position) time.Duration {
				return time.Duration(pos.Key()*2654435761%997) * time.Millisecond
			})}
			var out bytes.Buffer
			tally, err := runPool(t.Context(), stones(input), &jsonSink{&out},
				PoolOptions{Open: farm.Open, Jobs: jobs, Limits: engine.Limits{Lines: 2}}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if want := (Tally{Done: 307, Failed: 3, Equal: 1}); tally != want {
				t.Errorf("%d jobs: tally %+v, want %+v", jobs, tally, want)
			}
			if farm.opened != jobs {
				t.Errorf("%d jobs: %d engines opened", jobs, farm.opened)
			}
			farm.allClosed(t)
			outputs[jobs] = out.String()
		})
		if diff := cmp.Diff(outputs[1], outputs[jobs]); diff != "" {
			t.Errorf("the output of %d jobs differs from that of one:\n%s", jobs, diff)
		}
	}
}

// TestMixed runs every kind of line once, with a game that has chance plies and double moves.
func TestMixed(t *testing.T) {
	farm := &farm{search: firstMove}
	var out bytes.Buffer
	if _, err := runPool(t.Context(), stones(mixed), &jsonSink{&out}, PoolOptions{Open: farm.Open}, Options{}); err != nil {
		t.Fatal(err)
	}
	want := `{"line":3,"fen":"5 first 2","engine":"fake","level":3,"limits":{"level":3},"hints":[{"move":"take 1","cp":7,"pv":["take 1"]}]}
{"line":4,"input":"nonsense","error":"stones \"nonsense\": want a number, a side and a roll of 1 or 2"}
{"line":5,"fen":"0 second","engine":"fake","level":3,"limits":{"level":3},"hints":[],"over":"last stone"}
{"line":6,"fen":"7 first","error":"chance moves next, so there is no move to choose"}
{"line":7,"fen":"7 first","moves":["roll 2","take 2"],"engine":"fake","level":3,"limits":{"level":3},"hints":[{"move":"take 1","cp":7,"pv":["take 1"]}]}
{"line":8,"input":"3 second 1 moves take 2","error":"move 1: stones: take 2 is illegal in \"3 second 1\""}
{"line":9,"fen":"9 second 2","engine":"fake","level":3,"limits":{"level":3},"hints":[{"move":"take 1","cp":7,"pv":["take 1"]}]}
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
	if farm.forgotten != 3 {
		t.Errorf("the engine forgot %d times, want once before each of 3 searches", farm.forgotten)
	}
}

// TestFailures lets an engine fail at line 3 of 5, in several ways.
func TestFailures(t *testing.T) {
	start := fmt.Errorf("fake: %w", pluginclient.ErrStart)
	died := &pluginclient.Error{Engine: "fake", Command: "HINTS", Err: pluginclient.ErrDied}
	late := &pluginclient.Error{Engine: "fake", Command: "HINTS", Err: pluginclient.ErrTimedOut}
	for _, c := range []struct {
		name   string
		errs   []error // of the searches at line 3
		lines  []engine.Line
		want   []int
		err    error
		reason string
	}{
		{name: "once", errs: []error{died}, want: []int{1, 2, 3, 4, 5}},
		{name: "twice", errs: []error{died, died}, want: []int{1, 2, -3, 4, 5}, reason: "fake: HINTS: died"},
		{name: "not started again", errs: []error{died, start, start}, want: []int{1, 2}, err: pluginclient.ErrStart},
		{name: "started again by the second try", errs: []error{died, start}, want: []int{1, 2, 3, 4, 5}},
		{name: "late", errs: []error{late}, want: []int{1, 2, -3, 4, 5}, reason: "fake: HINTS: took too long and was stopped"},
		{
			name: "an illegal move", errs: []error{nil, nil}, lines: []engine.Line{{Moves: []engine.Move{77}}},
			want: []int{1, 2, -3, 4, 5}, reason: "fake: search: an illegal move as hint 1",
		},
		{
			name: "an empty line", errs: []error{nil}, lines: []engine.Line{{}},
			want: []int{1, 2, 3, 4, 5},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			errs := c.errs
			farm := &farm{search: func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
				if pos.String() != "3 first 2" || len(errs) == 0 {
					return rank(ctx, pos, lim)
				}
				err := errs[0]
				errs = errs[1:]
				return c.lines, err
			}}
			sink := &collect{}
			_, err := runPool(t.Context(), stones(piles(5)), sink, PoolOptions{Open: farm.Open}, Options{})
			if !errors.Is(err, c.err) {
				t.Errorf("error %v, want %v", err, c.err)
			}
			wantLines(t, sink, c.want)
			farm.allClosed(t)
			for _, a := range sink.answers {
				if a.Err != nil && a.Err.Error() != c.reason {
					t.Errorf("reason %q, want %q", a.Err, c.reason)
				}
				if a.Err != nil && a.Engine != "fake" {
					t.Error("the failure does not name the engine")
				}
			}
		})
	}
}

// TestCannotStart: the run returns the start's error even if there is no position.
func TestCannotStart(t *testing.T) {
	for _, input := range []string{"", piles(3)} {
		for _, jobs := range []int{1, 3} {
			open := func(context.Context) (pluginclient.Session, error) { return nil, pluginclient.ErrStart }
			sink := &collect{}
			_, err := runPool(t.Context(), stones(input), sink, PoolOptions{Open: open, Jobs: jobs}, Options{})
			if !errors.Is(err, pluginclient.ErrStart) {
				t.Errorf("%q on %d jobs: error %v", input, jobs, err)
			}
			wantLines(t, sink, nil)
		}
	}
}

// secondly takes a second for each answer.
var secondly = slowly(func(engine.Position) time.Duration { return time.Second })

// goneFrom takes a second for each answer before the nth, and the given time for the nth, after
// which it cannot be started again.
func goneFrom(n int, after time.Duration) searchFunc {
	return func(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
		if n--; n <= 0 {
			time.Sleep(after)
			return nil, pluginclient.ErrStart
		}
		return secondly(ctx, pos, lim)
	}
}

// TestEnginesGone: an engine that cannot be restarted, or another one that cannot be started at
// all, leaves its position to the others, and the order is kept. When the last one is gone, the run
// ends.
func TestEnginesGone(t *testing.T) {
	for _, c := range []struct {
		name    string
		engines []searchFunc // the engines in the order in which they are opened; no others can be opened
		piles   int
		want    []int
		err     error
	}{
		{"the first", []searchFunc{goneFrom(3, 0), secondly}, 20, upTo(20), nil},
		{"another", []searchFunc{secondly, goneFrom(3, 0)}, 20, upTo(20), nil},
		{"another cannot be started", []searchFunc{secondly}, 20, upTo(20), nil},
		{"when the others have nothing to do", []searchFunc{goneFrom(1, time.Hour), secondly}, 2, upTo(2), nil},
		{"all", []searchFunc{goneFrom(3, 0), goneFrom(3, 0)}, 20, upTo(4), pluginclient.ErrStart},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				farm := &farm{}
				next := make(chan searchFunc, len(c.engines))
				for _, search := range c.engines {
					next <- search
				}
				close(next)
				open := func(ctx context.Context) (pluginclient.Session, error) {
					search, ok := <-next
					if !ok {
						return nil, pluginclient.ErrStart
					}
					s, err := farm.Open(ctx)
					s.(*fake).search = search
					return s, err
				}
				var warnings []string
				sink := &collect{}
				_, err := runPool(t.Context(), stones(piles(c.piles)), sink, PoolOptions{
					Open: open, Jobs: 2, Warn: func(text string) { warnings = append(warnings, text) },
				}, Options{})
				if !errors.Is(err, c.err) {
					t.Errorf("error %v", err)
				}
				wantLines(t, sink, c.want)
				if diff := cmp.Diff([]string{"cannot be started: continuing with 1 of 2 jobs"}, warnings); diff != "" {
					t.Error(diff)
				}
				farm.allClosed(t)
			})
		})
	}
}

// TestNoIdleEngines has more jobs than positions.
func TestNoIdleEngines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		farm := &farm{search: slowly(func(engine.Position) time.Duration { return time.Second })}
		sink := &collect{}
		if _, err := runPool(t.Context(), stones(piles(2)), sink, PoolOptions{Open: farm.Open, Jobs: 50}, Options{}); err != nil {
			t.Fatal(err)
		}
		wantLines(t, sink, upTo(2))
		if farm.opened > 3 {
			t.Errorf("%d engines were opened for 2 positions", farm.opened)
		}
		farm.allClosed(t)
	})
}

// TestBoundedReading has an infinite input and an engine that hangs.
func TestBoundedReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var read atomic.Int64
		src := sourceFunc(func() (Item, error) {
			n := read.Add(1)
			item := Parse(enginetest.Stones, "5 first 2")
			if n == 1 {
				item = Parse(enginetest.Stones, "9 first 2")
			}
			item.Line = int(n)
			return item, nil
		})
		farm := &farm{search: slowly(func(pos engine.Position) time.Duration {
			if pos.String() == "9 first 2" {
				return time.Hour
			}
			return 0
		})}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		sink := &collect{}
		_, err := runPool(ctx, src, sink, PoolOptions{Open: farm.Open, Jobs: 2}, Options{})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		wantLines(t, sink, nil)
		if n, most := read.Load(), int64(2*aheadPerJob+5); n > most {
			t.Errorf("read %d positions ahead, want at most %d", n, most)
		}
		farm.allClosed(t)
	})
}

// TestCancel cancels a run in the middle of the fourth search.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(3500*time.Millisecond, func() { cancel(cause) })
		farm := &farm{search: slowly(func(engine.Position) time.Duration { return time.Second })}
		sink := &collect{}
		begun := time.Now()
		tally, err := runPool(ctx, stones(piles(100)), sink, PoolOptions{Open: farm.Open}, Options{})
		if !errors.Is(err, cause) {
			t.Errorf("error %v, want the cause", err)
		}
		if took := time.Since(begun); took != 3500*time.Millisecond {
			t.Errorf("it ended after %v", took)
		}
		wantLines(t, sink, upTo(3))
		if tally.Done != 3 {
			t.Errorf("tally %+v", tally)
		}
		farm.allClosed(t)
	})
}

// TestCancelWhileReading cancels a run that waits for its input.
func TestCancelWhileReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r, w := io.Pipe()
		defer w.Close()
		go io.WriteString(w, piles(2))
		farm := &farm{search: rank}
		sink := &collect{}
		_, err := runPool(ctx, NewLines(enginetest.Stones, "", r), sink, PoolOptions{Open: farm.Open}, Options{})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		wantLines(t, sink, upTo(2))
		farm.allClosed(t)
	})
}

// TestPromptAnswers requires every answer to be written before the next line arrives.
func TestPromptAnswers(t *testing.T) {
	r, w := io.Pipe()
	answers := make(chan int)
	sink := sinkFunc(func(a Answer) error { answers <- a.Line; return nil })
	farm := &farm{search: rank}
	ended := make(chan error, 1)
	go func() {
		_, err := runPool(t.Context(), NewLines(enginetest.Stones, "", r), sink, PoolOptions{Open: farm.Open, Jobs: 2}, Options{})
		ended <- err
	}()
	for line := range 5 {
		if _, err := io.WriteString(w, "5 first 2\n"); err != nil {
			t.Fatal(err)
		}
		if got := <-answers; got != line+1 {
			t.Fatalf("answer to line %d, want %d", got, line+1)
		}
	}
	w.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	farm.allClosed(t)
}

// TestBrokenEnds has a Sink that fails, like a pipe that closes early, and a Source that fails.
func TestBrokenEnds(t *testing.T) {
	farm := &farm{search: rank}
	n := 0
	sink := sinkFunc(func(Answer) error {
		if n++; n == 3 {
			return errBroken
		}
		return nil
	})
	tally, err := runPool(t.Context(), stones(piles(1000)), sink, PoolOptions{Open: farm.Open, Jobs: 2}, Options{})
	if !errors.Is(err, errBroken) || err.Error() != "output: broken" || tally.Done != 2 {
		t.Errorf("sink: %+v, error %v", tally, err)
	}
	farm.allClosed(t)

	src := NewLines(enginetest.Stones, "", io.MultiReader(strings.NewReader(piles(3)), brokenReader{}))
	got := &collect{}
	_, err = runPool(t.Context(), src, got, PoolOptions{Open: farm.Open, Jobs: 2}, Options{})
	if !errors.Is(err, errBroken) || err.Error() != "input: line 4: broken" {
		t.Errorf("source: error %v", err)
	}
	wantLines(t, got, upTo(3))
	farm.allClosed(t)
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errBroken }

// TestProgress counts every answer.
func TestProgress(t *testing.T) {
	var seen []Tally
	farm := &farm{search: rank}
	_, err := runPool(t.Context(), stones("5 first 2\nx\n4 first 1\n5 first 2\n"), &collect{},
		PoolOptions{Open: farm.Open}, Options{OnProgress: func(n Tally) { seen = append(seen, n) }})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Tally{{Done: 1}, {Done: 2, Failed: 1}, {Done: 3, Failed: 1}, {Done: 4, Failed: 1, Equal: 1}}, seen); diff != "" {
		t.Error(diff)
	}
}

// lockstep is a Source whose writer waits for each answer: it has the next position when the answer
// to the previous one has been written.
type lockstep struct {
	Source
	written chan struct{}
}

func (l lockstep) Next() (Item, error) {
	<-l.written
	return l.Source.Next()
}

// Write is called after that of the Sink, and releases the next position.
func (l lockstep) Write(Answer) error {
	l.written <- struct{}{}
	return nil
}

// TestLockstep: a client that waits for each answer waits no longer than the engine takes.
func TestLockstep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const positions, thought = 20, 100 * time.Microsecond
		farm := &farm{search: slowly(func(engine.Position) time.Duration { return thought })}
		l := lockstep{stones(piles(positions)), make(chan struct{}, 1)}
		l.written <- struct{}{}
		begun := time.Now()
		if _, err := runPool(t.Context(), l, l, PoolOptions{Open: farm.Open}, Options{}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took != positions*thought {
			t.Errorf("%d positions took %v, want %v each", positions, took, thought)
		}
	})
}

package plugintest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// echo is an engine that repeats every line, and thinks as long as its ranker.
func echo(r enginetest.Ranker) pluginclient.Starter {
	return pluginclient.Pipe(func(_ context.Context, in io.Reader, out io.Writer) error {
		for s := bufio.NewScanner(in); s.Scan(); {
			time.Sleep(r.Pace)
			fmt.Fprintf(out, "%q\n", s.Text())
		}
		return nil
	})
}

func TestTranscripts(t *testing.T) { RunTranscripts(t, "testdata", echo) }

// TestMischief: each fault is visible to the host, and ends by StopFaults or with the next process.
func TestMischief(t *testing.T) {
	for _, c := range []struct {
		name string
		m    *FaultyEngine
		want string // the output of the first process
		died string
	}{
		{"none", &FaultyEngine{}, "\"a\"\n\"b 1\"\n\"c\"\n", ""},
		{"says", &FaultyEngine{OnCommand: On("b", Send("no"))}, "\"a\"\nno\"c\"\n", ""},
		{"obeys others", &FaultyEngine{OnCommand: On("b", Obey("x", "y"))}, "\"a\"\n\"x\"\n\"y\"\n\"c\"\n", ""},
		{"passes over", &FaultyEngine{OnCommand: On("b", Action{})}, "\"a\"\n\"c\"\n", ""},
		{"another word", &FaultyEngine{OnCommand: On("b 2", Action{})}, "\"a\"\n\"b 1\"\n\"c\"\n", ""},
		{"deaf", &FaultyEngine{OnCommand: IgnoreAfter("b")}, "\"a\"\n", ""},
		{"hangs", &FaultyEngine{OnCommand: On("b", Action{Send: "half", Hang: true})}, "\"a\"\nhalf", ""},
		{"dies", &FaultyEngine{OnCommand: On("b", Action{Die: true})}, "\"a\"\n", "exit status 3"},
		{"murmurs", &FaultyEngine{OnReply: func(line string) string { return line[1:2] }}, "abc", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.m.Engine, c.m.FaultyStarts = echo(enginetest.Ranker{}), 1
				got, err := tell(t, c.m)
				died := ""
				if err != nil {
					died = err.Error()
				}
				if got != c.want || died != c.died {
					t.Errorf("%q, %v", got, err)
				}
				if again, err := tell(t, c.m); again != "\"a\"\n\"b 1\"\n\"c\"\n" || err != nil || c.m.Starts() != 2 {
					t.Errorf("life %d: %q, %v", c.m.Starts(), again, err)
				}
			})
		})
	}
}

func TestMischiefReforms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &FaultyEngine{Engine: echo(enginetest.Ranker{}), OnCommand: On("b", Action{Die: true}), Stderr: "ouch"}
		m.StopFaults()
		if got, err := tell(t, m); err != nil || !strings.HasSuffix(got, "\"c\"\nouch") {
			t.Errorf("%q, %v", got, err)
		}
	})
}

// TestFlood reads a megabyte of a flood, and stops.
func TestFlood(t *testing.T) {
	m := &FaultyEngine{Engine: echo(enginetest.Ranker{}), OnCommand: On("a", Action{Flood: true})}
	streams, err := m.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(streams.Stdin, "a")
	if n, err := io.CopyN(io.Discard, streams.Stdout, 1<<20); err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	streams.Kill()
	_ = streams.Wait()
}

func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		_, _ = tell(t, &FaultyEngine{Engine: echo(enginetest.Ranker{}), OnCommand: Delay("b", time.Hour)})
		if took := time.Since(begun); took != time.Hour+2*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// tell sends three lines to an engine, one per second, and returns its output, its stderr and its
// exit status.
func tell(t *testing.T, m *FaultyEngine) (string, error) {
	t.Helper()
	streams, err := m.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan string)
	go func() {
		text, _ := io.ReadAll(streams.Stdout)
		heard <- string(text)
	}()
	go func() {
		for _, line := range []string{"a", "b 1", "c"} {
			fmt.Fprintln(streams.Stdin, line)
			time.Sleep(time.Second)
		}
		streams.Stdin.Close()
	}()
	text := <-heard
	if streams.Stderr != nil {
		said, _ := io.ReadAll(streams.Stderr)
		text += string(said)
	}
	return text, streams.Wait()
}

// wire is a client that may change results, or remember.
type wire struct {
	enginetest.Ranker
	change    func([]engine.Line)
	forgotten int
}

func (w *wire) Forget() { w.forgotten++ }

func (w *wire) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		lines, err := engine.Best(ctx, w.Ranker, pos, lim)
		w.change(lines)
		yield(lines, err)
	}
}

// fatal records what ends a test.
type fatal struct {
	rapid.TB
	heard string
}

func (f *fatal) Fatalf(format string, args ...any) { f.heard = fmt.Sprintf(format, args...) }

// TestLaw: CheckRoundTrip detects the smallest difference.
func TestLaw(t *testing.T) {
	pos, err := enginetest.Stones.Position("6 first 2")
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func([]engine.Line){
		"":      func([]engine.Line) {},
		"Score": func(l []engine.Line) { l[1].Score = engine.Centipawns(12345) },
		"Depth": func(l []engine.Line) { l[0].Depth++ },
		"Moves": func(l []engine.Line) { l[0].Moves = append(l[0].Moves, engine.NoMove) },
	} {
		f, w := &fatal{TB: t}, &wire{change: change}
		CheckRoundTrip(f, w, enginetest.Ranker{}, pos, engine.Limits{Lines: 2})
		if (name == "") != (f.heard == "") || !strings.Contains(f.heard, name) || w.forgotten != 1 {
			t.Errorf("%s: %q after %d Forget", name, f.heard, w.forgotten)
		}
	}
}

// TestRecording: a Recording answers the same commands with the same lines.
func TestRecording(t *testing.T) {
	var trace strings.Builder
	kept := pluginclient.NewTrace("echo", pluginclient.NewTraceLog(&trace))
	kept.Add(pluginclient.Sent, "a")
	kept.Add(pluginclient.Received, "A")
	kept.Add(pluginclient.Received, "A too")
	kept.Add(pluginclient.Pinged, "b 1")
	kept.Add(pluginclient.Received, "B")
	kept.Add(pluginclient.Sent, "quit")
	r := ReadRecording(t, trace.String()+"= all is well\n= indeed\n")
	synctest.Test(t, func(t *testing.T) {
		got, err := tell(t, &FaultyEngine{Engine: r.Start})
		if got != "A\nA too\nB\n" || err != nil || r.Remaining() != 1 || r.Outcome != "all is well\nindeed\n" {
			t.Errorf("%q, %v; %d lines left, outcome %q", got, err, r.Remaining(), r.Outcome)
		}
		if diff := cmp.Diff([]string{"c"}, r.Unexpected); diff != "" {
			t.Error(diff)
		}
	})
}

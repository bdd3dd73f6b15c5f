package pluginclient

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
)

// moment is a deadline that must pass in a test.
const moment = 100 * time.Millisecond

func connect(t *testing.T, start Starter) (*Conn, *Trace) {
	t.Helper()
	trace := NewTrace("engine", nil)
	conn, err := Connect(t.Context(), start, trace)
	if err != nil {
		t.Fatal(err)
	}
	return conn, trace
}

// receive returns the engine's next line.
func receive(t *testing.T, c *Conn) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	defer cancel()
	line, err := c.Receive(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// failure reads to the end of the engine's output and returns the error.
func failure(t *testing.T, c *Conn) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	defer cancel()
	for {
		if _, err := c.Receive(ctx); err != nil {
			return err
		}
	}
}

func spoken(trace *Trace) []string {
	var all []string
	for _, e := range trace.Last(traceKept, func(Entry) bool { return true }) {
		all = append(all, e.Dir.String()+e.Text)
	}
	return all
}

// sameGoroutines checks that no goroutine started since then is left.
func sameGoroutines(t *testing.T) {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		if !enginetest.Await(func() bool { return runtime.NumGoroutine() <= before }) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines instead of %d:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	})
}

// TestQuitFirst: an engine gets the quit command and its time; it exits by itself.
func TestQuitFirst(t *testing.T) {
	for _, role := range []string{"echo", "slow to quit"} {
		t.Run(role, func(t *testing.T) {
			sameGoroutines(t)
			cmd := program(t, role)
			w := watch(t, &cmd)
			var streams *Streams
			conn, trace := connect(t, func(ctx context.Context) (s *Streams, err error) {
				streams, err = cmd.Start(ctx)
				return streams, err
			})
			w.born(1)
			if err := conn.Send(Sent, guard, "hello"); err != nil {
				t.Error(err)
			}
			if line := receive(t, conn); line != "got hello" {
				t.Errorf("it says %q", line)
			}
			conn.Close("QUIT", guard)
			w.gone()
			if conn.Alive() {
				t.Error("it is alive")
			}
			for _, end := range []io.Closer{streams.Stdin, streams.Stdout, streams.Stderr} {
				if err := end.Close(); !errors.Is(err, os.ErrClosed) {
					t.Errorf("a pipe was left open: %v", err)
				}
			}
			if err := failure(t, conn); !errors.Is(err, ErrDied) || strings.Contains(err.Error(), "killed") {
				t.Errorf("it ended so: %v", err)
			}
			want := []string{">hello", "<got hello", ">QUIT", "<got QUIT", "<BYE"}
			if diff := cmp.Diff(want, spoken(trace)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestThenTheGroupIsKilled: an engine that ignores QUIT is killed after its time, with all
// processes that it has started.
func TestThenTheGroupIsKilled(t *testing.T) {
	for role, processes := range map[string]int{"stubborn": 1, "parent": 2, "deaf": 1} {
		t.Run(role, func(t *testing.T) {
			sameGoroutines(t)
			cmd := program(t, role)
			w := watch(t, &cmd)
			conn, trace := connect(t, cmd.Start)
			w.born(processes)
			if line := receive(t, conn); line != "ready" {
				t.Errorf("it says %q", line)
			}
			begun := time.Now()
			conn.Close("QUIT", moment)
			if time.Since(begun) < moment {
				t.Error("it was given no time")
			}
			w.gone()
			if err := failure(t, conn); !errors.Is(err, ErrDied) {
				t.Errorf("it ended so: %v", err)
			}
			if all := spoken(trace); all[len(all)-1] != "<got QUIT" && role == "stubborn" || !strings.Contains(strings.Join(all, " "), ">QUIT") {
				t.Errorf("said %q", all)
			}
		})
	}
}

// TestCrash: the error contains the exit status and the partial line; stderr is in the trace.
func TestCrash(t *testing.T) {
	sameGoroutines(t)
	conn, trace := connect(t, program(t, "crash").Start)
	if line := receive(t, conn); line != "ready" {
		t.Errorf("it says %q", line)
	}
	err := failure(t, conn)
	if !errors.Is(err, ErrDied) || !errors.Is(err, ErrPartialLine) || !strings.Contains(err.Error(), "exit status 7") || !strings.Contains(err.Error(), `"half a li"`) {
		t.Errorf("error %v", err)
	}
	if err := conn.Send(Sent, guard, "hello"); !errors.Is(err, ErrDied) {
		t.Errorf("a line to it: %v", err)
	}
	conn.Close("QUIT", guard)
	var stderr []string
	for _, e := range trace.Last(9, func(e Entry) bool { return e.Dir == Stderr }) {
		stderr = append(stderr, e.Text)
	}
	if diff := cmp.Diff([]string{"one", "two", "three"}, stderr); diff != "" {
		t.Errorf("stderr, -want +got:\n%s", diff)
	}
}

// TestTheEndIsKnown: after the error that an engine has exited, Alive returns false.
func TestTheEndIsKnown(t *testing.T) {
	for range 200 {
		conn, _ := connect(t, Pipe(func(context.Context, io.Reader, io.Writer) error { return nil }))
		_ = failure(t, conn)
		alive := conn.Alive()
		conn.Close("", 0)
		if alive {
			t.Fatal("it is alive")
		}
	}
}

// TestNoisyStderr: stderr is read without a limit, so it does not block the engine.
func TestNoisyStderr(t *testing.T) {
	sameGoroutines(t)
	conn, _ := connect(t, program(t, "noisy").Start)
	if line := receive(t, conn); line != "ready" {
		t.Errorf("it says %q", line)
	}
	conn.Close("", 0)
}

// TestFlood: an engine that writes without end is ended, and its output does not fill the memory.
func TestFlood(t *testing.T) {
	sameGoroutines(t)
	cmd := program(t, "flood")
	w := watch(t, &cmd)
	conn, _ := connect(t, cmd.Start)
	w.born(1)
	select {
	case <-conn.ended:
	case <-time.After(guard):
		t.Error("it goes on")
	}
	w.gone()
	if err := failure(t, conn); !errors.Is(err, ErrFlood) {
		t.Errorf("error %v", err)
	}
	conn.Close("QUIT", guard)
}

// TestDeafEngine: an engine that does not read its input is an error in time.
func TestDeafEngine(t *testing.T) {
	sameGoroutines(t)
	conn, _ := connect(t, program(t, "deaf").Start)
	if line := receive(t, conn); line != "ready" {
		t.Errorf("it says %q", line)
	}
	if err := conn.Send(Sent, moment, strings.Repeat("x", 1<<20)); !errors.Is(err, ErrInputBlocked) {
		t.Errorf("error %v", err)
	}
	conn.Close("QUIT", moment)
}

// TestReceiveHasAContext: a wait ends with the cause of its context, and a later line is not lost.
func TestReceiveHasAContext(t *testing.T) {
	sameGoroutines(t)
	conn, _ := connect(t, program(t, "echo").Start)
	defer conn.Close("QUIT", guard)
	why := errors.New("had enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	go cancel(why)
	if line, err := conn.Receive(ctx); !errors.Is(err, why) {
		t.Errorf("%q, %v", line, err)
	}
	if err := conn.Send(Sent, guard, "later", "and later"); err != nil {
		t.Error(err)
	}
	if a, b := receive(t, conn), receive(t, conn); a != "got later" || b != "got and later" {
		t.Errorf("it says %q, %q", a, b)
	}
}

// TestMuteEngine: an engine that closes its output but keeps running is ended.
func TestMuteEngine(t *testing.T) {
	t.Parallel()
	cmd := program(t, "mute")
	w := watch(t, &cmd)
	conn, _ := connect(t, cmd.Start)
	w.born(1)
	if err := failure(t, conn); !errors.Is(err, ErrDied) {
		t.Errorf("error %v", err)
	}
	w.gone()
	conn.Close("QUIT", guard)
}

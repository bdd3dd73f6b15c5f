package pluginclient

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// says is an engine that prints a text and then waits for the end of its input.
func says(text string) Starter {
	return Pipe(func(_ context.Context, in io.Reader, out io.Writer) error {
		_, _ = io.WriteString(out, text)
		_, _ = io.Copy(io.Discard, in)
		return nil
	})
}

// TestMissing: the error after a timeout depends on the lines that came instead.
func TestMissing(t *testing.T) {
	long := strings.Repeat("x", 70)
	for _, c := range []struct {
		name, says, odd string
		want            string
		kinds           []error
	}{
		{"nothing", "", "", "no answer", []error{ErrNoReply}},
		{"something else", "", " ready ", `no answer: invalid reply, only "ready"`, []error{ErrNoReply, ErrInvalidReply}},
		{"half a line", "bestm", "ready", `incomplete line: "bestm"`, []error{ErrPartialLine}},
		{"a long half", long, "", `incomplete line: "` + long[:60] + `..."`, []error{ErrPartialLine}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn, _ := connect(t, says(c.says))
				defer conn.Close("", time.Second)
				ctx, cancel := WithDeadline(t.Context(), time.Minute)
				defer cancel()
				_, err := conn.Receive(ctx)
				err = conn.ExplainTimeout(err, c.odd, Excerpt)
				if err == nil || err.Error() != c.want {
					t.Errorf("%v, want %s", err, c.want)
				}
				for _, kind := range c.kinds {
					if !errors.Is(err, kind) {
						t.Errorf("%v is no %v", err, kind)
					}
				}
			})
		})
	}
}

// TestNotMissing: an error other than that of the deadline is unchanged.
func TestNotMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, _ := connect(t, says("half"))
		defer conn.Close("", time.Second)
		for _, err := range []error{nil, ErrDied, context.DeadlineExceeded} {
			if got := conn.ExplainTimeout(err, "odd", Excerpt); got != err {
				t.Errorf("%v has become %v", err, got)
			}
		}
	})
}

// TestRest reads to the exit of an engine, and to a timeout.
func TestRest(t *testing.T) {
	talk := "one\n\ntwo\nhalf"
	want := []string{"one", "", "two"}
	for name, start := range map[string]Starter{
		"it ends": Pipe(func(_ context.Context, _ io.Reader, out io.Writer) error {
			_, err := io.WriteString(out, talk)
			return err
		}),
		"it stays": says(talk),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn, _ := connect(t, start)
				defer conn.Close("", time.Second)
				ctx, cancel := WithDeadline(t.Context(), time.Minute)
				defer cancel()
				if diff := cmp.Diff(want, conn.parting(ctx).Lines); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// TestBind: a bound context ends with the conversation, and with its parent, each with its cause.
func TestBind(t *testing.T) {
	errOwn := errors.New("own")
	for _, c := range []struct {
		name string
		end  func(turn *Turn, own context.CancelCauseFunc)
		want error
	}{
		{"the conversation", func(turn *Turn, _ context.CancelCauseFunc) { turn.Close(func() {}) }, ErrClosed},
		{"its own", func(_ *Turn, own context.CancelCauseFunc) { own(errOwn) }, errOwn},
	} {
		t.Run(c.name, func(t *testing.T) {
			turn := NewTurn(func() string { return "engine" })
			own, cancelOwn := context.WithCancelCause(t.Context())
			defer cancelOwn(nil)
			ctx, cancel := turn.Bind(own)
			defer cancel()
			if err := ctx.Err(); err != nil {
				t.Fatalf("it begins with %v", err)
			}
			c.end(turn, cancelOwn)
			<-ctx.Done()
			if cause := context.Cause(ctx); cause != c.want {
				t.Errorf("ended by %v, want %v", cause, c.want)
			}
		})
	}
}

// TestStrangeReply: a line that does not know the greeting is one of another protocol, and a banner is not.
func TestStrangeReply(t *testing.T) {
	greeting := []string{"xboard", "protover 2"}
	for line, want := range map[string]string{
		"xboard":                                         `invalid reply: it repeats "xboard"`,
		"protover 2":                                     `invalid reply: it repeats "protover 2"`,
		"ERROR unknown command":                          `invalid reply to xboard: "ERROR unknown command"`,
		"Error (unknown command): protover":              `invalid reply to protover: "Error (unknown command): protover"`,
		`info string unknown command "xboard"`:           `invalid reply to xboard: "info string unknown command \"xboard\""`,
		"Unknown command: 'xboard'. Type help.":          `invalid reply to xboard: "Unknown command: 'xboard'. Type help."`,
		"? unknown command":                              `invalid reply to xboard: "? unknown command"`,
		"info string ERROR: invalid input file, no book": "",
		"bad command line option -x is ignored":          "",
		"Engine 1: unknown command lines are ignored":    "",
		"unknown command: setoption":                     "",
		"An Engine 1.0":                                  "",
	} {
		got := ""
		if err := StrangeReply(line, greeting...); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}

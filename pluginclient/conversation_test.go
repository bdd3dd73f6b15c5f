package pluginclient

import (
	"bufio"
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// echo is an engine that repeats every line, and exits at "quit" or, with an error, at "die".
func echo(_ context.Context, in io.Reader, out io.Writer) error {
	for lines := bufio.NewScanner(in); lines.Scan(); {
		switch line := lines.Text(); line {
		case "quit":
			return nil
		case "die":
			return errors.New("it has broken down")
		case "hush":
		default:
			if _, err := io.WriteString(out, line+"\n"); err != nil {
				return err
			}
		}
	}
	return nil
}

func newTestLink() *Link {
	return NewLink(LinkOptions{
		Info: Info{Name: "echo"}, Start: Pipe(echo), Quit: "quit",
		Handshake: func(context.Context) error { return nil },
	})
}

func ask(l *Link, line string) (answer string, err error) {
	return Call(context.Background(), l, func(context.Context) (string, error) {
		if err := l.Send(Sent, line); err != nil {
			return "", err
		}
		ctx, cancel := l.WithDeadline(time.Second)
		defer cancel()
		answer, err := l.Conn.Receive(ctx)
		return answer, l.Conn.ExplainTimeout(err, "", Excerpt)
	})
}

// TestState: the state of an engine in every situation, and the reason if it is lost.
func TestState(t *testing.T) {
	start := func(l *Link) { _ = l.Do(context.Background(), l.Start) }
	for _, c := range []struct {
		name string
		do   func(l *Link)
		want Status
		why  error
	}{
		{"not started", func(*Link) {}, StatusEnded, nil},
		{"started", start, StatusRunning, nil},
		{"asked", func(l *Link) { start(l); _, _ = ask(l, "hello") }, StatusRunning, nil},
		{"died", func(l *Link) { start(l); _, _ = ask(l, "die") }, StatusLost, ErrDied},
		{"silent", func(l *Link) { start(l); _, _ = ask(l, "hush") }, StatusLost, ErrNoReply},
		{"silent, and asked again", func(l *Link) {
			start(l)
			_, _ = ask(l, "hush")
			_ = l.Do(context.Background(), func() error { return ErrDied })
		}, StatusLost, ErrNoReply},
		{"killed", func(l *Link) { start(l); l.Conversation().Kill() }, StatusLost, ErrDied},
		{"killed and started", func(l *Link) { start(l); l.Conversation().Kill(); start(l) }, StatusRunning, nil},
		{"told to quit", func(l *Link) {
			start(l)
			_ = l.Do(context.Background(), func() error { _ = l.Send(Sent, "quit"); l.ReadUntilExit(); return nil })
		}, StatusEnded, nil},
		{"closed", func(l *Link) { start(l); _ = l.Conversation().Close() }, StatusEnded, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newTestLink()
				defer l.Conversation().Close()
				c.do(l)
				got := l.Conversation().State()
				if got.Status != c.want || !errors.Is(got.Err, c.why) || (got.Err == nil) != (c.why == nil) {
					t.Errorf("%+v, want %d: %v", got, c.want, c.why)
				}
			})
		})
	}
}

package qhplugin

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// mischief is a plugin that behaves but for what a test wants it to do. In each life
// it sees the host's lines and its own answers pass by.
type mischief struct {
	info  func(*Info)
	pace  time.Duration
	lives int // how many lives it misbehaves in; 0: all
	// in answers what happens to a host's line; nil: it is obeyed.
	in func(line string) act
	// out answers the bytes to be sent for an answer; nil: the line itself.
	out func(line string) string

	life   int // starts so far
	stderr string
}

// act is what a plugin does with a line instead of obeying it.
type act struct {
	obey  []string // lines to be obeyed instead
	say   string   // bytes to be sent
	flood bool     // it then writes for ever
	die   bool     // it then dies
}

func obey(lines ...string) act { return act{obey: lines} }

var errDeath = errors.New("exit status 3")

func (m *mischief) plugin() Plugin {
	server := &Server{Searcher: enginetest.Ranker{Depth: 100000, Pace: m.pace}, Name: "mischief"}
	if m.pace == 0 {
		server.Searcher = enginetest.Ranker{}
	}
	return Plugin{
		Name: "mischief",
		Info: func(context.Context) (Info, error) {
			info := server.Info()
			if m.info != nil {
				m.info(&info)
			}
			return info, nil
		},
		Start: func(ctx context.Context) (*pluginclient.Streams, error) {
			m.life++
			streams, err := pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
				return m.serve(ctx, server, in, out)
			})(ctx)
			if m.stderr != "" && err == nil {
				streams.Stderr = io.NopCloser(strings.NewReader(m.stderr))
			}
			return streams, err
		},
	}
}

func (m *mischief) bad() bool { return m.lives == 0 || m.life <= m.lives }

func (m *mischief) serve(ctx context.Context, server *Server, in io.Reader, out io.Writer) error {
	innerIn, toServer := io.Pipe()
	fromServer, innerOut := io.Pipe()
	done := make(chan struct{}, 2)
	go func() {
		_ = server.Serve(ctx, innerIn, innerOut)
		innerIn.Close()
		innerOut.Close()
		done <- struct{}{}
	}()
	go func() {
		m.copyOut(fromServer, out)
		if c, ok := in.(io.Closer); ok {
			c.Close() // the server has quit, and so does the plugin
		}
		done <- struct{}{}
	}()
	err := m.copyIn(in, toServer, out)
	toServer.Close()
	fromServer.Close()
	<-done
	<-done
	return err
}

func (m *mischief) copyOut(from io.Reader, out io.Writer) {
	for s := bufio.NewScanner(from); s.Scan(); {
		text := s.Text() + "\n"
		if m.out != nil && m.bad() {
			text = m.out(s.Text())
		}
		if _, err := io.WriteString(out, text); err != nil {
			return
		}
	}
}

func (m *mischief) copyIn(in io.Reader, server, out io.Writer) error {
	for s := bufio.NewScanner(in); s.Scan(); {
		a := obey(s.Text())
		if m.in != nil && m.bad() {
			a = m.in(s.Text())
		}
		_, _ = io.WriteString(out, a.say)
		for a.flood {
			if _, err := fmt.Fprintln(out, "all work and no play makes Jack a dull boy"); err != nil {
				return nil
			}
		}
		if a.die {
			return errDeath
		}
		for _, line := range a.obey {
			if _, err := fmt.Fprintln(server, line); err != nil {
				return nil
			}
		}
	}
	return nil
}

// on makes a plugin do something at a command, or at the first word of one.
func on(command string, a act) func(string) act {
	return func(line string) act {
		if line == command || strings.HasPrefix(line, command+" ") {
			return a
		}
		return obey(line)
	}
}

// deaf makes a plugin ignore everything from a command on.
func deaf(command string) func(string) act {
	gone := false
	return func(line string) act {
		gone = gone || line == command || strings.HasPrefix(line, command+" ")
		if gone {
			return act{}
		}
		return obey(line)
	}
}

func noHints(i *Info) { i.Hints = false }

func searchOnce(ctx context.Context, c *Client, lim engine.Limits) ([]engine.Line, error) {
	return engine.Best(ctx, c, position("H2-E2", "H9-G7"), lim)
}

func position(moves ...string) *xiangqi.Position {
	pos := xiangqi.Start()
	for _, text := range moves {
		m, err := pos.Parse(text)
		if err != nil {
			panic(err)
		}
		if pos, err = pos.PlayMove(xiangqi.Move(m)); err != nil {
			panic(err)
		}
	}
	return pos
}

// TestMisbehaviour: whatever a plugin does costs an error that says which, within the
// deadlines, and nothing else. The next search finds it started again.
func TestMisbehaviour(t *testing.T) {
	minute := func(d time.Duration) time.Duration { return 5*time.Minute + d }
	for _, c := range []struct {
		name string
		m    mischief
		lim  engine.Limits
		kind error         // of the search's error; nil: it succeeds all the same
		most time.Duration // that it takes
	}{
		{"passes over FEN", mischief{in: on("FEN", act{})}, engine.Limits{}, pluginclient.ErrRefused, 6 * time.Second},
		{"hangs at FEN", mischief{in: deaf("FEN")}, engine.Limits{}, pluginclient.ErrSilent, 11 * time.Second},
		{"hangs at LOAD", mischief{in: deaf("LOAD")}, engine.Limits{}, pluginclient.ErrSilent, 11 * time.Second},
		{"hangs at LEVEL", mischief{in: on("LEVEL", act{})}, engine.Limits{Level: 3}, pluginclient.ErrStart, 31 * time.Second},
		{"hangs at BAN", mischief{in: deaf("BAN")}, engine.Limits{Ban: mustMoves(t, "I3-I4")}, pluginclient.ErrSilent, 11 * time.Second},
		{"hangs at HINTS", mischief{in: deaf("HINTS")}, engine.Limits{}, pluginclient.ErrSilent, minute(3 * time.Second)},
		{"hangs at HINTS with a time", mischief{in: deaf("HINTS")}, engine.Limits{Time: 4 * time.Second}, pluginclient.ErrSilent, 10 * time.Second},
		{"hangs at AI", mischief{info: noHints, in: deaf("AI")}, engine.Limits{}, pluginclient.ErrSilent, minute(3 * time.Second)},
		{"hangs at UNDO", mischief{info: noHints, in: deaf("UNDO")}, engine.Limits{}, pluginclient.ErrSilent, 11 * time.Second},

		{"half a line at FEN", mischief{in: on("FEN", act{say: "O"})}, engine.Limits{}, pluginclient.ErrHalfLine, 11 * time.Second},
		{"half a line at HINTS", mischief{in: on("HINTS", act{say: "H2-E"})}, engine.Limits{Time: time.Second}, pluginclient.ErrHalfLine, 8 * time.Second},
		{"half a line and death", mischief{in: on("HINTS", act{say: "H2-E", die: true})}, engine.Limits{}, pluginclient.ErrHalfLine, time.Second},

		{"floods at FEN", mischief{in: on("FEN", act{flood: true})}, engine.Limits{}, pluginclient.ErrFlood, time.Second},
		{"floods at HINTS", mischief{in: on("HINTS", act{flood: true})}, engine.Limits{}, pluginclient.ErrFlood, time.Second},
		{"an endless line", mischief{in: on("HINTS", act{say: strings.Repeat("x", 2<<20)})}, engine.Limits{}, pluginclient.ErrFlood, time.Second},

		{"dies at FEN", mischief{in: on("FEN", act{die: true})}, engine.Limits{}, pluginclient.ErrDied, time.Second},
		{"dies at LOAD", mischief{in: on("LOAD", act{die: true})}, engine.Limits{}, pluginclient.ErrDied, time.Second},
		{"dies at BAN", mischief{in: on("BAN", act{die: true})}, engine.Limits{Ban: mustMoves(t, "I3-I4")}, pluginclient.ErrDied, time.Second},
		{"dies at HINTS", mischief{in: on("HINTS", act{die: true})}, engine.Limits{}, pluginclient.ErrDied, time.Second},
		{"dies at AI", mischief{info: noHints, in: on("AI", act{die: true})}, engine.Limits{}, pluginclient.ErrDied, time.Second},
		{"dies at UNDO", mischief{info: noHints, in: on("UNDO", act{die: true})}, engine.Limits{}, pluginclient.ErrDied, time.Second},
		{"dies at TIMEOUT", mischief{pace: time.Hour, in: on("TIMEOUT", act{die: true})}, engine.Limits{Time: time.Second}, pluginclient.ErrDied, 2 * time.Second},
		{"dies at LEVEL 3", mischief{in: on("LEVEL 3", act{die: true})}, engine.Limits{Level: 3}, pluginclient.ErrDied, time.Second},

		{"nonsense for OK", mischief{in: on("FEN", act{say: "jawohl\n"})}, engine.Limits{}, pluginclient.ErrRefused, 6 * time.Second},
		{"nonsense for hints", mischief{in: on("HINTS", act{say: "e2e4\nENDHINTS\n"})}, engine.Limits{}, pluginclient.ErrIllegal, time.Second},
		{"no hints", mischief{in: on("HINTS", act{say: "ENDHINTS\n"})}, engine.Limits{}, pluginclient.ErrNonsense, time.Second},
		{"nonsense for a move", mischief{info: noHints, in: on("AI", act{say: "e2e4 is best\n"})}, engine.Limits{}, pluginclient.ErrIllegal, time.Second},
		{"an illegal move", mischief{info: noHints, in: on("AI", act{say: "A0-A9\n"})}, engine.Limits{}, pluginclient.ErrIllegal, time.Second},
		{"illegal hints", mischief{in: on("HINTS", act{say: "A0-A9\nB0-B9\nENDHINTS\n"})}, engine.Limits{}, pluginclient.ErrIllegal, time.Second},
		{"ERROR for hints", mischief{in: on("HINTS", act{say: "ERROR - too tired\n"})}, engine.Limits{}, pluginclient.ErrRefused, time.Second},
		{"ERROR for BAN", mischief{in: on("BAN", act{say: "ERROR\n"})}, engine.Limits{Ban: mustMoves(t, "I3-I4")}, pluginclient.ErrRefused, time.Second},
		{"level refused", mischief{in: on("LEVEL 3", act{say: "ERROR - Bad level 3 (use 6 to 9)\n"})}, engine.Limits{Level: 3}, pluginclient.ErrRefused, time.Second},
		{"ignores TIMEOUT", mischief{pace: time.Hour, in: on("TIMEOUT", act{})}, engine.Limits{Time: time.Second}, pluginclient.ErrLate, 5 * time.Second},
		{"ignores TIMEOUT and ABORT", mischief{pace: time.Hour, in: func(line string) act {
			if line == "TIMEOUT" || line == "ABORT" {
				return act{}
			}
			return obey(line)
		}}, engine.Limits{Time: time.Second}, pluginclient.ErrSilent, 7 * time.Second},

		{"CRLF", mischief{out: func(line string) string { return line + "\r\n" }}, engine.Limits{}, nil, 0},
		{"chatter", mischief{out: func(line string) string { return "info depth 3\n\n" + line + "\nthinking\n" }}, engine.Limits{Ban: mustMoves(t, "I3-I4")}, nil, 0},
		{"ABORTED at every chance", mischief{out: func(line string) string { return "ABORTED\n" + line + "\nABORTED\n" }}, engine.Limits{}, nil, 0},
		{"lower case", mischief{out: func(line string) string { return strings.ToLower(line) + "\n" }}, engine.Limits{}, nil, 0},
		{"an illegal hint among others", mischief{in: on("HINTS", act{say: "A0-A9\nI3-I4\nENDHINTS\n"})}, engine.Limits{}, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.m.lives = 1
				misbehaveOnce(t, &c.m, c.lim, c.kind, c.most)
			})
		})
	}
}

func misbehaveOnce(t *testing.T, m *mischief, lim engine.Limits, kind error, most time.Duration) {
	begun := time.Now()
	client, err := Dial(t.Context(), m.plugin(), Options{})
	if err == nil {
		_, err = searchOnce(t.Context(), client, lim)
		defer client.Close()
	}
	took := time.Since(begun)
	switch {
	case kind == nil && err != nil:
		t.Fatalf("error %v", err)
	case !errors.Is(err, kind):
		t.Fatalf("error %v, want %v", err, kind)
	case took > most:
		t.Fatalf("took %v, want at most %v", took, most)
	}
	if kind == nil {
		return
	}
	t.Log(err)
	var told *pluginclient.Error
	if !errors.As(err, &told) || told.Engine != "mischief" || len(told.Last) == 0 {
		t.Fatalf("the error does not tell who and what: %v", err)
	}
	m.lives = -1 // it has learned
	if client == nil {
		return
	}
	if _, err := searchOnce(t.Context(), client, lim); err != nil {
		t.Errorf("the search after that: %v", err)
	}
}

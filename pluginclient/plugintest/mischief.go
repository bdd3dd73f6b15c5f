package plugintest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"qhsh/pluginclient"
)

// A Mischief is an engine that behaves but for what a test wants it to do. In each life it
// sees the host's lines and its own answers pass by. The fields are set before the first
// start.
type Mischief struct {
	// Engine starts the engine that behaves.
	Engine pluginclient.Starter
	// Lives is how many lives it misbehaves in; 0: all.
	Lives int
	// In answers what happens to a host's line; nil: it is obeyed.
	In Behaviour
	// Out answers the bytes to be sent for an answer; nil: the line itself.
	Out func(line string) string
	// Stderr is what each life says there; empty: it has no stderr.
	Stderr string

	starts   atomic.Int32
	reformed atomic.Bool
}

var errDeath = errors.New("exit status 3")

// Start begins a life. It is a pluginclient.Starter.
func (m *Mischief) Start(ctx context.Context) (*pluginclient.Streams, error) {
	m.starts.Add(1)
	inner, err := m.Engine(ctx)
	if err != nil {
		return nil, err
	}
	streams, err := pluginclient.Pipe(func(_ context.Context, in io.Reader, out io.Writer) error {
		return m.serve(inner, in, out)
	})(ctx)
	if m.Stderr != "" && err == nil {
		streams.Stderr = io.NopCloser(strings.NewReader(m.Stderr))
	}
	return streams, err
}

// Starts is how often it was started.
func (m *Mischief) Starts() int { return int(m.starts.Load()) }

// Reform makes it behave from now on, in this life too.
func (m *Mischief) Reform() { m.reformed.Store(true) }

func (m *Mischief) bad() bool {
	return !m.reformed.Load() && (m.Lives == 0 || m.Starts() <= m.Lives)
}

func (m *Mischief) serve(inner *pluginclient.Streams, in io.Reader, out io.Writer) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.copyOut(inner.Stdout, out)
		if c, ok := in.(io.Closer); ok {
			c.Close() // the engine has quit
		}
	}()
	err := m.copyIn(in, inner.Stdin, out)
	inner.Stdin.Close()
	inner.Kill()
	<-done
	_ = inner.Wait()
	return err
}

func (m *Mischief) copyOut(from io.Reader, out io.Writer) {
	for s := bufio.NewScanner(from); s.Scan(); {
		text := s.Text() + "\n"
		if m.Out != nil && m.bad() {
			text = m.Out(s.Text())
		}
		if _, err := io.WriteString(out, text); err != nil {
			return
		}
	}
}

// copyIn hands on what the host says until one of the three ends.
func (m *Mischief) copyIn(in io.Reader, inner, out io.Writer) error {
	for s := bufio.NewScanner(in); s.Scan(); {
		a := Obey(s.Text())
		if m.In != nil && m.bad() {
			a = m.In(s.Text())
		}
		_, _ = io.WriteString(out, a.Say)
		switch {
		case a.Flood:
			return flood(out)
		case a.Die:
			return errDeath
		case a.Hang:
			_, err := io.Copy(io.Discard, in)
			return err
		}
		for _, line := range a.Obey {
			if _, err := fmt.Fprintln(inner, line); err != nil {
				return nil
			}
		}
	}
	return nil
}

// flood writes until nobody reads any more.
func flood(out io.Writer) error {
	for {
		if _, err := fmt.Fprintln(out, "all work and no play makes Jack a dull boy"); err != nil {
			return nil
		}
	}
}

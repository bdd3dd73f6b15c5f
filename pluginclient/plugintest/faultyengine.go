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

// A FaultyEngine is an engine that behaves but for what a test wants it to do. In each life it
// sees the host's lines and its own answers pass by. The fields are set before the first
// start.
type FaultyEngine struct {
	// Engine starts the engine that behaves.
	Engine pluginclient.Starter
	// FaultyStarts is how many lives it misbehaves in; 0: all.
	FaultyStarts int
	// OnCommand answers what happens to a host's line; nil: it is obeyed.
	OnCommand Behaviour
	// OnReply answers the bytes to be sent for an answer; nil: the line itself.
	OnReply func(line string) string
	// Stderr is what each life says there; empty: it has no stderr.
	Stderr string

	starts   atomic.Int32
	reformed atomic.Bool
}

var errDeath = errors.New("exit status 3")

// Start begins a life. It is a pluginclient.Starter.
func (m *FaultyEngine) Start(ctx context.Context) (*pluginclient.Streams, error) {
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
func (m *FaultyEngine) Starts() int { return int(m.starts.Load()) }

// StopFaults makes the engine behave from now on, even in the current run.
func (m *FaultyEngine) StopFaults() { m.reformed.Store(true) }

func (m *FaultyEngine) bad() bool {
	return !m.reformed.Load() && (m.FaultyStarts == 0 || m.Starts() <= m.FaultyStarts)
}

func (m *FaultyEngine) serve(inner *pluginclient.Streams, in io.Reader, out io.Writer) error {
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

func (m *FaultyEngine) copyOut(from io.Reader, out io.Writer) {
	for s := bufio.NewScanner(from); s.Scan(); {
		text := s.Text() + "\n"
		if m.OnReply != nil && m.bad() {
			text = m.OnReply(s.Text())
		}
		if _, err := io.WriteString(out, text); err != nil {
			return
		}
	}
}

// copyIn hands on what the host says until one of the three ends.
func (m *FaultyEngine) copyIn(in io.Reader, inner, out io.Writer) error {
	for s := bufio.NewScanner(in); s.Scan(); {
		a := Obey(s.Text())
		if m.OnCommand != nil && m.bad() {
			a = m.OnCommand(s.Text())
		}
		_, _ = io.WriteString(out, a.Send)
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

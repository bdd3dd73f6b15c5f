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

// A FaultyEngine is an engine that behaves except for the faults that a test sets. In each process
// it sees the host's lines and its own answers. The fields must be set before the first start.
type FaultyEngine struct {
	// Engine starts the engine without faults.
	Engine pluginclient.Starter
	// FaultyStarts is how many processes misbehave; 0: all.
	FaultyStarts int
	// OnCommand decides what happens with a line of the host; nil: it is executed.
	OnCommand Behaviour
	// OnReply returns the bytes to send for an answer; nil: the line itself.
	OnReply func(line string) string
	// Stderr is the output of each process to stderr; empty: there is no stderr.
	Stderr string

	starts        atomic.Int32
	faultsStopped atomic.Bool
}

var errExit = errors.New("exit status 3")

// Start starts a process. It is a pluginclient.Starter.
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

// Starts returns how often the engine was started.
func (m *FaultyEngine) Starts() int { return int(m.starts.Load()) }

// StopFaults makes the engine behave from now on, even in the current run.
func (m *FaultyEngine) StopFaults() { m.faultsStopped.Store(true) }

func (m *FaultyEngine) isFaulty() bool {
	return !m.faultsStopped.Load() && (m.FaultyStarts == 0 || m.Starts() <= m.FaultyStarts)
}

func (m *FaultyEngine) serve(inner *pluginclient.Streams, in io.Reader, out io.Writer) error {
	done := make(chan struct{})
	var dead atomic.Bool
	go func() {
		defer close(done)
		m.copyOut(inner.Stdout, out, &dead)
		if c, ok := in.(io.Closer); ok {
			c.Close() // the engine has quit
		}
	}()
	err := m.copyIn(in, inner.Stdin, out)
	dead.Store(err != nil) // the engine without faults may answer when its input ends
	inner.Stdin.Close()
	inner.Kill()
	<-done
	_ = inner.Wait()
	return err
}

// copyOut passes the engine's answers on until it is dead.
func (m *FaultyEngine) copyOut(from io.Reader, out io.Writer, dead *atomic.Bool) {
	for s := bufio.NewScanner(from); s.Scan() && !dead.Load(); {
		text := s.Text() + "\n"
		if m.OnReply != nil && m.isFaulty() {
			text = m.OnReply(s.Text())
		}
		if _, err := io.WriteString(out, text); err != nil {
			return
		}
	}
}

// copyIn passes the host's lines on until one of the three ends.
func (m *FaultyEngine) copyIn(in io.Reader, inner, out io.Writer) error {
	for s := bufio.NewScanner(in); s.Scan(); {
		a := Obey(s.Text())
		if m.OnCommand != nil && m.isFaulty() {
			a = m.OnCommand(s.Text())
		}
		_, _ = io.WriteString(out, a.Send)
		switch {
		case a.Flood:
			return flood(out)
		case a.Die:
			return errExit
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

// flood writes until the reader has gone.
func flood(out io.Writer) error {
	for {
		if _, err := fmt.Fprintln(out, "all work and no play makes Jack a dull boy"); err != nil {
			return nil
		}
	}
}

package universal_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"qhsh/pluginclient"
	"qhsh/pluginclient/universal"
)

// mischief is an engine that behaves but for what a test wants it to do. In each life it
// sees the host's lines and its own answers pass by.
type mischief struct {
	program universal.Program
	lives   atomic.Int32 // how many lives it misbehaves in; 0: all
	// in answers what happens to a host's line; nil: it is obeyed.
	in behaviour
	// out answers the bytes to be sent for an answer; nil: the line itself.
	out func(line string) string

	life   atomic.Int32 // starts so far
	stderr string
}

// act is what an engine does with a line instead of obeying it.
type act struct {
	obey  []string // lines to be obeyed instead
	say   string   // bytes to be sent
	flood bool     // it then writes for ever
	die   bool     // it then dies
	hang  bool     // it then neither reads nor writes any more
}

type behaviour func(line string) act

func obey(lines ...string) act { return act{obey: lines} }

func say(text string) act { return act{say: text} }

var errDeath = errors.New("exit status 3")

func (m *mischief) start() universal.Program {
	return universal.Program{Name: "mischief", Start: func(ctx context.Context) (*pluginclient.Streams, error) {
		m.life.Add(1)
		inner, err := m.program.Start(ctx)
		if err != nil {
			return nil, err
		}
		streams, err := pluginclient.Pipe(func(_ context.Context, in io.Reader, out io.Writer) error {
			return m.serve(inner, in, out)
		})(ctx)
		if m.stderr != "" && err == nil {
			streams.Stderr = io.NopCloser(strings.NewReader(m.stderr))
		}
		return streams, err
	}}
}

func (m *mischief) bad() bool {
	lives := m.lives.Load()
	return lives == 0 || m.life.Load() <= lives
}

func (m *mischief) serve(inner *pluginclient.Streams, in io.Reader, out io.Writer) error {
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

func (m *mischief) copyIn(in io.Reader, engine, out io.Writer) error {
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
		if a.hang {
			_, err := io.Copy(io.Discard, in)
			return err
		}
		for _, line := range a.obey {
			if _, err := fmt.Fprintln(engine, line); err != nil {
				return nil
			}
		}
	}
	return nil
}

// on makes an engine do something at a command, or at the first word of one.
func on(command string, a act) behaviour {
	return func(line string) act {
		if line == command || strings.HasPrefix(line, command+" ") {
			return a
		}
		return obey(line)
	}
}

// endless makes an engine search without limits.
func endless(then behaviour) behaviour {
	return func(line string) act {
		if strings.HasPrefix(line, "go ") {
			return obey("go infinite")
		}
		return then(line)
	}
}

func plain(line string) act { return obey(line) }

// hide leaves out the offers of some options.
func hide(names ...string) func(string) string {
	return func(line string) string {
		if opt, ok := universal.ParseOption(line); ok && slices.Contains(names, opt.Name) {
			return ""
		}
		return line + "\n"
	}
}

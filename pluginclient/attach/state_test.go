package attach_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/engine/games/gamestest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
)

// modeVar is the environment variable that makes this program an engine, in the mode that its first
// argument names.
const modeVar = "QHSH_TEST_MODE"

func init() {
	if os.Getenv(modeVar) == "" {
		return
	}
	for _, mode := range attach.DefaultKinds(games.Default).Modes() {
		if mode.Flag != os.Args[1] {
			continue
		}
		e, err := attach.Parse("builtin", attach.Options{Games: games.Default})
		if err == nil {
			err = mode.Serve(context.Background(), attach.ServeConfig{Engine: e, In: os.Stdin, Out: os.Stdout})
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(2)
}

// program returns the SPEC of this program as an engine of a kind.
func program(t *testing.T, kind, mode string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s,env.%s=1,env.GORACE=atexit_sleep_ms=0:'%s' %s", kind, modeVar, exe, mode)
}

// native returns the engine behind a bridge.
func native(s pluginclient.Session) pluginclient.Session { return s.(pluginclient.Bridge).Native() }

// TestState: the state that a Session of each kind reports after its engine has ended or restarted.
func TestState(t *testing.T) {
	o := attach.Options{
		Games: games.Default.With(gamestest.Stones(enginetest.Ranker{})), Memory: 1 << 30,
		ClientOptions: pluginclient.ClientOptions{Warn: func(text string) { t.Error(text) }},
	}
	for _, c := range []struct {
		name, spec string
		quit       string // a line that ends the engine; empty: there is none
		line       string // a line of an engine that none ends
		talks      func(pluginclient.Session) pluginclient.Session
	}{
		{name: "builtin", spec: "builtin", quit: "QUIT"},
		{name: "quoridor", spec: "quoridor", quit: "quit"},
		{name: "stones", spec: "stones"},
		{name: "qh", spec: program(t, "qh", "-plugin"), quit: "quit"},
		{name: "uci", spec: program(t, "uci", "-uci"), quit: "QUIT"},
		{name: "uci itself", spec: program(t, "uci", "-uci"), quit: "quit", talks: native},
		{name: "ucci", spec: program(t, "ucci", "-ucci"), quit: "QUIT"},
		{name: "ucci itself", spec: program(t, "ucci", "-ucci"), quit: "quit", talks: native},
		{name: "xboard", spec: program(t, "xboard", "-xboard"), quit: "QUIT"},
		{name: "xboard itself", spec: program(t, "xboard", "-xboard"), quit: "quit", talks: native},
		{name: "qtp", spec: program(t, "qtp", "-qtp"), quit: "quit"},
		{name: "jsonl", spec: program(t, "jsonl", "-jsonl"), line: `{"id":1,"action":"versions"}`},
		{name: "jsonl itself", spec: program(t, "jsonl", "-jsonl"), line: `{"id":1,"action":"versions"}`, talks: native},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := attach.Open(t.Context(), c.spec, o)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			l := life{t, s, s}
			if c.talks != nil {
				l.talks = c.talks(s)
			}
			l.expect("opened", pluginclient.StatusRunning, nil, false)
			if c.line != "" {
				l.kill(c.line)
			} else if c.quit == "" { // no process that could be lost
				s.Kill()
				l.expect("killed", pluginclient.StatusRunning, nil, false)
				l.restart()
			} else {
				l.quit(c.quit)
				l.kill(c.quit)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			l.expect("closed", pluginclient.StatusEnded, nil, false)
		})
	}
}

// A life tests the ends and restarts of a Session's engine.
type life struct {
	*testing.T
	session pluginclient.Session
	talks   pluginclient.Session // the target of lines: the Session, or the engine behind it
}

// expect compares the state.
func (l life) expect(when string, want pluginclient.Status, why error, reported bool) {
	l.Helper()
	got := l.session.State()
	if got.Status != want || !errors.Is(got.Err, why) || (got.Err == nil) != (why == nil) || got.Reported != reported {
		l.Errorf("%s: %+v, want %d: %v", when, got, want, why)
	}
}

func (l life) bridged() bool {
	_, ok := l.session.(pluginclient.Bridge)
	return ok
}

func (l life) restart() {
	l.Helper()
	if err := l.session.Restart(l.Context()); err != nil {
		l.Fatal(err)
	}
	l.expect("started again", pluginclient.StatusRunning, nil, false)
}

// quit ends the engine by a line, twice, and starts it again.
func (l life) quit(line string) {
	if _, err := l.talks.Raw(l.Context(), line); err != nil {
		l.Fatal(err)
	}
	l.expect("told to quit", pluginclient.StatusEnded, nil, false)
	if _, err := l.talks.Raw(l.Context(), line); !errors.Is(err, pluginclient.ErrNotRunning) {
		l.Errorf("told to quit twice: %v", err)
	}
	l.expect("told to quit twice", pluginclient.StatusEnded, nil, false)
	l.restart()
}

// kill ends the engine by force, sends it lines, and starts it again.
func (l life) kill(line string) {
	l.session.Kill()
	l.expect("killed", pluginclient.StatusLost, pluginclient.ErrDied, false)
	if !l.bridged() || l.talks != l.session { // a plugin in front of the engine keeps running
		if _, err := l.talks.Raw(l.Context(), line); !pluginclient.Lost(err) {
			l.Errorf("a call after it was killed: %v", err)
		}
		l.expect("killed, and called", pluginclient.StatusLost, pluginclient.ErrDied, true)
		if _, err := l.talks.Raw(l.Context(), line); !errors.Is(err, pluginclient.ErrNotRunning) {
			l.Errorf("another call: %v", err)
		}
		l.expect("called again", pluginclient.StatusLost, pluginclient.ErrDied, true)
	}
	l.restart()
}

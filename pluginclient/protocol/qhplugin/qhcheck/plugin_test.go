package qhcheck

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/qhplugin"
)

// A player is a Searcher that returns at once, and when it is stopped at its slow level. It
// finds mates in one, and avoids those of the other side if it has two moves.
type player struct {
	pace time.Duration // thinking time at other levels, unless stopped
	slow int           // the slow level; 0: 2
	only string        // the board on which the slow level is slow; empty: all
}

func (player) Levels() []engine.Level {
	return []engine.Level{{ID: 1, Text: "at once"}, {ID: 2, Text: "never by itself"}}
}

func (p player) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		pace := p.pace
		if lim.Level == cmp.Or(p.slow, 2) && strings.HasPrefix(pos.String(), p.only) {
			pace = time.Hour
		}
		if !yield(ranked(pos, lim), nil) || pace == 0 {
			return
		}
		select {
		case <-time.After(pace):
			return
		case <-ctx.Done():
		}
		if cause := context.Cause(ctx); !errors.Is(cause, engine.ErrMoveNow) {
			yield(nil, cause)
		}
	}
}

func ranked(pos engine.Position, lim engine.Limits) []engine.Line {
	var mates, others, mated []engine.Line
	for _, m := range pos.Moves() {
		next, err := pos.Play(m)
		switch {
		case err != nil || slices.Contains(lim.Ban, m):
		case next.Result().Over():
			mates = append(mates, engine.Line{Moves: []engine.Move{m}, Score: engine.MateIn(1)})
		case len(pos.Moves()) == 2 && canMate(next):
			mated = append(mated, engine.Line{Moves: []engine.Move{m}, Score: engine.MateIn(-1)})
		default:
			others = append(others, engine.Line{Moves: []engine.Move{m, next.Moves()[0]}, Score: engine.Centipawns(-len(others))})
		}
	}
	all := slices.Concat(mates, others, mated)
	return all[:min(len(all), max(lim.Lines, 1))]
}

func canMate(pos engine.Position) bool {
	return slices.ContainsFunc(pos.Moves(), func(m engine.Move) bool {
		next, err := pos.Play(m)
		return err == nil && next.Result().Over()
	})
}

// A behaviour changes one process of a plugin.
type behaviour struct {
	debug  bool                  // started with the argument debug
	greet  string                // written at the start
	raw    func(p []byte) []byte // the part of a write that it reads; nil: all
	in     plugintest.Behaviour
	out    func(line string) string
	last   atomic.Value // first word of the last command
	before atomic.Value // first word of the command before
	asked  atomic.Value // last of AI and HINTS
	think  atomic.Int32 // number of AI and HINTS without an answer
}

// newPlugin returns a plugin without faults, changed by tamper.
func newPlugin(server *qhplugin.Server, debug bool, tamper func(t *behaviour)) pluginclient.Starter {
	return func(ctx context.Context) (*pluginclient.Streams, error) {
		t := &behaviour{debug: debug, in: func(line string) plugintest.Action { return plugintest.Obey(line) }, out: func(line string) string { return line + "\n" }}
		t.last.Store("")
		t.before.Store("")
		t.asked.Store("")
		if tamper != nil {
			tamper(t)
		}
		in, out := t.in, t.out
		m := &plugintest.FaultyEngine{
			Engine: pluginclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
				if _, err := io.WriteString(out, t.greet); err != nil {
					return err
				}
				return server.Serve(ctx, in, out)
			}),
			OnCommand: func(line string) plugintest.Action {
				act := in(line)
				cmd, _ := qhplugin.ParseCommand(line)
				t.before.Store(t.last.Load())
				t.last.Store(string(cmd.Word))
				if cmd.Word == qhplugin.AI || cmd.Word == qhplugin.Hints {
					t.asked.Store(string(cmd.Word))
					t.think.Add(1)
				}
				return act
			},
			OnReply: func(line string) string {
				first, _, more := strings.Cut(line, " ")
				if n := t.think.Load(); n > 0 && (isMove(first) && !more || hasWord(line, "ENDHINTS") || hasWord(line, "ABORTED") || hasWord(line, "ERROR")) {
					t.think.Store(n - 1)
				}
				return out(line)
			},
		}
		streams, err := m.Start(ctx)
		if err == nil && t.raw != nil {
			streams.Stdin = reading{streams.Stdin, t.raw}
		}
		return streams, err
	}
}

// reading is a plugin's input that passes what raw returns.
type reading struct {
	io.WriteCloser
	raw func(p []byte) []byte
}

func (r reading) Write(p []byte) (int, error) {
	if _, err := r.WriteCloser.Write(r.raw(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

func newServer() *qhplugin.Server {
	return &qhplugin.Server{Searcher: player{}, Name: "player", Level: 1}
}

// in replaces actions for commands.
func in(f func(t *behaviour, word, line string) (plugintest.Action, bool)) func(*behaviour) {
	return func(t *behaviour) {
		t.in = func(line string) plugintest.Action {
			cmd, _ := qhplugin.ParseCommand(line)
			if act, ok := f(t, string(cmd.Word), line); ok {
				return act
			}
			return plugintest.Obey(line)
		}
	}
}

// on replaces the action for one command, with any argument.
func on(word string, act plugintest.Action) func(*behaviour) {
	return in(func(_ *behaviour, w, _ string) (plugintest.Action, bool) { return act, w == word })
}

// idle is on while the plugin does not think; thinking is for while it thinks.
func idle(word string, act plugintest.Action) func(*behaviour) {
	return in(func(t *behaviour, w, _ string) (plugintest.Action, bool) {
		return act, w == word && t.think.Load() == 0
	})
}

func thinking(f func(word string) (plugintest.Action, bool)) func(*behaviour) {
	return in(func(t *behaviour, w, _ string) (plugintest.Action, bool) {
		act, ok := f(w)
		return act, ok && t.think.Load() > 0
	})
}

// accepts replaces the answer ERROR with a given text to a command.
func accepts(word, text, answer string) func(*behaviour) {
	return func(t *behaviour) {
		t.out = func(line string) string {
			if t.last.Load() == word && strings.HasPrefix(line, "ERROR") && strings.Contains(line, text) {
				return answer
			}
			return line + "\n"
		}
	}
}

// onReply replaces lines of output.
func onReply(f func(t *behaviour, line string) string) func(*behaviour) {
	return func(t *behaviour) { t.out = func(line string) string { return f(t, line) } }
}

// ignoresList answers OK to a list and ignores it, unless it interrupts a search.
func ignoresList(word string, from int) func(*behaviour) {
	return func(t *behaviour) {
		left := 0
		in(func(t *behaviour, w, line string) (plugintest.Action, bool) {
			if left > 0 {
				if left--; left == 0 {
					return plugintest.Send("OK\n"), true
				}
				return plugintest.Action{}, true
			}
			n := count(line)
			if w != word || n < from || t.think.Load() > 0 {
				return plugintest.Action{}, false
			}
			if left = n; left == 0 {
				return plugintest.Send("OK\n"), true
			}
			return plugintest.Action{}, true
		})(t)
	}
}

// count returns the number after LOAD or BAN, or -1.
func count(line string) int {
	cmd, _ := qhplugin.ParseCommand(line)
	if n, err := cmd.Count(); err == nil {
		return n
	}
	return -1
}

func isMove(line string) bool { return moveFormat().MatchString(line) }

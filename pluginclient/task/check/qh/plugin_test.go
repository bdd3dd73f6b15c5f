package qh

import (
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

// player is a Searcher that answers at once at level 1, and at level 2 when it is told to. It
// sees mates in one.
type player struct {
	pace time.Duration // that it takes at level 1 unless it is told to move
}

func (player) Levels() []engine.Level {
	return []engine.Level{{ID: 1, Text: "at once"}, {ID: 2, Text: "never by itself"}}
}

func (p player) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if !yield(ranked(pos, lim), nil) || lim.Level != 2 && p.pace == 0 {
			return
		}
		pace := time.Hour
		if lim.Level != 2 {
			pace = p.pace
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
	var mates, others []engine.Line
	for _, m := range pos.Moves() {
		next, err := pos.Play(m)
		switch {
		case err != nil || slices.Contains(lim.Ban, m):
		case next.Result().Over():
			mates = append(mates, engine.Line{Moves: []engine.Move{m}, Score: engine.MateIn(1)})
		default:
			others = append(others, engine.Line{Moves: []engine.Move{m, next.Moves()[0]}, Score: engine.Centipawns(-len(others))})
		}
	}
	all := slices.Concat(mates, others)
	return all[:min(len(all), max(lim.Lines, 1))]
}

// behaviour is what a fault does to one life of a plugin.
type behaviour struct {
	debug  bool                  // it was started with the word debug
	greet  string                // what it says by itself
	raw    func(p []byte) []byte // what it reads of a piece that is written to it; nil: all
	in     plugintest.Behaviour
	out    func(line string) string
	last   atomic.Value // the last command's first word
	before atomic.Value // that of the one before
	asked  atomic.Value // the last of AI and HINTS
	think  atomic.Int32 // how many of them have no answer yet
}

// newPlugin returns a plugin that behaves but for what tamper makes of it.
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

// reading is a plugin's input of which it reads as much as raw says.
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

// in makes a plugin do something else with a command.
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

// on makes it do something else with one command, whatever stands after it.
func on(word string, act plugintest.Action) func(*behaviour) {
	return in(func(_ *behaviour, w, _ string) (plugintest.Action, bool) { return act, w == word })
}

// idle and thinking are on for a plugin that does not think, or does.
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

// accepts answers something else where the answer to a command is ERROR with a text in it.
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

// onReply changes what is said.
func onReply(f func(t *behaviour, line string) string) func(*behaviour) {
	return func(t *behaviour) { t.out = func(line string) string { return f(t, line) } }
}

// ignoresList answers OK to a list and does nothing with it, unless it interrupts a thought.
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

// count returns the number after LOAD or BAN; -1 if there is none.
func count(line string) int {
	cmd, _ := qhplugin.ParseCommand(line)
	if n, err := cmd.Count(); err == nil {
		return n
	}
	return -1
}

func isMove(line string) bool { return moveFormat.MatchString(line) }

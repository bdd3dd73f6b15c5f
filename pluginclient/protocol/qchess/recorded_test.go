package qchess_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	rules "qhsh/engine/qchess"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qchess"
)

// A conversation is a recorded game of an agent: the lines that it got and its answers.
type conversation struct {
	name           string
	lines, answers []string
}

// conversations returns those of testdata/recorded: the agents sample.py and agent++ of the
// original repository with this package's client, and this package's server with the original one.
func conversations(t *testing.T) (all []*conversation) {
	t.Helper()
	files, err := filepath.Glob("testdata/recorded/*.txt")
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			l, err := pluginclient.ParseTraceLine(strings.TrimSuffix(line, "\n"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := rules.ParseColour(l.Text); err == nil {
				all = append(all, &conversation{name: filepath.Base(file) + " " + l.Text})
			}
			c := all[len(all)-1]
			if l.Dir == pluginclient.Received {
				c.answers = append(c.answers, l.Text)
			} else {
				c.lines = append(c.lines, l.Text)
			}
		}
	}
	return all
}

// TestRecordedAgents plays the recorded games with an agent that gives the recorded answers. The
// client understands them, and sends the same lines.
func TestRecordedAgents(t *testing.T) {
	for _, c := range conversations(t) {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			client, err := qchess.Dial(t.Context(), pluginclient.Program{Name: "agent", Start: c.agent(&got)}, pluginclient.ClientOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			c.play(t, client)
			if diff := cmp.Diff(c.lines, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// agent gives the recorded answers, and stores the lines that it gets.
func (c *conversation) agent(got *[]string) pluginclient.Starter {
	return pluginclient.Pipe(func(_ context.Context, in io.Reader, out io.Writer) error {
		answers := c.answers
		for s := bufio.NewScanner(in); s.Scan(); {
			*got = append(*got, s.Text())
			if s.Text() == qchess.Selection || s.Text() == qchess.Move {
				if _, err := fmt.Fprintln(out, answers[0]); err != nil {
					return err
				}
				answers = answers[1:]
			}
			if strings.HasPrefix(s.Text(), qchess.Quit) {
				return nil
			}
		}
		return nil
	})
}

// play makes the client go through the game.
func (c *conversation) play(t *testing.T, client *qchess.Client) {
	pos, chosen := rules.Rules.Start(), engine.NoMove
	for _, line := range c.lines[1:] {
		switch u, err := rules.ParseUpdate(line); {
		case err == nil:
			board := pos.(*rules.Position).Board()
			steps, err := board.Apply(u)
			if err != nil || chosen != engine.NoMove && engine.Move(steps[0]) != chosen {
				t.Fatalf("%s: %v, %v after the answer %v", line, steps, err, rules.Step(chosen))
			}
			for _, s := range steps {
				if pos, err = pos.Play(engine.Move(s)); err != nil {
					t.Fatal(err)
				}
			}
			chosen = engine.NoMove
		case strings.HasPrefix(line, qchess.Quit):
			if err := client.CheckResult(t.Context(), pos); err != nil {
				t.Error(err)
			}
		default:
			best, err := engine.Best(t.Context(), client, pos, engine.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			chosen = best[0].Move()
		}
	}
}

// TestRecordedServers sends the recorded lines to a server whose engine chooses the recorded
// squares. The server writes them at the same requests, and has no warnings.
func TestRecordedServers(t *testing.T) {
	for _, c := range conversations(t) {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			s := qchess.Server{
				Searcher: &recordedSearcher{c.answers}, Name: "recorded",
				Limits: func() engine.Limits { return engine.Limits{} }, Warn: func(text string) { t.Error(text) },
			}
			if err := s.Serve(t.Context(), strings.NewReader(strings.Join(c.lines, "\n")+"\n"), &out); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Join(c.answers, "\n")+"\n", out.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A recordedSearcher chooses the recorded squares.
type recordedSearcher struct{ answers []string }

func (r *recordedSearcher) Search(_ context.Context, pos engine.Position, _ engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		m, err := pos.Parse(r.answers[0])
		r.answers = r.answers[1:]
		yield([]engine.Line{{Moves: []engine.Move{m}}}, err)
	}
}

package ucicheck

import (
	"context"
	"errors"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/task/check"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// A player is a Searcher that returns at once with a node or depth limit, otherwise when it is
// stopped. It finds mates in one.
type player struct{}

func (player) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if !yield(ranked(pos, lim), nil) || lim.Nodes > 0 || lim.Depth > 0 {
			return
		}
		var end <-chan time.Time
		if lim.Time > 0 {
			end = time.After(lim.Time)
		}
		select {
		case <-ctx.Done():
			if cause := context.Cause(ctx); !errors.Is(cause, engine.ErrMoveNow) {
				yield(nil, cause)
			}
		case <-end:
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
			mates = append(mates, engine.Line{Moves: []engine.Move{m}, Score: engine.MateIn(1), Depth: 1, Nodes: 1})
		default:
			others = append(others, engine.Line{Moves: []engine.Move{m, next.Moves()[0]}, Score: engine.Centipawns(-len(others)), Depth: 1, Nodes: 1})
		}
	}
	all := slices.Concat(mates, others)
	return all[:min(len(all), max(lim.Lines, 1))]
}

func engineOf(ofUCCI bool, in plugintest.Behaviour, out func(string) string) Engine {
	d := uci.UCI
	if ofUCCI {
		d = uci.UCCI
	}
	program := d.InProcess(uci.ServerConfig{Searcher: player{}, Name: "player"})
	start := program.Start
	if in != nil || out != nil {
		start = func(ctx context.Context) (*pluginclient.Streams, error) {
			return (&plugintest.FaultyEngine{Engine: program.Start, OnCommand: in, OnReply: out}).Start(ctx)
		}
	}
	return Engine{Name: "player", Dialect: d, Start: start}
}

func examine(t *testing.T, e Engine) *check.Report {
	r, err := check.Run(t.Context(), Suite(e), check.Options{Spec: "player", Budget: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func found(r *check.Report, verdicts ...check.Verdict) []string {
	var names []string
	for _, res := range r.Results {
		if slices.Contains(verdicts, res.Verdict) {
			names = append(names, res.Name)
		}
	}
	slices.Sort(names)
	return names
}

// TestFaultless checks that this module's servers pass all checks.
func TestFaultless(t *testing.T) {
	for _, ofUCCI := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			r := examine(t, engineOf(ofUCCI, nil, nil))
			if bad := found(r, check.Failed, check.Advised, check.Skipped, check.Unreached, check.Absent); len(bad) > 0 || len(r.Results) < 40 {
				t.Errorf("UCCI %v: %d checks, not passed: %v", ofUCCI, len(r.Results), bad)
			}
		})
	}
}

// drop removes lines with a prefix. change replaces the prefix of lines.
func drop(prefix string) func(string) string { return change(prefix, "") }

func change(prefix, with string) func(string) string {
	return func(line string) string {
		if !strings.HasPrefix(line, prefix) {
			return line + "\n"
		}
		if with == "" {
			return ""
		}
		return with + strings.TrimPrefix(line, prefix) + "\n"
	}
}

func on(prefix string, act plugintest.Action) plugintest.Behaviour {
	return func(line string) plugintest.Action {
		if strings.HasPrefix(line, prefix) {
			return act
		}
		return plugintest.Obey(line)
	}
}

var stopChecks = []string{"stop.0", "stop.10", "stop.100", "stop.1000"}

package batch_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
)

// solo is a Session that always gives the same answer.
type solo struct {
	pluginclient.Session
	lines []engine.Line
	err   error
}

func (solo) Info() pluginclient.Info       { return pluginclient.Info{Name: "Solo"} }
func (solo) Level() (int, bool)            { return 3, true }
func (solo) Restart(context.Context) error { return nil }

func (s solo) Search(context.Context, engine.Position, engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) { yield(s.lines, s.err) }
}

func TestAlone(t *testing.T) {
	start := xiangqi.Start()
	for _, c := range []struct {
		name  string
		lines []engine.Line
		err   error
		want  string
	}{
		{"answer", []engine.Line{{Moves: start.Moves()[:1], Score: engine.Centipawns(7)}}, nil, "Solo 3 [A0-A1], <nil>, <nil>"},
		{"illegal", []engine.Line{{Moves: []engine.Move{engine.NoMove}}}, nil, "Solo 3 [], illegal, <nil>"},
		{"failure", nil, errors.New("lost its mind"), "Solo 3 [], lost its mind, <nil>"},
		{"gone", nil, fmt.Errorf("%w: no such file", pluginclient.ErrStart), "Solo 3 [], <nil>, cannot be started"},
	} {
		asker := batch.SessionAsker{Session: solo{lines: c.lines, err: c.err}}
		reply, err := asker.Ask(t.Context(), start)
		moves := []string{}
		for _, h := range reply.Hints {
			moves = append(moves, h.Move)
		}
		what := func(err error) string {
			switch {
			case errors.Is(err, pluginclient.ErrIllegal):
				return "illegal"
			case errors.Is(err, pluginclient.ErrStart):
				return "cannot be started"
			}
			return fmt.Sprint(err)
		}
		if got := fmt.Sprintf("%s %d %v, %s, %s", reply.Engine, reply.Limits.Level, moves, what(reply.Err), what(err)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	asker := batch.SessionAsker{Session: solo{err: ctx.Err()}}
	if _, err := asker.Ask(ctx, start); !errors.Is(err, enough) || asker.Size() != 1 {
		t.Errorf("%v", err)
	}
}

// TestMoveReader: a game's additional move notations are read, and a move in two notations is one
// move.
func TestMoveReader(t *testing.T) {
	const line = "startpos moves 炮二平五 H8+7; bm Hg2, 車九進一, h0g2;"
	item := batch.Parse(notation.Rules, line)
	if item.Err != nil || item.Unscored != nil {
		t.Fatal(item.Err, item.Unscored)
	}
	got := [][]string{item.Moves, item.BM}
	if diff := cmp.Diff([][]string{{"H2-E2", "H9-G7"}, {"H0-G2", "A0-A1"}}, got); diff != "" {
		t.Error(diff)
	}
	if item := batch.Parse(xiangqi.Rules, line); item.Err == nil {
		t.Error("the rules without notations parse a Chinese move")
	}
}

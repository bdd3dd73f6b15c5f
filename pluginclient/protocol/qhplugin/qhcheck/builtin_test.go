package qhcheck

import (
	"context"
	"iter"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// slower is a Searcher whose iterations take twice as much of the bubble's time each.
type slower struct{ *search.Engine }

func (s slower) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		pace := time.Millisecond
		for lines, err := range s.Engine.Search(ctx, pos, lim) {
			if !yield(lines, err) {
				return
			}
			select {
			case <-time.After(pace):
			case <-ctx.Done():
			}
			pace *= 2
		}
	}
}

// TestBuiltin checks that the embedded engine passes.
func TestBuiltin(t *testing.T) { synctest.Test(t, testBuiltin) }

func testBuiltin(t *testing.T) {
	e, err := search.New(search.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	s := Suite(InProcess(&qhplugin.Server{Searcher: slower{e}, Name: "qhsh"}, nil))
	r, err := check.Run(t.Context(), s, check.Options{Budget: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	for _, res := range r.Results {
		if res.Verdict != check.Passed && res.Verdict != check.Absent {
			t.Errorf("%s %s: expected %s, got %s %s", res.Verdict, res.Name, res.Expected, res.Got, res.Reason)
			for _, line := range check.FormatConversation(res.Conversation, 12) {
				t.Log(line)
			}
		}
	}
	if quirks := s.Quirks(r, nil); len(quirks) > 0 {
		t.Errorf("quirks %q", quirks)
	}
}

// TestIllegal checks that the moves and FENs that a plugin must refuse are invalid by package
// xiangqi.
func TestIllegal(t *testing.T) {
	for _, list := range [][]illegal{emptyPoints, otherSide, ownPieces, wrongSteps, intoCheck} {
		for _, bad := range list {
			if _, err := bad.pos.Parse(bad.move); err == nil {
				t.Errorf("%s is legal in %v", bad.move, bad.pos)
			}
		}
	}
	for _, fen := range append(append([]string{}, badFENs...), oddFENs...) {
		if _, err := xiangqi.ParseFEN(fen); err == nil {
			t.Errorf("FEN %s is a position", fen)
		}
	}
	for _, d := range dialects {
		for _, pos := range boards.Forced {
			if back, err := xiangqi.ParseFEN(d.fen(pos)); err != nil || back.WireFEN() != pos.WireFEN() {
				t.Errorf("%+v: %s, %v", d, d.fen(pos), err)
			}
		}
	}
}

// TestTable checks that names are unique, and that needed checks come first.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Suite(Plugin{}).Checks {
		if seen[c.Name] {
			t.Errorf("%s twice", c.Name)
		}
		for _, need := range c.Needs {
			if !seen[need] {
				t.Errorf("%s needs %s, which does not stand before it", c.Name, need)
			}
		}
		seen[c.Name] = true
	}
	for _, w := range workarounds {
		for _, name := range w.checks {
			if !seen[name] {
				t.Errorf("%s: no check %s", w.quirk, name)
			}
		}
	}
}

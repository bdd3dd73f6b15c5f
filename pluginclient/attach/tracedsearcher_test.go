package attach

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/games/gamestest"
	"qhsh/pluginclient"
)

// untimed returns a trace without its times.
func untimed(trace string) string {
	var b strings.Builder
	for line := range strings.Lines(trace) {
		b.WriteString(strings.Join(strings.Fields(line)[2:], " ") + "\n")
	}
	return b.String()
}

// played returns a position of a session's game after some moves.
func played(t *testing.T, s pluginclient.Session, moves ...string) engine.Position {
	t.Helper()
	pos := s.Position().Game().Start()
	for _, text := range moves {
		m, err := pos.Parse(text)
		if err == nil {
			pos, err = pos.Play(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return pos
}

// TestRemarks compares the whole trace of searches that go directly to an engine.
func TestRemarks(t *testing.T) {
	var trace bytes.Buffer
	o := Options{Games: gamestest.Table(), ClientOptions: pluginclient.ClientOptions{Log: pluginclient.NewTraceLog(&trace)}}
	best := func(s engine.Searcher, pos engine.Position, lim engine.Limits) {
		t.Helper()
		if _, err := engine.Best(t.Context(), s, pos, lim); (err != nil) != (len(lim.Ban) == len(pos.Moves())) {
			t.Error(err)
		}
	}
	s := opened(t, "builtin,eval=small", o)
	pos := played(t, s, "H2-E2", "H9-G7")
	best(s, pos, engine.Limits{Nodes: 100, Depth: 2, Lines: 2})
	best(s, pos, engine.Limits{Level: 1, Ban: pos.Moves()[:2]})
	best(s, pos.Game().Start(), engine.Limits{Depth: 1, Time: time.Hour})
	for range s.Search(t.Context(), pos.Game().Start(), engine.Limits{}) {
		break
	}
	best(s, pos.Game().Start(), engine.Limits{Level: 1, Depth: 1})
	stones := opened(t, "stones", o)
	pos = played(t, stones, "roll 2", "take 2")
	best(stones, pos, engine.Limits{})
	best(stones, pos, engine.Limits{Ban: pos.Moves()})
	if _, err := stones.Raw(t.Context(), "level"); err != nil {
		t.Error(err)
	}
	best(opened(t, "quoridor", o), played(t, opened(t, "quoridor", Options{Games: o.Games}), "E8"), engine.Limits{Nodes: 10})
	const want = `qhsh ~ LEVEL
qhsh < 5
qhsh # search rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves H2-E2 H9-G7 nodes=100 depth=2 lines=2
qhsh # answer B0-C2 cp 56 B0-C2 I9-H9
qhsh # answer H0-G2 cp 48 H0-G2 I9-H9
qhsh # search rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves H2-E2 H9-G7 level=1 ban=A0-A1,A0-A2
qhsh # answer B0-C2 cp 56 B0-C2 I9-H9
qhsh # search rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 depth=1 time=1h0m0s
qhsh # answer B2-E2 cp 79 B2-E2
qhsh # search rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 level=5
qhsh # error the search was given up
qhsh # search rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 level=1 depth=1
qhsh # answer B2-E2 cp 79 B2-E2
stones # search 7 first moves roll 2, take 2, level=5
stones # answer take 2 cp -814 take 2, take 2, take 1,
stones # search 7 first moves roll 2, take 2, level=5 ban=take 1,take 2
stones # error ranker: no move to choose from
stones > level
stones < 5
qhsh ~ name
qhsh < = qhsh
qhsh <
qhsh ~ boardsize 9
qhsh < =
qhsh <
qhsh ~ clear_board
qhsh < =
qhsh <
qhsh ~ walls 10
qhsh < =
qhsh <
qhsh # search 9 b E9/10 E1/10 - moves E8 nodes=10
qhsh # answer E2 cp -50 E2
`
	if diff := cmp.Diff(want, untimed(trace.String())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestTraceChangesNothing: an embedded engine gets the same searches and gives the same answers
// with and without a trace.
func TestTraceChangesNothing(t *testing.T) {
	all := []engine.Limits{{}, {Nodes: 200}, {Depth: 2}, {Level: 1, Lines: 3}, {Nodes: 300, Depth: 2}}
	for _, spec := range []string{"builtin", "builtin,nodes=500", "quoridor,size=5,walls=2", "stones"} {
		run := func(o Options) (told string) {
			s := opened(t, spec, o)
			for _, lim := range all {
				engine.Forget(s)
				answer, err := engine.Best(t.Context(), s, s.Position().Game().Start(), lim)
				told += fmt.Sprintln(answer, err)
			}
			for _, e := range s.Trace().Last(100, func(e pluginclient.Entry) bool { return e.Dir == pluginclient.Noted }) {
				told += e.Text + "\n"
			}
			return told
		}
		without := run(Options{Games: gamestest.Table()})
		with := run(Options{Games: gamestest.Table(), ClientOptions: pluginclient.ClientOptions{Log: pluginclient.NewTraceLog(new(bytes.Buffer))}})
		if diff := cmp.Diff(without, with); diff != "" {
			t.Errorf("%s: -without +with:\n%s", spec, diff)
		}
		if n := strings.Count(with, pluginclient.SearchRemark); n != len(all) {
			t.Errorf("%s: %d searches in\n%s", spec, n, with)
		}
	}
}

// BenchmarkRemarks measures the remarks of a short search deep in a game when no trace is written.
func BenchmarkRemarks(b *testing.B) {
	s, err := Open(b.Context(), "builtin", Options{Games: games.Default})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	pos := s.Position()
	for range 100 {
		if pos, err = pos.Play(pos.Moves()[0]); err != nil {
			b.Fatal(err)
		}
	}
	for _, c := range []struct {
		name     string
		searcher engine.Searcher
	}{{"remarked", s}, {"alone", s.(*embeddedSession).engine.searcher}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := engine.Best(b.Context(), c.searcher, pos, engine.Limits{Nodes: 100}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

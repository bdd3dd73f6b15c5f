package attach

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/bench"
)

func opened(t *testing.T, spec string, o Options) pluginclient.Session {
	t.Helper()
	s, err := Open(t.Context(), spec, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// deepest is how many nodes a search is let visit that is broken off beyond twice the
// default level's budget.
func deepest(t *testing.T, s engine.Searcher, lim engine.Limits) (nodes int64) {
	t.Helper()
	for lines, err := range s.Search(t.Context(), xiangqi.Start(), lim) {
		if err != nil {
			t.Fatal(err)
		}
		if nodes = lines[0].Nodes; nodes > 60_000 {
			break
		}
	}
	return nodes
}

// TestLevelless: a search that has a time and no level is bound by the time alone, unless
// the SPEC gives nodes.
func TestLevelless(t *testing.T) {
	hour := engine.Limits{Time: time.Hour}
	s := opened(t, "builtin", Options{Games: games.Default})
	if nodes := deepest(t, s, hour); nodes > 25_600 {
		t.Errorf("at the current level %d nodes", nodes)
	}
	free, ok := Levelless(s)
	if !ok {
		t.Fatal("the embedded engine needs a level")
	}
	if nodes := deepest(t, free, hour); nodes <= 60_000 {
		t.Errorf("without a level only %d nodes", nodes)
	}
	if nodes := visited(free); nodes <= 60_000 {
		t.Errorf("visited %d nodes", nodes)
	}
	if _, ok := pluginclient.As[pluginclient.Undoer](free); !ok {
		t.Error("without a level the engine takes nothing back")
	}
	if _, ok := Levelless(opened(t, "builtin,nodes=1000", Options{Games: games.Default})); ok {
		t.Error("what is bound by nodes is said to be free")
	}
	if _, ok := Levelless(opened(t, "builtin", Options{Games: games.Default, Log: pluginclient.NewTraceLog(new(bytes.Buffer))})); !ok {
		t.Error("with a trace the embedded engine needs a level")
	}
	if err := free.Close(); err != nil {
		t.Error(err)
	}
	if _, err := engine.Best(t.Context(), s, xiangqi.Start(), engine.Limits{Level: 1}); err != nil {
		t.Logf("after closing: %v", err)
	}
}

// TestPerft: the embedded engine counts by the rules, and gives up with its context.
func TestPerft(t *testing.T) {
	s := opened(t, "builtin", Options{Games: games.Default}).(bench.Counter)
	if n, err := s.Perft(t.Context(), xiangqi.Start(), 3); n != 79666 || err != nil {
		t.Errorf("perft 3 is %d, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Perft(ctx, xiangqi.Start(), 9); err == nil {
		t.Error("perft 9 has been counted")
	}
}

// TestRulesOfSpec: the rules of a SPEC are told in the info block.
func TestRulesOfSpec(t *testing.T) {
	for _, rules := range xiangqi.RuleSets() {
		server, closing, err := Server(t.Context(), "builtin,rules="+strings.ToUpper(rules.String()), Options{Games: games.Default})
		if err != nil {
			t.Fatal(err)
		}
		closing()
		if text := server.Info().Text; !slices.Contains(text, "Repetitions are judged by the rules "+rules.String()) {
			t.Errorf("the info block says %q", text)
		}
	}
	_, err := Open(t.Context(), "builtin,rules=club", Options{Games: games.Default})
	if want := `engine specification: builtin: rules "club": want asian, wxf, chinese or computer`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

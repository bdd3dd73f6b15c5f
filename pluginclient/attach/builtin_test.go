package attach

import (
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

// deepest returns how many nodes a search visits. It stops one that exceeds twice the budget of the
// default level.
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

// TestTimeAlone: a search with a time and no level is limited by the time only, unless a level has
// been set or the SPEC gives nodes.
func TestTimeAlone(t *testing.T) {
	hour := engine.Limits{Time: time.Hour}
	s := opened(t, "builtin", Options{Games: games.Default})
	if nodes := deepest(t, s, hour); nodes <= 60_000 {
		t.Errorf("without a level only %d nodes", nodes)
	}
	if nodes := s.(bench.Visitor).Visited(); nodes <= 60_000 {
		t.Errorf("visited %d nodes", nodes)
	}
	if _, err := s.Raw(t.Context(), "LEVEL 4"); err != nil {
		t.Fatal(err)
	}
	if nodes := deepest(t, s, hour); nodes > 6400 {
		t.Errorf("at level 4 %d nodes", nodes)
	}
	if nodes := deepest(t, s, engine.Limits{Level: 3, Time: time.Hour}); nodes > 1600 {
		t.Errorf("at level 3 %d nodes", nodes)
	}
	if nodes := deepest(t, opened(t, "builtin,nodes=1000", Options{Games: games.Default}), hour); nodes > 1000 {
		t.Errorf("with nodes=1000 %d nodes", nodes)
	}
}

// TestPerft: the embedded engine counts positions by the rules, and stops with its context.
func TestPerft(t *testing.T) {
	s := opened(t, "builtin", Options{Games: games.Default}).(bench.Counter)
	if n, err := s.Perft(t.Context(), xiangqi.Start(), 3); n != 79666 || err != nil {
		t.Errorf("perft 3 is %d, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Perft(ctx, xiangqi.Start(), 9); err == nil {
		t.Error("perft 9 has not been cancelled")
	}
}

// TestRulesOfSpec: the info block has the rules of a SPEC.
func TestRulesOfSpec(t *testing.T) {
	for _, rules := range xiangqi.RuleSets() {
		server, closing, err := NewServer(t.Context(), parsed(t, "builtin,rules="+strings.ToUpper(rules.String()), Options{Games: games.Default}))
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

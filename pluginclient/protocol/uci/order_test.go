package uci_test

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
)

var slow = enginetest.Ranker{Depth: 4, Pace: time.Second}

// TestOrder: every "go" has its answer, whenever it comes.
func TestOrder(t *testing.T) {
	commands := map[string][]string{
		"uci":  {"go depth 2", "go infinite", "go ponder", "go movetime 3000", "go perft 1", "stop", "ponderhit", "isready", "position startpos", "setoption name MultiPV value 2", "foo"},
		"ucci": {"go depth 2", "go infinite", "go ponder infinite", "go time 3000", "ponderhit", "isready", "position startpos", "setoption multipv 2"},
	}
	for _, p := range both {
		t.Run(p.name, func(t *testing.T) {
			program := p.inProcess(uci.ServerConfig{Searcher: slow, Name: "slow"})
			plugintest.CheckOrder(t, program.Start, commands[p.name], func(answer string) string {
				word, _, _ := strings.Cut(answer, " ")
				switch {
				case word == "bestmove", word == "nobestmove", word == "readyok", strings.Contains(answer, "unknown command"):
					return word
				}
				return ""
			})
		})
	}
}

// TestCountGivenUp: an endless perft ends with the input, and a following isready is answered.
func TestCountGivenUp(t *testing.T) {
	streams, err := both[0].inProcess(uci.ServerConfig{Searcher: slow, Name: "slow"}).Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = io.WriteString(streams.Stdin, "go perft 20\nisready\ngo infinite\n")
		streams.Stdin.Close()
	}()
	text, err := io.ReadAll(streams.Stdout)
	if err != nil || !strings.Contains(string(text), "readyok\n") || strings.Count(string(text), "bestmove") != 1 {
		t.Errorf("it says %q, %v", text, err)
	}
}

// TestQueuedGo: a waiting "go" ends a search without limits, which no "stop" could reach any more.
// A search with limits continues.
func TestQueuedGo(t *testing.T) {
	for _, c := range []struct {
		first []string
		want  []time.Duration // times of "bestmove"
	}{
		{[]string{"go ponder", "ponderhit"}, []time.Duration{0, time.Second}},
		{[]string{"go infinite"}, []time.Duration{0, time.Second}},
		{[]string{"go ponder depth 60", "ponderhit"}, []time.Duration{60 * time.Second, 60 * time.Second}},
		{[]string{"go depth 60"}, []time.Duration{60 * time.Second, 60 * time.Second}},
		{[]string{"setoption name Level value 3", "go ponder", "ponderhit"}, []time.Duration{60 * time.Second, 60 * time.Second}},
	} {
		t.Run(strings.Join(c.first, ","), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := engine.WithLevels(enginetest.Ranker{Depth: 60, Pace: time.Second})
				streams, err := both[0].inProcess(uci.ServerConfig{Searcher: s, Name: "slow"}).Start(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				begun := time.Now()
				go func() {
					said := append(append([]string{"position startpos"}, c.first...), "go infinite", "", "stop", "", "stop")
					for _, line := range said {
						if line == "" {
							time.Sleep(time.Second)
							continue
						}
						_, _ = io.WriteString(streams.Stdin, line+"\n")
					}
					time.Sleep(time.Hour)
					streams.Stdin.Close()
				}()
				var got []time.Duration
				for answers := bufio.NewScanner(streams.Stdout); answers.Scan(); {
					if strings.HasPrefix(answers.Text(), "bestmove") {
						got = append(got, time.Since(begun))
					}
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
}

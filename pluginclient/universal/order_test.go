package universal_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/universal"
)

// slow is a Searcher that takes its time.
var slow = enginetest.Ranker{Depth: 4, Pace: time.Second}

// TestOrder: every question has its answer, whenever it is asked.
func TestOrder(t *testing.T) {
	commands := map[string][]string{
		"uci":  {"go depth 2", "go infinite", "go ponder", "go movetime 3000", "go perft 1", "stop", "ponderhit", "isready", "position startpos", "setoption name MultiPV value 2", "foo"},
		"ucci": {"go depth 2", "go infinite", "go ponder infinite", "go time 3000", "ponderhit", "isready", "position startpos", "setoption multipv 2"},
	}
	for _, p := range both {
		t.Run(p.name, func(t *testing.T) {
			program := p.inProcess(universal.Served{Searcher: slow, Name: "slow"})
			plugintest.Order(t, program.Start, commands[p.name], func(answer string) string {
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

// TestCountGivenUp: a count that would take for ever ends with the input, and isready behind it
// is answered.
func TestCountGivenUp(t *testing.T) {
	streams, err := both[0].inProcess(universal.Served{Searcher: slow, Name: "slow"}).Start(t.Context())
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

package qtp

import (
	"testing"
	"time"

	"qhsh/engine/enginetest"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient/plugintest"
)

// TestOrder: every command has a response, and the server ends soon after its input.
func TestOrder(t *testing.T) {
	s := &Server{
		Searcher: enginetest.Ranker{Depth: 10, Pace: 300 * time.Millisecond}, Name: "slow",
		Rules: quoridor.Rules{Size: 3, Walls: 1},
	}
	commands := []string{"genmove black", "genmove white", "name", "winner", "undo 1", "clear_board"}
	plugintest.CheckOrder(t, InProcess(s).Start, commands, func(answer string) string {
		if answer == "" {
			return ""
		}
		return "a response"
	})
}

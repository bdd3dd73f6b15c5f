package xboard_test

import (
	"strings"
	"testing"
	"time"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
)

// TestOrder: every "go" has its move and every ping its reply, whenever they come.
func TestOrder(t *testing.T) {
	s := enginetest.Ranker{Depth: 4, Pace: time.Second}
	program := xboard.InProcess(uci.ServerConfig{Searcher: s, Name: "slow"})
	commands := []string{"go", "st 3", "st 30", "sd 2", "ping 1", "?", ".", "hard", "nopost", "analyze", "hint", "undo"}
	plugintest.CheckOrder(t, program.Start, commands, func(answer string) string {
		word, _, _ := strings.Cut(answer, " ")
		if word == "move" || word == "pong" {
			return word
		}
		return ""
	})
}

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"qhsh/engine/xiangqi/search"
)

// TestLevelsTopic compares the table of levels in the help with the embedded engine.
func TestLevelsTopic(t *testing.T) {
	e, err := search.New(search.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	topic, err := os.ReadFile("help/levels.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range e.Levels() {
		elo := ""
		if level.Elo > 0 {
			elo = strconv.Itoa(level.Elo) + " "
		}
		nodes := strconv.FormatInt(level.Limits.Nodes, 10)
		for at := len(nodes) - 3; at > 0; at -= 3 {
			nodes = nodes[:at] + "," + nodes[at:]
		}
		if row := fmt.Sprintf("\n| %d | %s | %s|", level.ID, nodes, elo); !strings.Contains(string(topic), row) {
			t.Errorf("help/levels.md lacks the row %q", row)
		}
	}
}

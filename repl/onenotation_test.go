package repl

import (
	"strings"
	"testing"
)

// TestOneNotation: a game with one notation has no notation names, and .notation does not apply to
// it.
func TestOneNotation(t *testing.T) {
	s := shellWith(t, ".notation wxf", ".attach quoridor,size=3,walls=1", ".moves", ".history")
	for _, line := range []string{".save x -notation wxf", ".moves -notation wxf", ".annotate -notation iccs"} {
		if err := s.executeAndReport(t.Context(), line); err == nil || !strings.Contains(err.Error(), ": Quoridor has one notation") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

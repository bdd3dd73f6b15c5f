package batch

import (
	"strings"
	"testing"

	"qhsh/engine/xiangqi"
)

// TestParseWords: the end of a position is found, with or without the word moves after it.
func TestParseWords(t *testing.T) {
	start := xiangqi.Rules.Start().String()
	board, _, _ := strings.Cut(start, " ")
	for words, want := range map[string]string{
		"startpos":                         "",
		"startpos h2e2":                    "H2-E2",
		"startpos moves h2e2 h9g7":         "H2-E2 H9-G7",
		"startpos MOVES H2-E2":             "H2-E2",
		board:                              "",
		board + " w h2e2":                  "H2-E2",
		board + " w - - 0 1 moves h2e2":    "H2-E2",
		start + " h2e2 h9g7":               "H2-E2 H9-G7",
		"startpos h2e9":                    "error",
		"startpos nonsense":                "error",
		"nonsense h2e2":                    "error",
		"nonsense moves h2e2":              "error",
		board + " w extra - words moves x": "error",
	} {
		item := ParseWords(xiangqi.Rules, strings.Fields(words))
		got := strings.Join(item.Moves, " ")
		if item.Err != nil {
			got = "error"
		}
		if !strings.EqualFold(strings.ReplaceAll(got, "-", ""), strings.ReplaceAll(want, "-", "")) || (item.Pos == nil) != (want == "error") {
			t.Errorf("%s: %q, %v; want %q", words, got, item.Err, want)
		}
	}
}

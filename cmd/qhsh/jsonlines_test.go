package main

import (
	"path/filepath"
	"strings"
	"testing"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games/gamestest"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/plugintest/jsonlines"
)

// jsonPrompt is what a user types to an engine that speaks it.
var jsonPrompt = []string{
	"roll 2", `{"do":"hello"}`, `{"do":"search","position":"startpos"}`, `.send {"do":"nonsense"}`,
	".hints", ".undo", ".fen", `{"do":"quit"}`, ".hints 1", `{"do":"dance"}`, "",
}

// TestMadeUpProtocol: a protocol that exists only as a row in a copy of the table of engine kinds
// can be attached, used by every command, spoken to directly, examined and served.
func TestMadeUpProtocol(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace.txt")
	table := gamestest.Table()
	kinds := attach.DefaultKinds(table).With(jsonlines.Row(enginetest.Stones, enginetest.Ranker{}))
	var all strings.Builder
	for _, c := range []struct {
		in   string
		args []string
	}{
		{"7 first 2\n7 first moves roll 2 take 2\n", []string{"hints", "-engine", "jsonl:./engine", "-hints", "2", "-trace", trace}},
		{`{"id":1,"fen":"7 first 2","limits":{"time":100}}` + "\n", []string{"analyze", "-engine", "made=jsonl:./engine"}},
		{"", []string{"tree", "-engine", "jsonl:./engine", "-depth", "2", "-width", "2", "3", "first", "2"}},
		{"", []string{"match", "-games", "2", "-nodes", "10", "a=jsonl:./engine", "b=stones"}},
		{"", []string{"run", "-engine", "jsonl:./engine", "testdata/jsonlines.star"}},
		{strings.Join(jsonPrompt, "\n"), []string{"shell", "-engine", "jsonl:./engine"}},
		{"", []string{"check", "-list", "jsonl:"}},
		{"", []string{"check", "jsonl:./engine"}},
		{"{}\n" + `{"do":"hello"}` + "\n" + `{"do":"search","position":"3 first 2"}` + "\n" + `{"do":"quit"}` + "\n", []string{"-jsonl", "-engine", "stones"}},
	} {
		got := runQhsh(t.Context(), func(h *host) {
			h.Games, h.Kinds, h.Stdin = table, kinds, strings.NewReader(c.in)
		}, c.args...)
		all.WriteString("$ qhsh " + strings.ReplaceAll(strings.Join(c.args, " "), trace, "TRACE") + "\n" + got.stdout + got.stderr)
		if got.status != exitOK {
			all.WriteString("exit " + statusNames[got.status] + "\n")
		}
	}
	golden.Compare(t, "testdata/jsonlines.txt", clocks.ReplaceAllString(millis.ReplaceAllString(all.String(), ""), "TIME"))
}

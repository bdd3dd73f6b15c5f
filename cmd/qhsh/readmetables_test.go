package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/games"
	"qhsh/pluginclient/attach"
	"qhsh/repl"
)

// TestREADMETables: the README's tables of shell commands and engine kinds equal the program's.
// -readme updates them.
func TestREADMETables(t *testing.T) {
	const file = "../../README.md"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	for _, table := range []struct{ name, text string }{
		{"engines", attach.DefaultKinds(games.Default).Table()},
		{"shell commands", repl.Table(games.Default, attach.Language())},
	} {
		readme = withTable(t, readme, table.name, table.text)
	}
	if *updateREADME {
		if err := os.WriteFile(file, []byte(readme), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(readme, string(data)); diff != "" {
		t.Errorf("the README is stale; go test ./cmd/qhsh -run READMETables -readme updates it: -program +README\n%s", diff)
	}
}

// withTable returns the README with a table between its marks.
func withTable(t *testing.T, readme, name, table string) string {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- end -->\n"
	before, rest, begins := strings.Cut(readme, begin)
	_, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		t.Fatalf("the README has no %s and %s", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return before + begin + table + end + after
}

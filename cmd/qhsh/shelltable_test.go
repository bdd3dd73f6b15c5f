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

// The marks in the README around the table of the shell's commands.
const (
	tableBegins = "<!-- shell commands -->\n"
	tableEnds   = "<!-- end -->\n"
)

// TestShellTable: the README's table of the shell's commands is the shell's own. With
// -readme it is written there.
func TestShellTable(t *testing.T) {
	const file = "../../README.md"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(data), tableBegins)
	table, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		t.Skipf("the README has no %s and %s", strings.TrimSpace(tableBegins), strings.TrimSpace(tableEnds))
	}
	if *updateREADME {
		text := before + tableBegins + repl.Table(games.Default, attach.Language()) + tableEnds + after
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(repl.Table(games.Default, attach.Language()), table); diff != "" {
		t.Errorf("the README is stale; go test ./cmd/qhsh -run ShellTable -readme mends it: -shell +README\n%s", diff)
	}
}

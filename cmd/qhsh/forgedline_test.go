package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qhsh/engine/enginetest"
)

// TestForgedLine: a line feed in a name never starts a new line of output, in any command.
func TestForgedLine(t *testing.T) {
	enginetest.SkipUnderRace(t)
	const forged = "x\nqhsh hints: 100 positions, 0 failed"
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir := forged + "s"
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Skip("file names cannot have line feeds here: ", err)
	}
	there, script, pgn := filepath.Join(dir, "there"), filepath.Join(dir, "a.star"), filepath.Join(dir, "a.pgn")
	write(there, "x")
	write(script, "def f():\n    open_nothing('x')\nf()\n")
	write(filepath.Join(dir, "b.star"), "def f():\n    fail('a')\nf()\n")
	write(pgn, "[Event \"x\"]\n\n1. Z9-Z9 *\n")
	for _, args := range [][]string{
		{"hints", forged},
		{"games", forged},
		{"games", pgn},
		{"annotate", pgn},
		{"convert", pgn},
		{"stats", forged},
		{"stats", there},
		{"run", forged},
		{"run", script},
		{"run", filepath.Join(dir, "b.star")},
		{there},
	} {
		got := runQhsh(t.Context(), nil, args...)
		for line := range strings.Lines(got.stderr) {
			if strings.HasPrefix(line, "qhsh hints: 100") {
				t.Errorf("%q says\n%s", args, got.stderr)
			}
		}
		if !strings.Contains(got.stderr, `x\n`) {
			t.Errorf("%q says\n%s", args, got.stderr)
		}
	}
}

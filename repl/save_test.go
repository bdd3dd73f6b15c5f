package repl

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSaveAsFormOfAnotherGame: an extension of another game's record format is an error. The shell
// does not write plain moves instead.
func TestSaveAsFormOfAnotherGame(t *testing.T) {
	s := shellWith(t, ".attach quoridor,size=3,walls=1")
	dir := t.TempDir()
	for name, want := range map[string]string{
		"x.html":    "games of Quoridor cannot be written as html",
		"x.dhtmlxq": "games of Quoridor cannot be written as dhtmlxq",
		"x.cbl":     "games of Quoridor cannot be written as cbl",
		"x.XQF":     "games of Quoridor cannot be written as xqf",
		"x.pgn":     "", "x.txt": "", "x.fen": "", "x": "",
		"x.game":  "unknown extension .game: use .pgn, or .txt for one line of moves",
		"x.pgn:4": "unknown extension .pgn:4: use .pgn, or .txt for one line of moves",
	} {
		path := filepath.Join(dir, name)
		if want != "" {
			want = ".save: " + path + ": " + want + "; usage: .save FILE [-notation NOTATION] [-force]"
		}
		got := ""
		if err := s.executeAndReport(t.Context(), ".save "+path); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if _, err := os.Stat(path); (err == nil) != (want == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

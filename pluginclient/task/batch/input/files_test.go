package input

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/xiangqi"
)

// TestExpand: patterns and folders are expanded, and the name of an existing file is not a pattern.
func TestExpand(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for _, name := range []string{"a.fen", "b.epd.gz", "c.png", "d[1].fen", "sub/e.fen", "sub/.f.fen", ".hidden/g.fen", "empty/h.png"} {
		if err := os.MkdirAll(filepath.Dir(path(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path(name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{
		"a.fen":    "a.fen",
		"none.fen": "none.fen",
		"*.fen":    "a.fen d[1].fen",
		"d[1].fen": "d[1].fen",
		"sub":      "sub/e.fen",
		"[as]*":    "a.fen sub/e.fen",
		".":        "a.fen b.epd.gz d[1].fen sub/e.fen",
		"*.xqf":    "error: *.xqf: no such file",
		"empty":    "error: empty: no file in this folder has a known extension: name the files themselves",
	} {
		names, err := Expand(path(pattern), HasKnownExt)
		for i, name := range names {
			rel, relErr := filepath.Rel(dir, name)
			if relErr != nil {
				t.Fatal(relErr)
			}
			names[i] = filepath.ToSlash(rel)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = "error: " + strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", pattern, diff)
		}
	}
}

// TestPositions returns all positions, or an error for the first bad line.
func TestPositions(t *testing.T) {
	for text, want := range map[string]string{
		"": "0", "# none\n\n": "0", "startpos\n\nstartpos moves h2e2\n": "2",
		"startpos\nnonsense\n": "error: x.epd:2: ",
	} {
		items, err := Positions(xiangqi.Rules, "x.epd", strings.NewReader(text))
		got := fmt.Sprint(len(items))
		if err != nil {
			got = "error: " + err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

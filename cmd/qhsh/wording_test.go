package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A wording is a phrase that the sources avoid, and what to write in its place.
type wording struct {
	phrase  string
	pattern *regexp.Regexp
	instead string
}

// TestWording fails for each phrase of testdata/wording.txt in Go files, Markdown and txtar scripts.
func TestWording(t *testing.T) {
	wordings := readWordings(t, filepath.Join("testdata", "wording.txt"))
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (entry.Name()[0] == '.' || entry.Name() == "golden"):
			return filepath.SkipDir // a golden file changes only with what the program writes
		case entry.IsDir() || !slices.Contains([]string{".go", ".md", ".txtar"}, filepath.Ext(path)):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, w := range wordings {
			for _, at := range w.pattern.FindAllIndex(text, -1) {
				line := 1 + strings.Count(string(text[:at[0]]), "\n")
				t.Errorf("%s:%d: avoid %q: write %s", path, line, w.phrase, w.instead)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// readWordings reads a file of lines "PHRASE = INSTEAD". A phrase is a regular expression for
// whole words, in any case; a blank in it matches a line break too, also one within a comment.
func readWordings(t *testing.T, path string) (all []wording) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		phrase, instead, ok := strings.Cut(line, " = ")
		if !ok {
			t.Fatalf("%s: no \" = \" in %q", path, line)
		}
		spaced := strings.ReplaceAll(phrase, " ", `[ \t]*(?:[ \t]|\n[ \t]*(?://|#)?[ \t]*)`)
		all = append(all, wording{phrase, regexp.MustCompile(`(?i)\b(?:` + spaced + `)\b`), instead})
	}
	return all
}

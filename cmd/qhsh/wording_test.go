package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"qhsh/engine/enginetest"
)

// A wording is a phrase that the sources avoid, and what to write in its place.
type wording struct{ phrase, instead string }

// TestWording fails for each phrase of testdata/wording.txt in Go files, Markdown and txtar
// scripts.
func TestWording(t *testing.T) {
	if enginetest.Race {
		t.Skip("reads files alone")
	}
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
		words, lines := wordsOf(string(text))
		for _, w := range wordings {
			for at := 0; ; at++ {
				i := strings.Index(words[at:], " "+w.phrase+" ")
				if i < 0 {
					break
				}
				at += i
				line := lines[strings.Count(words[:at], " ")]
				t.Errorf("%s:%d: avoid %q: write %s", path, line, w.phrase, w.instead)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wordsOf returns the words of a text in lower case, without punctuation, and the line of each. A
// blank surrounds each word, so a phrase is found across line breaks and comment markers.
func wordsOf(text string) (words string, lines []int) {
	var b strings.Builder
	b.WriteByte(' ')
	line := 0
	for l := range strings.Lines(strings.ToLower(text)) {
		line++
		for _, word := range strings.FieldsFunc(l, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '-' }) {
			b.WriteString(word + " ")
			lines = append(lines, line)
		}
	}
	return b.String(), lines
}

// readWordings reads a file of lines "PHRASE = INSTEAD". A phrase is words in lower case.
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
		all = append(all, wording{phrase, instead})
	}
	return all
}

func TestWordsOf(t *testing.T) {
	words, lines := wordsOf("// It is\n\t// given, so.\n")
	if words != " it is given so " || !slices.Equal(lines, []int{1, 1, 2, 2}) {
		t.Errorf("%q %v", words, lines)
	}
}

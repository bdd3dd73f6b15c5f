package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

// pageCommands are the command lines that write pages with -o, by command, or by command and extension. The
// engine's name, answers and errors, the file's name and the games have scripts.
var pageCommands = map[string][]string{
	"convert":   {"convert", hostileGames},
	"annotate":  {"annotate", "-engine", "hostileplugin -scores", "-game", "1", hostileGames},
	"puzzles":   {"puzzles", "-repertoire", "red", hostileGames},
	"tree":      {"tree", "-engine", "hostileplugin", "-width", "2", "-depth", "1"},
	"check":     {"check", "-only", "info,level", "-v", "hostileplugin"},
	"board":     {"board"},
	"stats.xml": {"stats", hostileAnswers},
	"stats.svg": {"stats", "-fit", hostileGames},
}

const (
	hostileGames   = "<img src=x onerror=console.log('" + enginetest.Ran + "')>.jsonl"
	hostileAnswers = "answers of " + hostileGames
)

// TestHostilePages: no text from outside runs as a script in any page that a command writes.
func TestHostilePages(t *testing.T) {
	dir := hostileFolder(t)
	writeHostileGames(t, filepath.Join(dir, hostileGames))
	writeHostileAnswers(t, filepath.Join(dir, hostileAnswers))
	files := map[string]string{}
	write := func(name string, args ...string) {
		r := call{Args: append(args, "-o", name), Dir: dir, Env: append(os.Environ(), engineVariable+"=")}.run(t)
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || r.Status != exitOK && r.Status != exitFailed {
			t.Errorf("%q: status %d, %v\n%s", args, r.Status, err, r.Stderr)
		}
		files[name] = string(text)
	}
	for _, c := range commands() {
		for _, ext := range pagesOf(c) {
			line := pageCommands[c.name+ext]
			if line == nil {
				line = pageCommands[c.name]
			}
			if line == nil {
				t.Errorf("%s writes %s: add it to pageCommands", c.name, ext)
			} else {
				write(c.name+ext, line...)
			}
			if ext == ".htm" && files[c.name+ext] == files[c.name+".html"] {
				delete(files, c.name+ext) // a browser has seen it
			}
		}
	}
	for name, text := range files {
		for _, tag := range []string{"<script>console.log", "<svg onload", "<img src=x"} {
			if strings.Contains(text, tag) {
				t.Errorf("%q in %s:\n%s", tag, name, text)
			}
		}
		if !strings.Contains(text, enginetest.Ran) && name != "board.svg" {
			t.Errorf("%s has no text from outside:\n%s", name, text)
		}
		if ext := filepath.Ext(name); ext == ".svg" || ext == ".xml" {
			checkXML(t, name, text)
		}
	}
	const canary = "the canary ran"
	files["canary.html"] = "<script>console.log('" + canary + "')</script>"
	seen := false
	for _, line := range browser.Frames(t, files) {
		if strings.Contains(line, canary) {
			seen = true
		} else {
			t.Errorf("console: %s", line)
		}
	}
	if !seen {
		t.Error("the script that may run did not")
	}
}

// pagesOf returns the extensions of pages that a command's -o selects a format by.
func pagesOf(c command) (pages []string) {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.setup(fs, games.Default)
	if o := fs.Lookup("o"); o != nil {
		pages = slices.DeleteFunc(strings.Fields(o.Usage), func(word string) bool { return !slices.Contains(pageExtensions, word) })
	}
	return pages
}

// writeHostileGames writes a game with all hostile texts, and one for each.
func writeHostileGames(t *testing.T, path string) {
	t.Helper()
	lib := games.Default.Records(games.Default.DefaultGame())
	var text bytes.Buffer
	w, err := lib.NewWriter(&text, record.JSON, "")
	for i := -1; i < len(enginetest.HostileTexts); i++ {
		comment := strings.Join(enginetest.HostileTexts, "\n")
		g := record.NewGame(lib.Game.Start())
		for k, name := range []string{"Event", "Title", "Site", "Date", "Round", "Red", "Black", "Opening", "Annotator", "ECO", "Result2"} {
			g.Tags.Add(name, enginetest.HostileTexts[max(i, k%4)])
		}
		if i >= 0 {
			comment = enginetest.HostileTexts[i]
		}
		moves := g.Start.Moves()
		first := g.Root.Append(moves[0])
		other := g.Root.Append(moves[1])
		g.Root.Comment, first.Comment, other.StartingComment, other.Comment = comment, "+0.35/8 "+comment, comment, comment
		g.Result = engine.FirstWins
		err = errors.Join(err, w.Write(g))
	}
	if err = cmp.Or(err, os.WriteFile(path, text.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
}

// writeHostileAnswers writes an answer with each hostile text in its id and engine.
func writeHostileAnswers(t *testing.T, path string) {
	t.Helper()
	var text []byte
	for i, hostile := range enginetest.HostileTexts {
		line, err := json.Marshal(map[string]any{
			"line": i + 1, "fen": xiangqi.StartFEN, "id": hostile, "engine": hostile, "bm": []string{"A0-A1"}, "solved": false,
			"hints": []any{map[string]any{"move": "H2-E2"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		text = append(append(text, line...), '\n')
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// checkXML checks that a drawing is well-formed and has nothing to run.
func checkXML(t *testing.T, name, text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if e, ok := token.(xml.StartElement); ok {
			if e.Name.Local == "script" || slices.ContainsFunc(e.Attr, func(a xml.Attr) bool { return strings.HasPrefix(a.Name.Local, "on") }) {
				t.Errorf("%s: %v", name, e)
			}
		}
	}
}

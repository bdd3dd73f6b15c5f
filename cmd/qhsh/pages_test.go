package main

import (
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"qhsh/cmd/qhsh/manual"
	"qhsh/engine/games"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/store"
)

// TestSchemaInHelp: the help describes the tables of the database as they are.
func TestSchemaInHelp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	d, err := store.Create(path, store.Run{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Finish(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range []string{"runs", "positions", "hints"} {
		told := regexp.MustCompile("(?s)`" + table + "`: ([a-z_,\\s]+)").FindStringSubmatch(guide("formats"))
		var columns string
		err := db.QueryRow("SELECT group_concat(name, ', ') FROM pragma_table_info(?)", table).Scan(&columns)
		if err != nil || told == nil || strings.Join(strings.Fields(told[1]), " ") != columns {
			t.Errorf("%s has %s, %v; the help tells %q", table, columns, err, told)
		}
	}
}

// TestFormatsInHelp: the help on formats names every extension that is written and read.
func TestFormatsInHelp(t *testing.T) {
	text := guide("formats")
	for _, f := range batch.Formats(1) {
		for _, ext := range f.Extensions {
			if !strings.Contains(text, "`"+ext+"`") {
				t.Errorf("%s of the format %s is missing", ext, f.Name)
			}
		}
	}
	for _, game := range games.Default.Games() {
		for _, f := range games.Default.Records(game).Formats() {
			if !strings.Contains(strings.ToLower(text), f.Name) {
				t.Errorf("the format %s of games is missing", f.Name)
			}
		}
	}
}

// TestGuides: every command for people has a guide, and every page is printed by help.
func TestGuides(t *testing.T) {
	files, err := pages.ReadDir("help")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, c := range listedCommands() {
		known[c.name] = true
		if c.help == "" || strings.Contains(c.help, headBegin) {
			t.Errorf("%s: no guide", c.name)
		}
	}
	for _, topic := range topics() {
		known[topic.name] = true
		if len(topic.page) < 100 {
			t.Errorf("%s: the page has %d characters, want at least 100: write it, for a game as the section of engine/GAMES.md that its row calls Heading", topic.name, len(topic.page))
		}
	}
	for _, file := range files {
		if name := strings.TrimSuffix(file.Name(), ".md"); !known[name] {
			t.Errorf("no command prints %s", file.Name())
		}
	}
}

var pageLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks: what the documents link to exists.
func TestLinks(t *testing.T) {
	for name, file := range documents(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pageLink.FindAllStringSubmatch(string(text), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			linked, err := os.ReadFile(filepath.Join(filepath.Dir(file), target))
			heading := strings.ReplaceAll(anchor, "-", " ")
			if err != nil || !strings.Contains(strings.ToLower(string(linked)), "\n## "+heading) && anchor != "" {
				t.Errorf("%s: no %s: %v", name, m[1], err)
			}
		}
	}
}

// TestExampleCommands: the flags of commands that the documents show and do not run exist.
func TestExampleCommands(t *testing.T) {
	h := host{Games: games.Default}
	for name, file := range documents(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range manual.Parse(string(text)) {
			for _, line := range block.Lines {
				line, isCommand := strings.CutPrefix(line, "qhsh ")
				if block.Language != "sh" || !isCommand {
					continue
				}
				line, _, _ = strings.Cut(line, " | ")
				line, _, _ = strings.Cut(line, " >")
				if err := parses(h, parseBashLine(line, "").words); err != nil {
					t.Errorf("%s: qhsh %s: %v", name, line, err)
				}
			}
		}
	}
}

// parses returns the error of a command line's flags.
func parses(h host, words []string) error {
	c, args, ok := h.selected(words)
	if !ok {
		return fmt.Errorf("no command %q", words[0])
	}
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.setup(fs, h.Games)
	_, err := parseFlags(fs, c.endsFlags, args)
	return err
}

var readVariable = regexp.MustCompile(`\b[eE]nv\("(\w+)"\)`)

// TestVariables: the help names every environment variable that the command line reads.
func TestVariables(t *testing.T) {
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		for _, m := range readVariable.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(host{}.table("variables"), "| `"+m[1]+"` |") {
				t.Errorf("%s reads %s, which the help does not name", source, m[1])
			}
		}
	}
}

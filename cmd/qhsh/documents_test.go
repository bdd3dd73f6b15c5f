package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
)

// documents returns the files with text for users, by names that differ in more than their case.
func documents(t *testing.T) map[string]string {
	t.Helper()
	const top = "../../"
	all := map[string]string{"README": top + "README.md"}
	pages, err := filepath.Glob("help/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, page := range pages {
		all[strings.TrimSuffix(filepath.Base(page), ".md")] = page
	}
	for _, name := range []string{shellCommand.name, runCommand.name, protocolTopic, "positions"} {
		all[name] = top + fileOf(name)
	}
	return all
}

// TestDocuments runs the commands of all documents, each document in a folder of its own, and
// compares what they print and the generated parts with the program: -update writes both. It also
// compares them with the golden corpus.
func TestDocuments(t *testing.T) {
	if enginetest.Race || runtime.GOOS == "windows" {
		t.Skip("see TestGolden")
	}
	t.Parallel()
	for name, file := range documents(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sayHowToKeep(t)
			shown, cases := runSections(t, "documents/"+name, documentCommands(t, file))
			if len(cases) > 0 {
				compareGolden(t, filepath.Join(goldenDocuments, name+".txt"), cases)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			h := host{Games: games.Default}
			got := withHead(t, h, name, withOutputs(h.withTables(string(text)), shown))
			if golden.Updating() {
				write(t, file, got)
				return
			}
			if diff := cmp.Diff(string(text), got); diff != "" {
				t.Errorf("%s is stale; go test ./cmd/qhsh -run %s -update updates it: -file +program\n%s", file, t.Name(), diff)
			}
		})
	}
}

// withHead returns a page with the usage of its command as it is now.
func withHead(t *testing.T, h host, name, page string) string {
	title, rest, found := strings.Cut(page, headBegin)
	if !found {
		return page
	}
	_, rest, ends := strings.Cut(rest, tableEnd)
	if !ends {
		t.Fatalf("no %q", tableEnd)
	}
	return title + headBegin + "```text\n" + h.usage(commandOfPage(t, h, name)) + "```\n" + tableEnd + rest
}

func commandOfPage(t *testing.T, h host, name string) command {
	t.Helper()
	for _, m := range h.kinds().Modes() {
		if c := modeCommand(m); c.topic() == name {
			return c
		}
	}
	c, err := find(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestREADMEIsWhatCIRuns: CI runs the tests that the README names.
func TestREADMEIsWhatCIRuns(t *testing.T) {
	ci, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(ci), "\ngo test ./...\n") {
		t.Error(".ci/run does not run the README's test command")
	}
}

// withOutputs returns the text with the outputs of the commands in its console blocks.
func withOutputs(text string, outputs []string) string {
	var got strings.Builder
	inBlock := false
	for line := range strings.Lines(text) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case line == "```console\n":
			inBlock = true
		case strings.HasPrefix(line, "```"):
			inBlock = false
		case inBlock && isCommand && !isGo(command):
			line += outputs[0]
			outputs = outputs[1:]
		case inBlock && !isCommand:
			continue
		}
		got.WriteString(line)
	}
	return got.String()
}

// isGo reports whether a command of a document builds or tests qhsh itself.
func isGo(command string) bool { return strings.HasPrefix(command, "go ") }

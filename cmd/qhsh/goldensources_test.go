package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The other sources of golden cases besides testdata/golden: documents and script tests.
// Their outputs are in these folders, one file for each document or script.
const (
	goldenDocuments = goldenDir + "/documents"
	goldenScripts   = goldenDir + "/scripts"
)

// A section is a chapter of a document with its commands; it sees the files of the sections before
// it.
type section struct {
	name     string
	commands []string
}

// documentCommands returns the commands of a document's console blocks.
func documentCommands(t *testing.T, document string) (sections []section) {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	inBlock := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		switch command, ok := strings.CutPrefix(line, "$ "); {
		case strings.HasPrefix(line, "#") && !inBlock:
			sections = append(sections, section{name: strings.TrimLeft(line, "# ")})
		case line == "```console":
			inBlock = true
		case strings.HasPrefix(line, "```"):
			inBlock = false
		case inBlock && ok && !isGo(command):
			last := &sections[len(sections)-1]
			last.commands = append(last.commands, command)
		}
	}
	return slices.DeleteFunc(sections, func(s section) bool { return len(s.commands) == 0 })
}

// runSections runs the commands in order. It returns what they show beside the cases: stdout, and
// stderr for a command that ends in 2>&1, whose case has only stdout.
func runSections(t *testing.T, source string, sections []section) (shown []string, got []goldenCase) {
	t.Helper()
	dir := caseFolder(t, "")
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("../../examples")); err != nil {
		t.Fatal(err)
	}
	known := map[string]struct{}{}
	for _, s := range sections {
		r := newRecording(t, source, s.name, dir)
		r.before = known
		if len(known) == 0 {
			r.everythingIsKnown()
		}
		for _, command := range s.commands {
			result := r.shell(strings.ReplaceAll(command, "2>&1", ""))
			if result.Status > exitFailed { // a command may show failures
				t.Errorf("%s: exit status %d\n%s", command, result.Status, result.Stderr)
			}
			r.command(command, result)
			if !strings.Contains(command, "2>&1") {
				result.Both = result.Stdout
			}
			shown = append(shown, string(result.Both))
		}
		got = append(got, r.end(s.commands))
		r.everythingIsKnown()
	}
	return shown, got
}

// everythingIsKnown excludes the files that exist now from later outputs.
func (r *recording) everythingIsKnown() {
	_ = filepath.WalkDir(r.dir, func(path string, _ os.DirEntry, err error) error {
		name, _ := filepath.Rel(r.dir, path)
		r.before[name] = struct{}{}
		return err
	})
}

package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
)

var updateREADME = flag.Bool("readme", false, "write the outputs into README.md")

// TestREADME runs all commands of the README in order, in one folder, and compares what they print.
func TestREADME(t *testing.T) {
	if enginetest.Race {
		t.Skip("slow with the race detector; TestScripts covers the same code")
	}
	const file = "../../README.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := runBlocks(t, string(text))
	if *updateREADME {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(text), got); diff != "" {
		t.Errorf("the README is stale; go test ./cmd/qhsh -run README -readme updates it: -README +run\n%s", diff)
	}
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

// runBlocks returns the text with the current outputs of its console blocks.
func runBlocks(t *testing.T, text string) string {
	dir := t.TempDir()
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(examples, filepath.Join(dir, "examples")); err != nil {
		t.Skip(err)
	}
	var got strings.Builder
	inBlock := false
	for line := range strings.Lines(text) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case line == "```console\n":
			inBlock = true
		case strings.HasPrefix(line, "```"):
			inBlock = false
		case inBlock && isCommand:
			got.WriteString(line + runInShell(t, dir, strings.TrimSpace(command)))
			continue
		case inBlock:
			continue
		}
		got.WriteString(line)
	}
	return got.String()
}

// runInShell runs a command of the README in a shell and returns its stdout. A command may show
// failures, with exit status 1. The README's test command is not run from within the tests.
func runInShell(t *testing.T, dir, command string) string {
	if command == "go test ./..." {
		return ""
	}
	sh := exec.Command("sh", "-c", strings.ReplaceAll(command, "go run ./cmd/qhsh", "qhsh"))
	sh.Dir = dir
	sh.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, engineVariable+"=")
	var stderr strings.Builder
	sh.Stderr = &stderr
	out, err := sh.Output()
	if status := sh.ProcessState.ExitCode(); status > exitFailed || status < 0 {
		t.Errorf("%s: %v\n%s", command, err, stderr.String())
	}
	return string(out)
}

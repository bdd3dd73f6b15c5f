package main

// The golden corpus: for the commands of all documents, script tests and testdata/golden,
// what they write to stdout and to files, and their exit status. It is kept in testdata/golden and
// compared whole. A golden file has cases:
//
//	=== NAME        a case, which begins in an empty folder
//	$ COMMAND       is run by a POSIX shell, see worker_test.go; it may call qhsh and fakeplugin, and
//	                read examples, files (testdata/golden/files), ccpd and, in files named data-*,
//	                data ($QHSH_DATA)
//	| LINE          of its stdout, or of a file that the case has left
//	- LINE          the same, without a line feed at the end
//	# ...           the size and checksum of what is not kept as text
//	exit STATUS     of the command
//	file NAME       a file that the case has left
//
// Stderr and help texts are not recorded; times and dates are masked (see goldenmask_test.go). A
// case is named after its file and itself: hints/csv, scripts/match/match.
//
//	go test ./cmd/qhsh -run TestGolden                               compares
//	go test ./cmd/qhsh -run TestGolden -golden 'hints/csv|stats/.*'  updates the cases that match
//	go test ./cmd/qhsh -run TestGolden -golden-program OLD    runs another build, to compare with
//	                                                          (cases of Xiangqi differ where no eval is named:
//	                                                          see evaluateSmall)
//	go test ./cmd/qhsh -run TestGolden -golden-keep DIR       writes all outputs whole below DIR
//	go test ./cmd/qhsh -run TestGolden -keep DIR              keeps the folders of the cases below DIR
//
// To add a case, write its name and its commands and record it with -golden. A commit that updates
// cases names the pattern and the reason.

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
)

var (
	goldenUpdate  = flag.String("golden", "", "update the golden cases that match this `pattern`")
	goldenProgram = flag.String("golden-program", "", "run the golden cases with this `program` in the place of qhsh")
	goldenKeep    = flag.String("golden-keep", "", "write the outputs of the golden cases whole below this `folder`")
)

const (
	goldenDir = "testdata/golden"
	// maxKept is how many bytes of an output are kept as text. Of a longer one, the first lines and
	// the checksum of everything are kept.
	maxKept   = 16 << 10
	keptLines = 12
	// dataPrefix starts the name of a file whose cases read $QHSH_DATA. Only checksums of their
	// outputs are kept, since not all of that data may be copied.
	dataPrefix = "data-"
)

// TestGolden compares what all commands write with the golden corpus.
func TestGolden(t *testing.T) {
	if enginetest.Race {
		t.Skip("slow with the race detector; TestScripts covers the same code")
	}
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX shell")
	}
	t.Parallel()
	files, err := filepath.Glob(goldenDir + "/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden cases: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sayHowToKeep(t)
			if strings.HasPrefix(name, dataPrefix) && os.Getenv("QHSH_DATA") == "" {
				t.Skip("QHSH_DATA is not set")
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got []goldenCase
			for _, c := range parseGolden(string(text)) {
				got = append(got, runGolden(t, name, c.name, c.commands))
			}
			compareGolden(t, file, got)
		})
	}
}

// A goldenCase is a case with the outputs of its commands.
type goldenCase struct {
	name     string
	commands []string
	text     string // as in the file, from the first command on
}

func parseGolden(text string) (cases []goldenCase) {
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "=== "); ok {
			cases = append(cases, goldenCase{name: strings.TrimSpace(name)})
			continue
		}
		if len(cases) == 0 {
			continue // blank lines
		}
		c := &cases[len(cases)-1]
		c.text += line
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			c.commands = append(c.commands, strings.TrimSuffix(command, "\n"))
		}
	}
	return cases
}

func formatGolden(cases []goldenCase) string {
	var b strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&b, "=== %s\n%s", c.name, c.text)
	}
	return b.String()
}

// compareGolden fails the test if cases differ from the file. Those whose identifiers match -golden
// are updated or removed.
func compareGolden(t *testing.T, file string, got []goldenCase) {
	t.Helper()
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	source := goldenSource(file)
	if *goldenUpdate != "" {
		pattern, err := regexp.Compile("^(?:" + *goldenUpdate + ")$")
		if err != nil {
			t.Fatal(err)
		}
		old = []byte(formatGolden(merged(parseGolden(string(old)), got, func(c goldenCase) bool {
			return pattern.MatchString(source + "/" + c.name)
		})))
		if err := os.WriteFile(file, old, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(strings.Split(string(old), "\n"), strings.Split(formatGolden(got), "\n")); diff != "" {
		t.Errorf("%s: if this change is wanted, go test ./cmd/qhsh -run '%s' -golden '%s/CASE' updates it (-kept +now):\n%s",
			file, t.Name(), source, diff)
	}
}

// goldenSource returns the prefix of the identifiers of a file's cases.
func goldenSource(file string) string {
	return strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), goldenDir+"/"), ".txt")
}

// merged returns the new cases in order, where a case that is not to be written keeps its earlier
// version. Earlier cases that no longer exist stay unless they are to be written.
func merged(before, now []goldenCase, write func(goldenCase) bool) (cases []goldenCase) {
	find := func(in []goldenCase, name string) int {
		return slices.IndexFunc(in, func(c goldenCase) bool { return c.name == name })
	}
	for _, c := range now {
		at := find(before, c.name)
		switch {
		case write(c):
			cases = append(cases, c)
		case at >= 0:
			cases = append(cases, before[at])
		}
	}
	for _, c := range before {
		if find(now, c.name) < 0 && !write(c) {
			cases = append(cases, c)
		}
	}
	return cases
}

// TestGoldenFiles: every file of the corpus belongs to a script, document or server that exists.
func TestGoldenFiles(t *testing.T) {
	files, err := filepath.Glob(goldenDir + "/*/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		dir, name := filepath.Split(goldenSource(file))
		known := false
		switch dir {
		case "scripts/":
			_, err := os.Stat("testdata/script/" + name + ".txtar")
			known = err == nil
		case "documents/":
			known = documents(t)[name] != ""
		case "servers/":
			known = slices.ContainsFunc(goldenServers, func(s goldenServer) bool { return s.name == name })
		}
		if !known {
			t.Errorf("%s: its script, document or server no longer exists", file)
		}
	}
}

// runGolden runs the commands of a case in a new folder.
func runGolden(t *testing.T, source, name string, commands []string) goldenCase {
	t.Helper()
	r := newRecording(t, source, name, caseFolder(t, name))
	for _, link := range []struct{ name, to string }{
		{"examples", "../../examples"},
		{"files", goldenDir + "/files"},
		{"ccpd", "../../engine/xiangqi/record/testdata/ccpd"},
		{"data", os.Getenv("QHSH_DATA")},
	} {
		r.link(link.name, link.to)
	}
	for _, command := range commands {
		r.command(command, r.shell(command))
	}
	return r.end(commands)
}

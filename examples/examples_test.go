package examples

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/golden"
)

// tests has the tests of the files that are not scripts. The input files of scripts are tested by
// running the script.
var tests = map[string]func(t *testing.T, qhsh, file string){
	"positions.fen":          hintsAlike,
	"LICENSE-wukong-xiangqi": licenceNamed,
	"expected":               allExpected,
	"examples_test.go":       func(*testing.T, string, string) {},
	"analyze.star":           analyzes,
	"analyze_test.go":        func(*testing.T, string, string) {},
	"board.svg":              drawn,
	"breakthrough.py":        plays,
	"breakthrough_test.go":   func(*testing.T, string, string) {},
	"disputed.pgn":           func(*testing.T, string, string) {}, // package records judges it
	"join.py":                joins,
	"join.sh":                joins,
	"join_test.go":           func(*testing.T, string, string) {},
	"night.yml":              func(*testing.T, string, string) {}, // the page ci runs its commands
	"jobs_bench_test.go":     func(*testing.T, string, string) {},
	"notebook.ipynb":         noted,
	"notebook_test.go":       func(*testing.T, string, string) {},
	"python.go":              func(*testing.T, string, string) {},
	"qhsh.py":                analyzes,
	"qhsh_test.py":           unitTested,
	"scripts_test.go":        func(*testing.T, string, string) {},
}

func TestExamples(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	qhsh := enginetest.Program(t, t.TempDir())
	for _, entry := range entries {
		name := entry.Name()
		test := tests[name]
		switch {
		case test != nil:
		case strings.HasSuffix(name, ".star"):
			test = runScript
		default:
			test = isInput
		}
		t.Run(name, func(t *testing.T) { test(t, qhsh, name) })
	}
}

// hintsAlike searches every position of a file with one job and with two: the answers must be the
// same bytes, without errors.
func hintsAlike(t *testing.T, qhsh, file string) {
	one := run(t, qhsh, "hints", "-level", "2", "-jobs", "1", file)
	two := run(t, qhsh, "hints", "-level", "2", "-jobs", "2", file)
	if diff := cmp.Diff(one, two); diff != "" {
		t.Errorf("the answers with two jobs differ from those with one:\n%s", diff)
	}
	lines := strings.Split(strings.TrimSuffix(one, "\n"), "\n")
	if len(lines) < 200 {
		t.Errorf("%d positions, want at least 200", len(lines))
	}
	for _, line := range lines {
		if !strings.Contains(line, `"hints":[`) {
			t.Errorf("no answer: %s", line)
		}
	}
}

func run(t testing.TB, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Errorf("%v: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

// licenceNamed checks that positions.fen names the separate licence that covers part of it.
func licenceNamed(t *testing.T, _, file string) {
	text, err := os.ReadFile("positions.fen")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), file) {
		t.Errorf("positions.fen does not name %s", file)
	}
}

// drawn checks that the README's command draws the README's picture.
func drawn(t *testing.T, qhsh, file string) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, command, _ := strings.Cut(string(text), "$ qhsh board ")
	command, _, found := strings.Cut(command, " -o "+file+"\n")
	if !found {
		t.Fatalf("no command of the README draws %s", file)
	}
	golden.Compare(t, file, run(t, qhsh, append([]string{"board"}, strings.Fields(command)...)...))
}

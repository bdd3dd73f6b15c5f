package examples

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// joins runs a script that finds the positions of the suite in which two levels choose different
// moves.
func joins(t *testing.T, qhsh, script string) {
	program, ext := "python3", ".jsonl"
	if filepath.Ext(script) == ".sh" {
		program, ext = "sh", ".csv"
	}
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not there: %v", program, err)
	}
	dir := t.TempDir()
	path := func(level int, ext string) string { return filepath.Join(dir, fmt.Sprint(level, ext)) }
	for _, level := range []int{2, 4} {
		for _, ext := range []string{".jsonl", ".csv"} {
			run(t, qhsh, "hints", "-level", fmt.Sprint(level), "-o", path(level, ext), "suite.epd")
		}
	}
	got := strings.Split(strings.TrimSuffix(run(t, program, script, path(2, ext), path(4, ext)), "\n"), "\n")
	slices.Sort(got)
	if diff := cmp.Diff(joined(t, path(2, ".jsonl"), path(4, ".jsonl")), got); diff != "" {
		t.Error(diff)
	}
}

// A hint is one of the output of qhsh hints.
type hint struct {
	Move     string
	CP, Mate *int
}

// score returns the score as the scripts write it.
func (h hint) score() string {
	if h.CP != nil {
		return fmt.Sprint(*h.CP)
	}
	return fmt.Sprint("mate ", *h.Mate)
}

// joined returns the expected output of such a script, sorted.
func joined(t *testing.T, first, second string) (lines []string) {
	best := func(file string) map[string]hint {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]hint{}
		for line := range strings.Lines(string(text)) {
			var a struct {
				ID    string
				Hints []hint
			}
			if err := json.Unmarshal([]byte(line), &a); err != nil {
				t.Fatal(err)
			}
			all[a.ID] = a.Hints[0]
		}
		return all
	}
	others := best(second)
	for id, a := range best(first) {
		if b := others[id]; a.Move != b.Move {
			lines = append(lines, strings.Join([]string{id, a.Move, b.Move, a.score(), b.score()}, "\t"))
		}
	}
	slices.Sort(lines)
	return lines
}

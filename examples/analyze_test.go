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

// analyzes runs a client of qhsh analyze on a file of positions: it must report what qhsh hints
// finds.
func analyzes(t *testing.T, qhsh, client string) {
	if filepath.Ext(client) == ".star" {
		requests := run(t, qhsh, "run", client, "twelve.fen")
		answers := runOn(t, requests, exec.Command(qhsh, "analyze", "-level", "3", "-jobs", "2"))
		expect(t, "analyze.out", []byte(runOn(t, answers, exec.Command(qhsh, "run", client))))
		return
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command("python3", "-B", client, "twelve.fen")
	cmd.Env = append(os.Environ(), "QHSH="+qhsh)
	got := strings.Split(strings.TrimSuffix(runOn(t, "", cmd), "\n"), "\n")
	slices.Sort(got)
	if diff := cmp.Diff(bestHints(t, qhsh, "twelve.fen"), got); diff != "" {
		t.Error(diff)
	}
}

// unitTested runs the tests of a file in Python.
func unitTested(t *testing.T, qhsh, file string) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command("python3", "-B", file)
	cmd.Env = append(os.Environ(), "QHSH="+qhsh)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

// The types of the client are right.
func TestTypes(t *testing.T) {
	if _, err := exec.LookPath("mypy"); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command("mypy", "--strict", "--cache-dir", t.TempDir(), "qhsh.py")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
}

// runOn runs a command with an input.
func runOn(t *testing.T, input string, cmd *exec.Cmd) string {
	t.Helper()
	cmd.Stdin = strings.NewReader(input)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Errorf("%v: %v\n%s", cmd.Args, err, stderr.String())
	}
	return string(out)
}

// bestHints returns what qhsh.py writes, sorted.
func bestHints(t *testing.T, qhsh, file string) (lines []string) {
	for i, line := range strings.Split(strings.TrimSuffix(run(t, qhsh, "hints", "-level", "3", file), "\n"), "\n") {
		var a struct{ Hints []hint }
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		for _, h := range a.Hints[:1] {
			lines = append(lines, strings.Join([]string{fmt.Sprint(i + 1), h.Move, h.score()}, "\t"))
		}
	}
	slices.Sort(lines)
	return lines
}

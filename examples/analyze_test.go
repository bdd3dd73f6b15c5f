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
	cmd := exec.Command("python3", client, "twelve.fen")
	cmd.Env = append(os.Environ(), "QHSH="+qhsh)
	got := strings.Split(strings.TrimSuffix(runOn(t, "", cmd), "\n"), "\n")
	slices.Sort(got)
	if diff := cmp.Diff(bestHints(t, qhsh, "twelve.fen"), got); diff != "" {
		t.Error(diff)
	}
	many := exec.Command("python3", "-c", manyRequests)
	many.Env = cmd.Env
	out, err := many.Output()
	if want := "line 1, line 2, 11000 answers\n"; err != nil || string(out) != want {
		t.Errorf("%q, %v, want %q", out, err, want)
	}
}

// manyRequests are more than qhsh analyze takes before it answers, after two that it cannot read.
const manyRequests = `
import analyze
with analyze.Analysis("-level", "1") as analysis:
    bad = [analysis.request(fen=float("nan")), analysis.request(fen="x" * (1 << 20))]
    many = [analysis.request(limits={"nodes": 1}) for _ in range(11000)]
    lines = ["line %d" % b.result(60)["line"] for b in bad]
    print(*lines, "%d answers" % sum(len(m.result(60)["hints"]) for m in many), sep=", ")
`

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

// bestHints returns what analyze.py writes, sorted.
func bestHints(t *testing.T, qhsh, file string) (lines []string) {
	for i, line := range strings.Split(strings.TrimSuffix(run(t, qhsh, "hints", "-level", "3", file), "\n"), "\n") {
		var a struct {
			Hints []struct {
				Move     string
				CP, Mate *int
			}
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		for _, h := range a.Hints[:1] {
			var score string
			if h.CP != nil {
				score = fmt.Sprint(*h.CP)
			} else {
				score = fmt.Sprint("mate ", *h.Mate)
			}
			lines = append(lines, strings.Join([]string{fmt.Sprint(i + 1), h.Move, score}, "\t"))
		}
	}
	slices.Sort(lines)
	return lines
}

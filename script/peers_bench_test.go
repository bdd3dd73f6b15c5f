package script

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"
)

// sameAsPyffish is pyffish/perft.py translated to Starlark.
const sameAsPyffish = `
def perft(b, depth):
    legal = b.legal_moves
    if depth == 1:
        return len(legal)
    n = 0
    for m in legal:
        b.push(m)
        n += perft(b, depth - 1)
        b.pop()
    return n

def cycles(n):
    b = board()
    first, total = b.legal_moves, 0
    for i in range(n):
        b.push(first[i %% len(first)])
        total += len(b.legal_moves)
        b.pop()
    return total

%s
`

var pyffishSays = regexp.MustCompile(`perft\(3\) = 79666  ([\d.]+) s\n\d+ push/legal_moves/pop, (\d+) moves seen  ([\d.]+) s`)

// BenchmarkPyffish runs the same two programs here and in CPython with pyffish, one after the
// other, and reports the speedup over pyffish. pyffish runs 2,024 rounds of push, legal_moves,
// pop, since 100,000 take minutes; its time is scaled up to 100,000.
func BenchmarkPyffish(b *testing.B) {
	peers := os.Getenv("QHSH_PEERS")
	if peers == "" {
		b.Skip("QHSH_PEERS does not name a folder with pyffish/perft.py, which runs pyffish")
	}
	const ours, theirs = 100_000, 46 * 44 // each of the 44 moves equally often
	cmd := exec.Command("python3", filepath.Join(peers, "pyffish", "perft.py"), "3", strconv.Itoa(theirs))
	cmd.Stderr = os.Stderr
	for b.Loop() {
		out, err := cmd.Output()
		if err != nil {
			b.Fatal(err)
		}
		found := pyffishSays.FindStringSubmatch(string(out))
		if found == nil {
			b.Fatalf("pyffish says something else:\n%s", out)
		}
		perft := timed(b, "print(perft(board(), 3))", "79666\n")
		timed(b, fmt.Sprintf("print(cycles(%d))", theirs), found[2]+"\n") // the same moves must be found
		cycles := timed(b, fmt.Sprintf("if cycles(%d) < 1: fail()", ours), "")
		report(b, "perft3", seconds(b, found[1]), perft.Seconds())
		report(b, "cycles", seconds(b, found[3])/theirs*ours, cycles.Seconds())
	}
	b.ReportMetric(0, "ns/op")
}

// timed runs the program in an Env like qhsh run.
func timed(b *testing.B, last, want string) time.Duration {
	b.Helper()
	script := filepath.Join(b.TempDir(), "main.star")
	if err := os.WriteFile(script, fmt.Appendf(nil, sameAsPyffish, last), 0o666); err != nil {
		b.Fatal(err)
	}
	var out writer
	env := newEnv(Options{Stdout: &out, Limits: Limits{Memory: DefaultMemory}})
	defer env.Close(b.Context())
	start := time.Now()
	if err := env.RunFile(b.Context(), script, nil); err != nil || string(out) != want {
		b.Fatalf("%s: %v, want %s", out, err, want)
	}
	return time.Since(start)
}

type writer []byte

func (w *writer) Write(p []byte) (int, error) {
	*w = append(*w, p...)
	return len(p), nil
}

func seconds(b *testing.B, text string) float64 {
	s, err := strconv.ParseFloat(text, 64)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func report(b *testing.B, name string, theirs, ours float64) {
	b.ReportMetric(theirs, name+"-pyffish-s")
	b.ReportMetric(ours, name+"-s")
	b.ReportMetric(theirs/ours, name+"-times-as-fast")
}

// BenchmarkPmap does the same work with one job and with two, and reports the speedup. It needs
// two idle processors.
func BenchmarkPmap(b *testing.B) {
	const program = `
def work(m):
    b = board().play(m)
    return sum([perft(b.play(reply), 2) for reply in b.legal_moves])

if len(pmap(work, board().legal_moves, jobs=%d)) != 44: fail()
`
	one, two := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64) // the minimum of all rounds
	for b.Loop() {
		one = min(one, timed(b, fmt.Sprintf(program, 1), ""))
		two = min(two, timed(b, fmt.Sprintf(program, 2), ""))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(one.Seconds(), "one-job-s")
	b.ReportMetric(two.Seconds(), "two-jobs-s")
	b.ReportMetric(one.Seconds()/two.Seconds(), "times-as-fast")
}

//go:build unix

package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/batch"
)

var many = flag.Int("many", 0, "run so many positions through qhsh hints, and tell of memory and rate")

// TestMany runs a very large number of positions at level 1; they come from random games that start
// from positions of the data. Run it by hand to measure:
//
//	QHSH_DATA=... go test ./cmd/qhsh -run TestMany -many 1000000 -timeout 2h -v
func TestMany(t *testing.T) {
	if *many == 0 {
		t.Skip("-many N is not given")
	}
	dir := t.TempDir()
	in, out, summary := filepath.Join(dir, "in.fen"), filepath.Join(dir, "out.jsonl"), filepath.Join(dir, "summary.json")
	playOn(t, in, *many)
	cmd := exec.Command("qhsh", "hints", "-level", "1", "-jobs", "2", "-o", out, "-summary", summary, in)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	text, err := os.ReadFile(summary)
	if err != nil {
		t.Fatal(err)
	}
	size := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss // KiB on Linux
	t.Logf("peak memory %d MiB, processor time %v\n%s", size>>10, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), text)
	if lines := countLines(t, out); lines != *many {
		t.Errorf("%d answers", lines)
	}
}

// playOn writes positions: each game starts from a position of the data and plays random moves.
func playOn(t *testing.T, path string, n int) {
	starts := []string{xiangqi.StartFEN}
	if data := os.Getenv("QHSH_DATA"); data != "" {
		text, err := os.ReadFile(filepath.Join(data, "openings", "xiangqi.epd"))
		if err != nil {
			t.Fatal(err)
		}
		starts = strings.Split(strings.TrimSpace(string(text)), "\n")
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	random := rand.New(rand.NewPCG(1, 2))
	for written := 0; written < n; {
		item := batch.Parse(xiangqi.Rules, starts[random.IntN(len(starts))])
		if item.Err != nil {
			t.Fatal(item.Err)
		}
		for pos, ply := item.Pos, 0; ply < 40 && written < n && !pos.Result().Over(); ply++ {
			fmt.Fprintln(w, pos)
			written++
			pos = randomMove(t, random, pos)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}

func randomMove(t *testing.T, random *rand.Rand, pos engine.Position) engine.Position {
	moves := pos.Moves()
	next, err := pos.Play(moves[random.IntN(len(moves))])
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func countLines(t *testing.T, path string) int {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	n, buf := 0, make([]byte, 1<<16)
	for {
		read, err := file.Read(buf)
		n += bytes.Count(buf[:read], []byte("\n"))
		if err == io.EOF {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestManyRequests gives as many positions as -many says to qhsh hints and qhsh analyze in turn, and
// tells how many positions a second each answers, the median ratio of these and of the processor
// time, and the memory of analyze with a tenth of the positions and with all:
//
//	QHSH_DATA=... go test ./cmd/qhsh -run TestManyRequests -many 100000 -timeout 2h -v
func TestManyRequests(t *testing.T) {
	if *many == 0 {
		t.Skip("-many N is not given")
	}
	dir := t.TempDir()
	positions, tenth := filepath.Join(dir, "in.fen"), filepath.Join(dir, "tenth.jsonl")
	requests := filepath.Join(dir, "in.jsonl")
	playOn(t, positions, *many)
	writeRequests(t, positions, requests, *many)
	writeRequests(t, positions, tenth, *many/10)
	var ratios, processor []float64
	for range 7 {
		hints := runMany(t, positions, "hints", "-no-dedup", "-unordered", "-level", "1", "-jobs", "2")
		analyze := runMany(t, requests, "analyze", "-level", "1", "-jobs", "2")
		ratios = append(ratios, hints.took.Seconds()/analyze.took.Seconds())
		processor = append(processor, hints.used.time.Seconds()/analyze.used.time.Seconds())
		t.Logf("hints %.0f/s, analyze %.0f/s", float64(*many)/hints.took.Seconds(), float64(*many)/analyze.took.Seconds())
	}
	slices.Sort(ratios)
	slices.Sort(processor)
	t.Logf("median ratio %.3f of %.3f", ratios[len(ratios)/2], ratios)
	t.Logf("of processor time %.3f of %.3f", processor[len(processor)/2], processor)
	t.Logf("peak memory of analyze: %d MiB with %d requests, %d MiB with %d",
		runMany(t, tenth, "analyze", "-level", "1", "-jobs", "2").peak>>10, *many/10,
		runMany(t, requests, "analyze", "-level", "1", "-jobs", "2").peak>>10, *many)
}

// writeRequests writes a request for each of the first n lines of a file.
func writeRequests(t *testing.T, from, to string, n int) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for i, line := range strings.SplitN(string(text), "\n", n+1)[:n] {
		fmt.Fprintf(&b, "{\"id\":%d,\"fen\":%q}\n", i, line)
	}
	if err := os.WriteFile(to, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A manyRun is the cost of a run.
type manyRun struct {
	took time.Duration
	used usage
	peak int64 // KiB on Linux
}

// runMany runs qhsh on an input.
func runMany(t *testing.T, input string, args ...string) manyRun {
	t.Helper()
	in, err := os.Open(input)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cmd := exec.Command("qhsh", args...)
	cmd.Stdin = in
	began := time.Now()
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return manyRun{time.Since(began), usageOf(cmd.ProcessState), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss}
}

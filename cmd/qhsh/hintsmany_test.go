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
	"strings"
	"syscall"
	"testing"

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

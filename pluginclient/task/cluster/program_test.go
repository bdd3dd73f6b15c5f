package cluster_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
	"time"

	"qhsh/engine/enginetest"
)

// buildProgram builds qhsh.
func buildProgram(t *testing.T) string {
	t.Helper()
	if enginetest.Race || testing.Short() {
		t.Skip("builds and starts qhsh")
	}
	path := filepath.Join(t.TempDir(), "qhsh")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", path, "qhsh/cmd/qhsh").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// startProgram starts qhsh work.
func startProgram(t *testing.T, program string, s *testServer, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(program, append([]string{"work", "-cluster", s.url(), "-jobs", "1"}, args...)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	return cmd
}

// run runs qhsh and returns its stdout.
func run(t *testing.T, program string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = filepath.FromSlash("../../../examples")
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, stderr.String())
	}
	return out.Bytes()
}

// TestProgram: every command with -cluster writes what it writes without.
func TestProgram(t *testing.T) {
	t.Parallel()
	program := buildProgram(t)
	s := startServer(t, 0)
	engine := []string{"-engine", "fast=builtin,nodes=200"}
	worker := startProgram(t, program, s, engine...)
	startProgram(t, program, s, engine...)
	for _, args := range [][]string{
		{"hints", "-level", "1", "-hints", "2", "-format", "csv", "twelve.fen"},
		{"annotate", "-level", "1", "-format", "pgn", "game.txt"},
		{"match", "-games", "4", "-level", "1", "-maxmoves", "10", "one=builtin", "two=builtin,off=probcut"},
		{"tune", "-param", "margin.reverse=80,20,200,20", "-games", "4", "-pairs", "1", "-nodes", "100", "-maxmoves", "10", "-format", "json", "builtin"},
	} {
		here := run(t, program, args...)
		there := run(t, program, append([]string{args[0], "-cluster", s.url()}, args[1:]...)...)
		if !bytes.Equal(here, there) {
			t.Errorf("%q writes\n%s\nwith -cluster\n%s", args, here, there)
		}
	}
	waitForEngine(t, s, "fast")
	if out := run(t, program, "hints", "-cluster", s.url(), "-engine", "fast", "twelve.fen"); !regexp.MustCompile(`"spec":"builtin,nodes=200"`).Match(out) {
		t.Errorf("-engine fast: %s", out)
	}
	if runtime.GOOS != "windows" {
		if err := worker.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if err := worker.Wait(); err != nil {
			t.Errorf("a worker that is interrupted ends with %v", err)
		}
	}
}

// waitForEngine waits until a worker has an engine.
func waitForEngine(t *testing.T, s *testServer, name string) {
	t.Helper()
	c := connect(t, s.url(), testTiming)
	for {
		workers, err := c.Workers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range workers {
			for _, e := range w.Engines {
				if e.Name == name {
					return
				}
			}
		}
	}
}

// clusterVariable is the variable of the environment with the duration of TestKills, such as 5m.
const clusterVariable = "QHSH_CLUSTER"

// TestKills runs hints with eight workers of which one is killed every second, and with a server that
// is restarted every twenty, and compares the output with that of one machine.
func TestKills(t *testing.T) {
	duration, err := time.ParseDuration(os.Getenv(clusterVariable))
	if err != nil {
		t.Skipf("takes minutes: set %s to a duration such as 5m", clusterVariable)
	}
	program := buildProgram(t)
	s := startServer(t, 0)
	dir := t.TempDir()
	here, there := filepath.Join(dir, "here.jsonl"), filepath.Join(dir, "there.jsonl")
	positions, err := os.ReadFile(filepath.FromSlash("../../../examples/positions.fen"))
	if err != nil {
		t.Fatal(err)
	}
	input := filepath.Join(dir, "positions.fen")
	// About 3 ms a position on one core, and no dedup: an answer for each.
	if err := os.WriteFile(input, bytes.Repeat(positions, int(duration.Seconds())), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"hints", "-level", "3", "-no-dedup", input, "-o"}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	began := time.Now()
	go func() {
		out, err := exec.CommandContext(ctx, program, append(args, there, "-cluster", s.url())...).CombinedOutput()
		t.Logf("%s", out)
		ended <- err
	}()
	workers := make([]*exec.Cmd, 8)
	for i := range workers {
		workers[i] = startProgram(t, program, s)
	}
	for kills := 0; ; kills++ {
		select {
		case err := <-ended:
			t.Logf("%d workers killed in %v", kills, time.Since(began).Round(time.Second))
			if err != nil {
				t.Fatal(err)
			}
			run(t, program, append(args, here)...)
			compareFiles(t, here, there)
			return
		case <-time.After(time.Second):
		}
		i := rand.IntN(len(workers))
		_ = workers[i].Process.Kill() // it may have ended
		_ = workers[i].Wait()
		workers[i] = startProgram(t, program, s)
		if kills%20 == 19 {
			s.stop()
			s.start()
		}
	}
}

func compareFiles(t *testing.T, a, b string) {
	t.Helper()
	x, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(x, y) {
		t.Errorf("%s and %s differ: %d and %d bytes", a, b, len(x), len(y))
	}
}

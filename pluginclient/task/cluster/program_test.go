package cluster_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"qhsh/engine/enginetest"
)

var examples = filepath.FromSlash("../../../examples")

// buildProgram returns the path of a qhsh that is built once.
func buildProgram(t *testing.T) string {
	t.Helper()
	if enginetest.Race || testing.Short() {
		t.Skip("builds and starts qhsh")
	}
	building.Do(func() {
		dir, err := os.MkdirTemp("", "qhsh")
		if err != nil {
			t.Fatal(err)
		}
		builtIn, built = dir, enginetest.Program(t, dir)
	})
	if built == "" {
		t.Fatal("the program was not built")
	}
	return built
}

// The program, and its folder.
var (
	building       sync.Once
	builtIn, built string
)

func TestMain(m *testing.M) {
	flag.Parse()
	if p := flag.Lookup("test.parallel"); !enginetest.Race && p.Value.String() == p.DefValue {
		_ = p.Value.Set("8") // tests here wait, for deadlines and for the network, more than they work
	}
	status := m.Run()
	if builtIn != "" {
		_ = os.RemoveAll(builtIn) // it is in the folder of temporary files
	}
	os.Exit(status)
}

// startProgram starts qhsh work.
func startProgram(t *testing.T, program, url string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(program, append([]string{"work", "-cluster", url, "-jobs", "1"}, args...)...)
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
	cmd.Dir = examples
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
	s := startServer(t)
	engine := []string{"-engine", "fast=builtin,nodes=200"}
	worker := startProgram(t, program, s.url(), engine...)
	startProgram(t, program, s.url(), engine...)
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
	var out []byte
	var err error
	await(t, func() bool { // workers are known that answer within half a second
		cmd := exec.CommandContext(t.Context(), program, "hints", "-cluster", s.url(), "-engine", "fast", "twelve.fen")
		cmd.Dir = examples
		out, err = cmd.Output()
		var failed *exec.ExitError
		return !errors.As(err, &failed) || !bytes.Contains(failed.Stderr, []byte("workers have no engine named"))
	})
	if err != nil || !bytes.Contains(out, []byte(`"spec":"builtin,nodes=200"`)) {
		t.Errorf("-engine fast: %v, %s", err, out)
	}
	for _, args := range [][]string{
		{"hints", "-engine", "nope", "-nodes", "300", "twelve.fen"}, {"match", "-games", "2", "-nodes", "300", "one=nope", "two=builtin"},
	} {
		cmd := exec.CommandContext(t.Context(), program, append([]string{args[0], "-cluster", s.url()}, args[1:]...)...)
		cmd.Dir = examples
		if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != 2 || !bytes.Contains(out, []byte(`workers have no engine named "nope": they have `)) {
			t.Errorf("%q: %v, %s", args, err, out)
		}
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

// clusterVariable is the variable of the environment with the duration of TestKills, such as 5m. With
// it, TestNetwork has faults of a minute.
const clusterVariable = "QHSH_CLUSTER"

// TestKills runs hints with eight workers of which one is killed every second, and with a server that
// is restarted every twenty, and compares the output with that of one machine.
func TestKills(t *testing.T) {
	duration, err := time.ParseDuration(os.Getenv(clusterVariable))
	if err != nil {
		t.Skipf("takes minutes: set %s to a duration such as 5m", clusterVariable)
	}
	program := buildProgram(t)
	s := startServer(t)
	dir := t.TempDir()
	here, there := filepath.Join(dir, "here.jsonl"), filepath.Join(dir, "there.jsonl")
	positions, err := os.ReadFile(filepath.Join(examples, "positions.fen"))
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
		workers[i] = startProgram(t, program, s.url())
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
		workers[i] = startProgram(t, program, s.url())
		if kills%20 == 19 {
			s.stop()
			s.start()
		}
	}
}

// A fedRun is a run of hints whose positions the test writes, so that it does not end before the test
// has done all it wants.
type fedRun struct {
	t         *testing.T
	program   string
	out       string
	in        io.WriteCloser
	told      bytes.Buffer // on stderr
	ended     chan error
	positions [][]byte // not written
	written   []byte
}

var fedArgs = []string{"hints", "-level", "2", "-no-dedup", "-o"}

// startFed starts such a run, and waits until it has answers.
func startFed(t *testing.T, program, url string) *fedRun {
	t.Helper()
	r := &fedRun{t: t, program: program, out: filepath.Join(t.TempDir(), "out.jsonl"), ended: make(chan error, 1)}
	r.positions = linesOf(t, filepath.Join(examples, "positions.fen"))
	cmd := exec.CommandContext(t.Context(), program, append(fedArgs, r.out, "-cluster", url, "-")...)
	cmd.Stderr = &r.told
	var err error
	if r.in, err = cmd.StdinPipe(); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() { r.ended <- cmd.Wait() }()
	r.write()
	await(t, func() bool {
		select {
		case err := <-r.ended:
			t.Fatalf("%v\n%s", err, r.told.String())
		default:
		}
		info, err := os.Stat(r.out)
		return err == nil && info.Size() > 0
	})
	return r
}

// write writes some positions.
func (r *fedRun) write() {
	r.t.Helper()
	some := bytes.Join(r.positions[:15], nil)
	r.positions, r.written = r.positions[15:], append(r.written, some...)
	if _, err := r.in.Write(some); err != nil {
		r.t.Fatalf("%v\n%s", err, r.told.String())
	}
}

// finish ends the run and compares its output with that of one machine.
func (r *fedRun) finish() {
	r.t.Helper()
	if err := r.in.Close(); err != nil {
		r.t.Fatal(err)
	}
	if err := <-r.ended; err != nil {
		r.t.Fatalf("%v\n%s", err, r.told.String())
	}
	r.t.Logf("%s", r.told.String())
	dir := r.t.TempDir()
	input, here := filepath.Join(dir, "positions.fen"), filepath.Join(dir, "here.jsonl")
	if err := os.WriteFile(input, r.written, 0o666); err != nil {
		r.t.Fatal(err)
	}
	run(r.t, r.program, append(fedArgs, here, input)...)
	compareFiles(r.t, here, r.out)
}

// TestNetwork runs hints with two workers. A proxy of the coordinator, and then one of a worker, is
// slow, stalls, cuts and refuses connections. The run writes what one machine writes.
func TestNetwork(t *testing.T) {
	t.Parallel()
	program := buildProgram(t)
	long := time.Second
	if os.Getenv(clusterVariable) != "" {
		long = time.Minute
	}
	s := startServer(t)
	ours, theirs := startProxy(t, s), startProxy(t, s)
	startProgram(t, program, theirs.url())
	startProgram(t, program, s.url())
	r := startFed(t, program, ours.url())
	for _, p := range []*proxy{ours, theirs} {
		for _, fault := range []func() (end func()){
			func() func() { p.slow(100 * time.Millisecond); return func() { p.slow(0) } },
			p.stall,
			func() func() { p.cut(); return func() {} },
			p.part,
		} {
			r.write()
			end := fault()
			r.write()
			time.Sleep(long)
			end()
		}
	}
	r.finish()
}

// linesOf returns the lines of a file.
func linesOf(t *testing.T, path string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.SplitAfter(text, []byte("\n"))
}

// TestNoRoom: an output without space ends the run with an error and its workers' part of it, and
// -resume resumes it once there is space.
func TestNoRoom(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/dev/full and ulimit -f need Linux")
	}
	t.Parallel()
	program := buildProgram(t)
	s := startServer(t)
	startProgram(t, program, s.url())
	startProgram(t, program, s.url())
	c := connect(t, s.url(), testTiming)
	dir := t.TempDir()
	here, there := filepath.Join(dir, "here.jsonl"), filepath.Join(dir, "there.jsonl")
	args := []string{program, "hints", "-level", "1", "-format", "json", "positions.fen", "-o"}
	run(t, program, append(args[1:], here)...)
	args = append(args, there, "-cluster", s.url())
	for _, c := range []struct{ script, want string }{
		{`exec "$@" -o /dev/full`, "qhsh hints: output: write /dev/full: no space left on device\n"},
		{`ulimit -f 40; exec "$@"`, "qhsh hints: output: write " + there + ": file too large\n"},
	} {
		cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", c.script, "sh"}, args...)...)
		cmd.Dir = examples
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.HasSuffix(string(out), c.want) {
			t.Errorf("%s: %v, %s", c.script, err, out)
		}
	}
	waitForIdle(t, c)
	run(t, program, append(args[1:], "-resume")...)
	compareFiles(t, here, there)
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

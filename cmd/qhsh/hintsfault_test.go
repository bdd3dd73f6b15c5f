package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/enginetest"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/hints"
)

// How often TestKilledAtAnyInstant kills, and its seed.
var (
	kills    = flag.Int("kills", 12, "kill qhsh at so many instants; at a tenth of them with -short and -race")
	killSeed = flag.Uint64("killseed", 0, "of the instants; 0: another one each time")
)

// manyPositions returns a file with the positions of the examples, some of them twice, a bad line
// and a finished game.
func manyPositions(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../examples/positions.fen")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	all := bytes.Join([][]byte{text, []byte("nonsense\n3k5/9/9/9/9/9/9/9/r8/r3K4 w\n"), bytes.Join(lines[10:60], nil)}, nil)
	path := filepath.Join(t.TempDir(), "positions.fen")
	if err := os.WriteFile(path, all, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// runHints runs qhsh hints to its end.
func runHints(t *testing.T, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	o := runQhsh(t.Context(), func(h *host) { h.Stdin = strings.NewReader(stdin) }, append([]string{"hints"}, args...)...)
	return o.status, o.stdout, o.stderr
}

// same compares two files.
func same(t *testing.T, want, got string) {
	t.Helper()
	a, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(got)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("%s and %s differ:\n%s", want, got, cmp.Diff(strings.Split(string(a), "\n"), strings.Split(string(b), "\n")))
	}
	isFinished(t, got)
}

// isFinished checks that an output is finished and that only its log is next to it.
func isFinished(t *testing.T, got string) {
	t.Helper()
	if f, err := hints.FinishedAt(got); f == nil || err != nil {
		t.Errorf("%s is not marked as finished: %v", got, err)
	}
	for _, left := range []string{got + ".run-new", got + "-wal", got + "-new"} {
		if _, err := os.Stat(left); err == nil {
			t.Errorf("%s is left behind", left)
		}
	}
}

// killsPerRun is the minimum number of kills for each run: with fewer kills TestKilledAtAnyInstant
// selects fewer of the runs at random.
const killsPerRun = 6

// A killedRun is a run that TestKilledAtAnyInstant kills.
type killedRun struct {
	out       string
	engine    string
	unordered bool
	cached    bool
	args      []string
}

func (r killedRun) String() string {
	name := r.out + " of " + r.engine
	if r.unordered {
		name += " unordered"
	}
	if r.cached {
		name += " with a cache"
	}
	return strings.Join(append([]string{name}, r.args...), " ")
}

// command returns the arguments of the run with an output file, without its input.
func (r killedRun) command(out string) []string {
	args := append([]string{"hints", "-level", "1", "-engine", r.engine, "-o", out}, r.args...)
	if r.unordered {
		args = append(args, "-unordered")
	}
	if r.cached {
		args = append(args, "-cache", out+".cache")
	}
	return args
}

// Engines that are separate processes.
const (
	pluginProcess = "qhsh -plugin"
	uciProcess    = "uci:qhsh -uci"
	dyingPlugin   = "fakeplugin -die -every 7"
)

var killedRuns = []killedRun{
	{out: "a.jsonl", engine: "builtin"},
	{out: "b.jsonl", engine: "builtin", args: []string{"-jobs", "2", "-hints", "2"}},
	{out: "c.csv", engine: "builtin", args: []string{"-jobs", "2"}},
	{out: "d.txt", engine: "builtin"},
	{out: "e.epd", engine: "builtin"},
	{out: "f.db", engine: "builtin", args: []string{"-hints", "2"}},
	{out: "g.jsonl.gz", engine: "builtin"},
	{out: "h.csv.zst", engine: "builtin"},
	{out: "i.jsonl", engine: "builtin", cached: true},
	{out: "j.jsonl", engine: "builtin", unordered: true, args: []string{"-jobs", "2"}},
	{out: "k.csv.gz", engine: "builtin", cached: true, args: []string{"-jobs", "2"}},
	{out: "l.jsonl.zst", engine: "builtin", unordered: true, cached: true, args: []string{"-jobs", "2"}},
	{out: "m.jsonl", engine: "builtin", args: []string{"-no-dedup", "-jobs", "2"}},

	{out: "n.jsonl", engine: dyingPlugin, args: []string{"-jobs", "2"}},
	{out: "o.jsonl", engine: pluginProcess, args: []string{"-jobs", "2"}},
	{out: "p.csv.gz", engine: pluginProcess, args: []string{"-hints", "2"}},
	{out: "q.db", engine: pluginProcess, cached: true},
	{out: "r.jsonl", engine: pluginProcess, unordered: true, args: []string{"-jobs", "2"}},

	{out: "s.jsonl", engine: uciProcess},
	{out: "t.epd", engine: uciProcess, args: []string{"-jobs", "2"}},
	{out: "u.txt", engine: uciProcess, cached: true},
	{out: "v.csv.zst", engine: uciProcess, unordered: true, cached: true, args: []string{"-jobs", "2"}},
	{out: "w.db", engine: uciProcess, args: []string{"-jobs", "2"}},
}

// TestKilledAtAnyInstant kills runs with kill -9 at random times and resumes them immediately until
// they are finished. Their outputs equal those of uninterrupted runs.
func TestKilledAtAnyInstant(t *testing.T) {
	n := *kills
	if testing.Short() || enginetest.Race {
		n = (n + 9) / 10
	}
	seed := *killSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("%d kills with -killseed %d", n, seed)
	random := rand.New(rand.NewPCG(seed, 0))
	runs := slices.Clone(killedRuns)
	random.Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
	runs = runs[:min(len(runs), max(1, n/killsPerRun))]
	positions := manyPositions(t)
	for i, r := range runs {
		share := n*(i+1)/len(runs) - n*i/len(runs)
		t.Run(r.String(), func(t *testing.T) { r.kill(t, positions, random, share) })
	}
}

// kill kills a run n times.
func (r killedRun) kill(t *testing.T, positions string, random *rand.Rand, times int) {
	dir := t.TempDir()
	want, got := filepath.Join(dir, "whole-"+r.out), filepath.Join(dir, r.out)
	begun := time.Now()
	whole := startQhsh(t, nil, append(r.command(want), "-no-dedup", positions)...)
	if status := whole.status(t); status != exitFailed {
		t.Fatalf("status %d: %s", status, whole.stderr.String())
	}
	took := time.Since(begun)
	args := append(r.command(got), "-resume", positions)
	finished := 0
	for killed := 0; killed < times; {
		at := time.Duration(random.Int64N(int64(took)))
		p := startQhsh(t, nil, args...)
		time.Sleep(at)
		_ = p.cmd.Process.Kill()
		switch p.status(t) {
		case -1:
			killed++
		case exitFailed: // it ended before the kill: start another run
			finished++
			r.same(t, want, got)
			remove(t, got)
		default:
			t.Fatalf("after %v: %s", at, p.stderr.String())
		}
	}
	if status, _, stderr := runHints(t, "", args[1:]...); status != exitFailed {
		t.Fatalf("status %d: %s", status, stderr)
	}
	r.same(t, want, got)
	t.Logf("%d kills in %d runs of %v each, none refused, none different", times, finished+1, took.Round(time.Millisecond))
}

// same compares two outputs, ignoring the order if the run is unordered.
func (r killedRun) same(t *testing.T, want, got string) {
	t.Helper()
	if !r.unordered {
		same(t, want, got)
		return
	}
	if diff := cmp.Diff(sortedLines(t, want), sortedLines(t, got)); diff != "" {
		t.Errorf("%s and %s differ:\n%s", want, got, diff)
	}
	isFinished(t, got)
}

// sortedLines returns the lines of an output, which may be compressed.
func sortedLines(t *testing.T, path string) []string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, text := readable(t, path, content)
	return slices.Sorted(strings.Lines(string(text)))
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// TestFaults: engines that misbehave at every seventh position cost only time.
func TestFaults(t *testing.T) {
	positions, dir := manyPositions(t), t.TempDir()
	for _, c := range enginetest.SampleUnderRace(3, []struct {
		name, flags string
		head        int    // number of positions; a hang takes time
		think       string // only a hang is found by it
	}{
		{"dies", "-die -every 7", 60, "5m"},
		{"hangs", "-hang -every 7", 30, "2s"},
		{"floods", "-flood -every 7", 60, "5m"},
	}) {
		t.Run(c.name, func(t *testing.T) {
			if enginetest.Race {
				c.head = 30
			}
			input := firstLinesOf(t, positions, c.head)
			want, got := filepath.Join(dir, c.name+"-want.epd"), filepath.Join(dir, c.name+".epd") // EPD has no SPEC
			runHints(t, "", input, "-engine", "fakeplugin", "-o", want)
			status, _, stderr := runHints(t, "", input, "-jobs", "2", "-engine", "fakeplugin "+c.flags, "-o", got,
				"-wait-think", c.think, "-wait-abort", "50ms", "-wait-quit", "2s")
			if status != exitOK {
				t.Fatalf("status %d: %s", status, stderr)
			}
			same(t, want, got)
		})
	}
}

// firstLinesOf returns a file with the first lines of another.
func firstLinesOf(t *testing.T, path string, n int) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head := filepath.Join(t.TempDir(), filepath.Base(path))
	lines := bytes.SplitAfter(text, []byte("\n"))
	if err := os.WriteFile(head, bytes.Join(lines[:n], nil), 0o666); err != nil {
		t.Fatal(err)
	}
	return head
}

// TestNoRoom: an output that cannot be written ends the run with an error that states the reason.
// The written answers are whole, and the run can be resumed once there is space.
func TestNoRoom(t *testing.T) {
	enginetest.SkipUnderRace(t)
	if runtime.GOOS != "linux" {
		t.Skip("/dev/full and ulimit -f need Linux")
	}
	positions, dir := manyPositions(t), t.TempDir()
	for _, args := range [][]string{{"-o", "/dev/full", "-format", "json"}, {"-o", "/dev/full", "-format", "json", "-resume"}} {
		status, _, stderr := runHints(t, "", append(args, positions, "-level", "1")...)
		if status != exitFailed || !strings.Contains(stderr, "no space left on device\n") {
			t.Errorf("%v: status %d: %s", args, status, stderr)
		}
	}
	for _, name := range []string{"out.jsonl", "out.db"} {
		want, got := filepath.Join(dir, "whole-"+name), filepath.Join(dir, name)
		runHints(t, "", positions, "-level", "1", "-o", want)
		limited := exec.Command("sh", "-c", `ulimit -f 40; exec qhsh hints -level 1 -o "$1" "$2"`, "sh", got, positions)
		out, err := limited.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitFailed {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		if strings.Contains(string(out), "goroutine") || !strings.HasPrefix(string(out), "qhsh hints: ") {
			t.Errorf("%s: it says %s", name, out)
		}
		if name == "out.jsonl" {
			wantWhole(t, want, got)
		}
		if status, _, stderr := runHints(t, "", positions, "-level", "1", "-o", got, "-resume"); status != exitFailed {
			t.Fatalf("status %d: %s", status, stderr)
		}
		same(t, want, got)
	}
}

// TestNoRoomForSummary: all answers are written, and the same command with -resume writes the
// summary.
func TestNoRoomForSummary(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/dev/full needs Linux")
	}
	out := filepath.Join(t.TempDir(), "out.jsonl")
	args := []string{"-level", "1", "-o", out, "-resume", "-summary"}
	for range 2 {
		status, _, stderr := runHints(t, "startpos\n", append(args, "/dev/full")...)
		if status != exitFailed || !strings.Contains(stderr, "-summary: write /dev/full: no space left on device\n") {
			t.Errorf("status %d: %s", status, stderr)
		}
		want := out + " is finished: the same command with -resume only writes the summary\n"
		if strings.Contains(stderr, "-resume resumes") || !strings.Contains(stderr, want) {
			t.Errorf("it says %s", stderr)
		}
	}
	summary := out + ".summary"
	if status, _, stderr := runHints(t, "startpos\n", append(args, summary)...); status != exitOK {
		t.Errorf("status %d: %s", status, stderr)
	}
	if text, err := os.ReadFile(summary); err != nil || !strings.Contains(string(text), `"positions":1,`) {
		t.Errorf("the summary is %s, %v", text, err)
	}
}

// TestCountIsBrokenOff: Ctrl-C interrupts the counting of a large file.
func TestCountIsBrokenOff(t *testing.T) {
	in, err := (&inputFlags{column: input.DefaultColumn}).findInputs(t.Context(), host{}, "hints", []string{manyPositions(t)})
	if err != nil {
		t.Fatal(err)
	}
	if n := in.count(t.Context()); n < 100 {
		t.Errorf("there are %d positions", n)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if n := in.count(ctx); n != 0 {
		t.Errorf("%d positions were counted", n)
	}
}

// wantWhole checks that an output has whole lines, but not all of them.
func wantWhole(t *testing.T, want, got string) {
	t.Helper()
	whole, _ := os.ReadFile(want)
	part, err := os.ReadFile(got)
	if err != nil {
		t.Fatal(err)
	}
	if len(part) == 0 || len(part) == len(whole) || !bytes.HasPrefix(whole, part) || part[len(part)-1] != '\n' {
		t.Errorf("%d of %d bytes are there, the last are %q", len(part), len(whole), part[max(0, len(part)-20):])
	}
}

// TestInterruptedOutput: after Ctrl-C the output file has the finished answers, qhsh prints how to
// resume, and that works. Until then no other process can write the file.
func TestInterruptedOutput(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent Ctrl-C on Windows")
	}
	for _, ext := range enginetest.SampleUnderRace(2, []string{".jsonl", ".jsonl.gz"}) {
		t.Run(ext, func(t *testing.T) { interruptOutput(t, ext) })
	}
}

func interruptOutput(t *testing.T, ext string) {
	dir := t.TempDir()
	out, began := filepath.Join(dir, "out"+ext), filepath.Join(dir, "began")
	const input = "startpos\n4k4/9/9/9/9/9/9/9/4A4/4K4 w\nstartpos moves h2e2\n"
	engine := "fakeplugin -hang -at 4k4 -once " + began
	args := []string{"-", "-wait-quit", "1s", "-o", out, "-engine", engine, "-resume"}
	p := startQhsh(t, strings.NewReader(input), append([]string{"hints"}, args...)...)
	awaitFile(t, began) // the engine hangs
	// Meanwhile no other process can write the file, under any name.
	link := filepath.Join(dir, "link"+ext)
	if err := os.Link(out, link); err != nil {
		link = out
	}
	for _, name := range []string{out, link} {
		args[slices.Index(args, "-o")+1] = name
		status, _, stderr := runHints(t, input, args[:len(args)-1]...) // without -resume
		if want := fmt.Sprintf("qhsh hints: -o %s: another run is writing it\nrun 'qhsh help hints' for its usage\n", name); status != exitUsage || stderr != want {
			t.Errorf("another run: status %d: %s", status, stderr)
		}
	}
	args[slices.Index(args, "-o")+1] = out
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	want := "qhsh hints: 1 answered: the same command with -resume resumes the run\nqhsh hints: interrupted\n"
	if status := p.status(t); status != exitInterrupted || p.stderr.String() != want {
		t.Errorf("status %d, stderr %q", status, p.stderr.String())
	}
	status, _, stderr := runHints(t, strings.Replace(input, "startpos", "startpos moves h2e2", 1), args...)
	if status != exitUsage || !strings.Contains(stderr, "-resume: standard input has changed since the run began\n") {
		t.Errorf("another input: status %d: %s", status, stderr)
	}
	if status, _, stderr = runHints(t, input, args...); status != exitOK || stderr != "" {
		t.Errorf("resumed: status %d: %s", status, stderr)
	}
	whole := filepath.Join(dir, "whole"+ext)
	runHints(t, input, "-o", whole, "-engine", engine)
	same(t, whole, out)
}

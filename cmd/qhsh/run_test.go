package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/games"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/sqlitefile"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/output"
	"qhsh/repl"
)

// outcome is the result of running qhsh.
type outcome struct {
	status         int
	stdout, stderr string
}

// runQhsh runs qhsh in this process, with a host that a test may change.
func runQhsh(ctx context.Context, change func(*host), args ...string) outcome {
	var stdout, stderr bytes.Buffer
	h := host{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Env: func(string) string { return "" }, Games: games.Default,
	}
	if change != nil {
		change(&h)
	}
	status := run(ctx, h, args)
	return outcome{status, stdout.String(), stderr.String()}
}

func TestTerminalIsNoInput(t *testing.T) {
	got := runQhsh(t.Context(), func(h *host) { h.StdinTTY = true }, "hints")
	want := outcome{status: exitUsage, stderr: "qhsh hints: missing input: name a FILE of positions, pipe them in, " +
		"or type them after 'qhsh hints -'\nrun 'qhsh help hints' for its usage\n"}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" {
		t.Error(diff)
	}
	got = runQhsh(t.Context(), func(h *host) {
		h.StdinTTY, h.Stdin = true, strings.NewReader("startpos\n")
	}, "hints", "-", "-level=1")
	if got.status != exitOK || !strings.HasPrefix(got.stdout, `{"line":1,`) {
		t.Errorf("typed after a dash: %+v", got)
	}
}

// TestBar runs with stderr on a terminal, and with stdout on a terminal or not.
func TestBar(t *testing.T) {
	file := filepath.Join(t.TempDir(), "positions.fen")
	write(t, file, "# two\nstartpos\n\nx\n")
	got := runQhsh(t.Context(), func(h *host) { h.StderrTTY = true }, "hints", "-level", "1", file)
	if got.status != exitFailed {
		t.Errorf("status %d", got.status)
	}
	bar := "\r[                    ] 0/2  0/s"
	if !strings.HasPrefix(got.stderr, bar) || strings.Contains(got.stderr, "\x1b") {
		t.Errorf("stderr %q does not start with a plain bar", got.stderr)
	}
	last := got.stderr[strings.LastIndex(got.stderr, "\r")+1:]
	if !strings.HasPrefix(last, "qhsh hints: 2 positions in ") || !strings.HasSuffix(last, "/s, 1 failed\n") {
		t.Errorf("the summary is %q", last)
	}

	both := func(h *host) { h.StderrTTY, h.StdoutTTY = true, true }
	got = runQhsh(t.Context(), both, "hints", "-level", "1", file)
	if got.stderr != "qhsh hints: line 4: 1 rank instead of 10\nqhsh hints: 2 positions, 1 failed\n" {
		t.Errorf("a bar although stdout is on the same terminal: %q", got.stderr)
	}
	got = runQhsh(t.Context(), both, "hints", "-level", "1", file, "-o", file+".jsonl")
	if !strings.HasPrefix(got.stderr, bar) || got.stdout != "" {
		t.Errorf("no bar with -o: %+v", got)
	}
	next := fmt.Sprintf("qhsh hints: the answers are in %s.jsonl: 'qhsh stats %s.jsonl' summarises them, -format text shows hints as text\n", file, file)
	if !strings.HasSuffix(got.stderr, next) {
		t.Errorf("stderr %q does not end with %q", got.stderr, next)
	}
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	got = runQhsh(interrupted, both, "hints", "-level", "1", file, "-o", file+".csv")
	if _, err := os.Stat(file + ".csv"); err == nil || got.status != exitInterrupted || strings.Contains(got.stderr, "answers") {
		t.Errorf("interrupted before the first answer: %+v, %v", got, err)
	}
}

// TestFailuresShown: the first failures are reported, whether or not a retry has succeeded, and all are
// counted.
func TestFailuresShown(t *testing.T) {
	input := strings.Repeat("x\n", 6) + strings.Repeat("startpos\n", 3) + strings.Repeat("4k4/9/9/9/9/9/9/9/4A4/4K4 w\n", 3)
	for _, c := range []struct {
		engine string
		shown  int
		last   string // how the last failure shown begins and ends
		end    string
		total  string
	}{
		{"fakeplugin -die -at 4k4", 9, "line 12: Fake 1.0: HINTS 1: died: ", "", "12 positions, 9 failed"},
		{"fakeplugin -die -every 2", 10, "line 11: Fake 1.0: HINTS 1: died: ", "; answered when retried", "12 positions, 6 failed, 5 answered only when retried"},
	} {
		got := runQhsh(t.Context(), func(h *host) { h.Stdin = strings.NewReader(input) }, "hints", "-no-dedup", "-level", "1", "-engine", c.engine)
		lines := strings.Split(strings.ReplaceAll(strings.TrimSuffix(got.stderr, "\n"), "qhsh hints: ", ""), "\n")
		if n := len(lines) - 1; got.status != exitFailed || n != c.shown || lines[0] != "line 1: 1 rank instead of 10" ||
			!strings.HasPrefix(lines[n-1], c.last) || !strings.HasSuffix(lines[n-1], c.end) || lines[n] != c.total {
			t.Errorf("%s: status %d: %s", c.engine, got.status, got.stderr)
		}
	}
}

// TestBarFits: a bar is never wider than the terminal, however long its text. A terminal of unknown
// width counts as 80 columns wide.
func TestBarFits(t *testing.T) {
	var w strings.Builder
	p := newBatchProgress("hints", host{Stderr: &w}, true)
	p.total = 1 << 58
	p.begin()
	p.resume(batch.Tally{Done: 1 << 57, Failed: 1 << 56})
	for drawn := range strings.SplitSeq(w.String(), "\r") {
		if len(drawn) > 79 {
			t.Errorf("%d columns: %q", len(drawn), drawn)
		}
	}
}

func TestBarLine(t *testing.T) {
	for _, c := range []struct {
		total, done, failed int
		elapsed             time.Duration
		want                string
	}{
		{200, 0, 0, 0, "[                    ] 0/200  0/s"},
		{200, 50, 0, 10 * time.Second, "[=====               ] 50/200  5/s  0:30 left"},
		{200, 199, 3, 1990 * time.Second, "[=================== ] 199/200  0.1/s  0:10 left  3 failed"},
		{200, 200, 3, time.Second, "[====================] 200/200  200/s  3 failed"},
		{100_000, 10, 0, time.Minute, "[                    ] 10/100000  0.167/s  166:39:00 left"},
		{0, 1234, 1, 10 * time.Second, "1234  123/s  1 failed"},
		{5, 7, 0, time.Second, "[====================] 7/5  7/s"}, // the file has grown
	} {
		p := newBatchProgress("hints", host{}, false)
		if got := p.line(progressCounts{Done: c.done, Total: c.total, Failed: c.failed}, c.elapsed); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestWarningsStandApart prints a warning while a bar is displayed.
func TestWarningsStandApart(t *testing.T) {
	var stderr bytes.Buffer
	p := newBatchProgress("hints", host{Stderr: &stderr}, true)
	p.total = 2
	p.say("early")
	p.begin()
	p.say("odd engine")
	p.end()
	bar := "[                    ] 0/2  0/s"
	blank := strings.Repeat(" ", len(bar))
	got := stderr.String()
	got = got[:strings.LastIndex(got, "\r")+1]
	want := "qhsh hints: early\n\r" + bar + "\r" + blank + "\rqhsh hints: odd engine\n\r" + bar + "\r" + blank + "\r"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestReaderGone closes stdout after the first line.
func TestReaderGone(t *testing.T) {
	r, w := io.Pipe()
	go func() {
		_, _ = r.Read(make([]byte, 1<<16))
		r.Close()
	}()
	got := runQhsh(t.Context(), func(h *host) {
		h.Stdout, h.Stdin = w, strings.NewReader(strings.Repeat("startpos\nx\n", 1000))
	}, "hints", "-level", "1", "-jobs", "2")
	if got.status != exitOK {
		t.Errorf("status %d", got.status)
	}
	if strings.Contains(got.stderr, "pipe") || strings.Contains(got.stderr, "gone") {
		t.Errorf("stderr %q", got.stderr)
	}
}

// TestFullDisk has a stdout on a full disk.
func TestFullDisk(t *testing.T) {
	got := runQhsh(t.Context(), func(h *host) {
		h.Stdout, h.Stdin = fullDisk{}, strings.NewReader("startpos\n")
	}, "hints", "-level", "1")
	if got.status != exitFailed || got.stderr != "qhsh hints: output: no space left on device\n" {
		t.Errorf("%+v", got)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestOutputIsInput uses one file for input and output, opened by a shell as in qhsh hints <x >>x.
func TestOutputIsInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.txt")
	const text = "startpos\n"
	write(t, path, text)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct {
		stdin, stdout bool // whether they are the file
		args          []string
		what          string
	}{
		{true, true, nil, "standard output: that is an input"},
		{false, true, []string{path}, "standard output: that is an input"},
		{true, false, []string{"-o", path}, "-o " + path + ": that is an input"},
		{true, false, []string{"-trace", path}, "-trace " + path + ": that is an input"},
		{false, true, []string{"-trace", path}, "standard output and -trace " + path + " are the same file"},
	} {
		got := runQhsh(t.Context(), func(h *host) {
			if c.stdin {
				h.Stdin = file
			}
			if c.stdout {
				h.Stdout = file
			}
		}, append([]string{"hints", "-level", "1"}, c.args...)...)
		want := outcome{status: exitUsage, stderr: "qhsh hints: " + c.what + "\nrun 'qhsh help hints' for its usage\n"}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%+v: %s", c, diff)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != text {
			t.Fatalf("%+v: the file is now %q, %v", c, now, err)
		}
	}
}

// TestInterrupted ends every command that takes time.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"perft", "9"}, {"hints", "-level", "10"}} {
		got := runQhsh(ctx, func(h *host) { h.Stdin = strings.NewReader("startpos\n") }, args...)
		want := outcome{status: exitInterrupted, stderr: "qhsh " + args[0] + ": interrupted\n"}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%v: %s", args, diff)
		}
	}
}

func TestStatusOf(t *testing.T) {
	engine := &pluginclient.Error{Engine: "x", Err: fmt.Errorf("%w: %w", pluginclient.ErrDied, io.ErrClosedPipe)}
	refused := &pluginclient.Error{Engine: "x", Err: pluginclient.ErrRefused}
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, exitOK},
		{errSomeFailed, exitFailed},
		{errors.New("disk full"), exitFailed},
		{usagef("wrong"), exitUsage},
		{usagef("-cache: %w", sqlitefile.ErrLocked), exitFailed},
		{fmt.Errorf("engine: %w", attach.ErrSpec), exitUsage},
		{fmt.Errorf("attach: %w", pluginclient.ErrStart), exitEngine},
		{fmt.Errorf("level: %w", engine), exitEngine},
		{fmt.Errorf("hints: %w", refused), exitFailed},
		{&attach.StartError{Err: refused}, exitEngine},
		{repl.ErrLost, exitEngine},
		{repl.ErrFailed, exitFailed},
		{repl.ErrInterrupted, exitInterrupted},
		{fmt.Errorf("output: %w", output.ErrReaderGone), exitOK},
	} {
		if got := statusOf(t.Context(), c.err); got != c.want {
			t.Errorf("%v: status %d, want %d", c.err, got, c.want)
		}
	}
}

func TestParseFlags(t *testing.T) {
	for _, c := range []struct {
		args     string
		operands string
		n        string
		b        bool
		err      string
	}{
		{args: "", n: "0"},
		{args: "a -n 3 b -b c", operands: "a b c", n: "3", b: true},
		{args: "a --n=3 --b b", operands: "a b", n: "3", b: true},
		{args: "-b=false a", operands: "a", n: "0"},
		{args: "- -n 2 -", operands: "- -", n: "2"},
		{args: "-1 -n -2 -3", operands: "-1 -3", n: "-2"},
		{args: "-n 1 -- -n 2 --", operands: "-n 2 --", n: "1"},
		{args: "-o -- -n 2", n: "2"},
		{args: "-n -- a", err: `invalid value "--" for flag -n: parse error`},
		{args: "a -n", err: "flag needs an argument: -n"},
		{args: "--", n: "0"},
		{args: "-nn 3", err: "unknown flag -nn: did you mean -n?"},
		{args: "-verbose", err: "unknown flag -verbose"},
		{args: "a -h", err: flag.ErrHelp.Error()},
		{args: "-o -h", n: "0"},
	} {
		fs := flag.NewFlagSet("test", flag.ContinueOnError)
		n := fs.Int("n", 0, "")
		b := fs.Bool("b", false, "")
		fs.String("o", "", "")
		operands, err := parseFlags(fs, false, strings.Fields(c.args))
		if err != nil {
			if err.Error() != c.err {
				t.Errorf("%q: error %q, want %q", c.args, err, c.err)
			}
			continue
		}
		if got := strings.Join(operands, " "); got != c.operands || fmt.Sprint(*n) != c.n || *b != c.b || c.err != "" {
			t.Errorf("%q: operands %q, n %d, b %v", c.args, got, *n, *b)
		}
	}
}

func TestShortDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		5 * time.Minute: "5m", 90 * time.Second: "1m30s", 2 * time.Hour: "2h", time.Second: "1s", 0: "",
		10 * time.Minute: "10m", 20 * time.Hour: "20h",
	} {
		if got := shortDuration(d); got != want {
			t.Errorf("%v: %q", d, got)
		}
	}
}

// TestLeavesProcessors: engines that are processes get all processors, one for each engine.
func TestLeavesProcessors(t *testing.T) {
	qhsh, err := exec.LookPath("qhsh")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		command, stdin, spec string
		want                 []int
	}{
		{"hints -level=1 -jobs=2", "startpos\n", "builtin", nil},
		{"hints -level=1 -jobs=2", "startpos\n", "uci:" + qhsh + " -uci", []int{2}},
		{"hints -level=1 -jobs=2", "startpos\n", "qh:" + qhsh + " -plugin", []int{2}},
		{"mcp", "", "builtin", nil},
		{"mcp", "", "uci:" + qhsh + " -uci", []int{1}},
	} {
		var bounds []int
		got := runQhsh(t.Context(), func(h *host) {
			h.Stdin = strings.NewReader(c.stdin)
			h.Processors = func(n int) { bounds = append(bounds, n) }
		}, append(strings.Fields(c.command), "-engine", c.spec)...)
		if got.status != exitOK || !slices.Equal(bounds, c.want) {
			t.Errorf("%s %s: processors %v, want %v: %+v", c.command, c.spec, bounds, c.want, got)
		}
	}
}

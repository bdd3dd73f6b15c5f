package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"qhsh/engine/enginetest"
)

// started is a running process of qhsh.
type started struct {
	cmd    *exec.Cmd
	lines  *bufio.Reader
	stdout io.Closer
	stderr strings.Builder
}

func startQhsh(t *testing.T, stdin io.Reader, args ...string) *started {
	t.Helper()
	p := &started{cmd: exec.Command("qhsh", args...)}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.lines, p.stdout = bufio.NewReader(out), out
	p.cmd.Stdin, p.cmd.Stderr = stdin, &p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(10*time.Minute, func() { _ = p.cmd.Process.Kill() })
	t.Cleanup(func() { guard.Stop() })
	return p
}

func (p *started) line(t *testing.T) string {
	t.Helper()
	line, err := p.lines.ReadString('\n')
	if err != nil {
		t.Fatalf("%v; stderr %q", err, p.stderr.String())
	}
	return line
}

// status waits for the process to exit.
func (p *started) status(t *testing.T) int {
	t.Helper()
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode()
}

// startPiped starts a process whose standard input and output are pipes.
func startPiped(t testing.TB, cmd *exec.Cmd) (in io.WriteCloser, out io.ReadCloser) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if out, err = cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return in, out
}

// awaitFile waits until a file is there.
func awaitFile(t *testing.T, path string) {
	t.Helper()
	awaitText(t, path, "")
}

// awaitText waits until a file contains a text.
func awaitText(t *testing.T, path, text string) {
	t.Helper()
	if !enginetest.Await(func() bool { b, err := os.ReadFile(path); return err == nil && strings.Contains(string(b), text) }) {
		t.Fatalf("%s has no %q", path, text)
	}
}

// TestHeadClosesThePipe reads one line of many, as head -n 1 does.
func TestHeadClosesThePipe(t *testing.T) {
	p := startQhsh(t, strings.NewReader(strings.Repeat("startpos\n", 100_000)), "hints", "-level", "1", "-jobs", "2")
	if got := p.line(t); !strings.HasPrefix(got, `{"line":1,`) {
		t.Errorf("first line %q", got)
	}
	p.stdout.Close()
	if status := p.status(t); status != exitOK || p.stderr.String() != "" {
		t.Errorf("status %d, stderr %q", status, p.stderr.String())
	}
}

// TestInterrupt sends SIGINT during the search of the second position. The engine, a separate
// process that would need an hour to answer, is ended too.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent Ctrl-C on Windows")
	}
	tomb := t.TempDir() + "/engine"
	p := startQhsh(t, strings.NewReader("startpos\n4k4/9/9/9/9/9/9/9/4A4/4K4 w\nstartpos\n"),
		"hints", "-wait-quit", "20s", "-engine", "fakeplugin -hang -at 4k4 -once "+tomb)
	if got := p.line(t); !strings.HasPrefix(got, `{"line":1,`) {
		t.Errorf("first line %q", got)
	}
	awaitFile(t, tomb) // the engine hangs
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(p.lines)
	if err != nil || len(rest) > 0 {
		t.Errorf("after the signal came %q, %v", rest, err)
	}
	if status := p.status(t); status != exitInterrupted || p.stderr.String() != "qhsh hints: interrupted\n" {
		t.Errorf("status %d, stderr %q", status, p.stderr.String())
	}
}

// TestInterruptedMode: referees end an engine with SIGINT; qhsh then prints nothing.
func TestInterruptedMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent Ctrl-C on Windows")
	}
	in, referee := io.Pipe()
	defer referee.Close()
	p := startQhsh(t, in, "-qtp", "-timeout", "1h")
	if _, err := io.WriteString(referee, "name\ngenmove black\n"); err != nil {
		t.Fatal(err)
	}
	if got := p.line(t); got != "= qhsh\n" {
		t.Errorf("its name is %q", got)
	}
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(p.lines)
	if err != nil || string(rest) != "\n" {
		t.Errorf("after the signal came %q, %v", rest, err)
	}
	referee.Close()
	if status := p.status(t); status != exitInterrupted || p.stderr.String() != "" {
		t.Errorf("status %d, stderr %q", status, p.stderr.String())
	}
}

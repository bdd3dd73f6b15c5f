package main

import (
	"io"
	"os"
	"runtime"
	"testing"
)

// TestShellInterrupt: without an interactive user, Ctrl-C ends the shell and its engine, both while
// the engine thinks and while the shell waits for a line.
func TestShellInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent Ctrl-C on Windows")
	}
	for _, last := range []string{"AI\n", ""} {
		in, out := io.Pipe()
		p := startQhsh(t, in, "-level", "10")
		if _, err := io.WriteString(out, "LEVEL\n"+last); err != nil {
			t.Fatal(err)
		}
		if got := p.line(t); got != "10\n" {
			t.Errorf("LEVEL answers %q", got)
		}
		if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(p.lines)
		if err != nil || len(rest) > 0 && last == "" {
			t.Errorf("%q: after the signal came %q, %v", last, rest, err)
		}
		out.Close() // Wait waits for the goroutine that copies the input
		if status := p.status(t); status != exitInterrupted || p.stderr.String() != "" {
			t.Errorf("%q: status %d, stderr %q", last, status, p.stderr.String())
		}
	}
}

package main

import (
	"io"
	"os"
	"runtime"
	"testing"
)

// TestShellInterrupt: without an interactive user, Ctrl-C ends the shell, whether an engine thinks
// or the next line is waited for, and the engine with it.
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
		out.Close() // Wait waits for what copies the input
		if status := p.status(t); status != exitInterrupted || p.stderr.String() != "" {
			t.Errorf("%q: status %d, stderr %q", last, status, p.stderr.String())
		}
	}
}

package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// startScript starts qhsh run with a script.
func startScript(t *testing.T, source string, flags ...string) *started {
	t.Helper()
	path := filepath.Join(t.TempDir(), "main.star")
	write(t, path, source)
	return startQhsh(t, nil, append(slices.Concat([]string{"run"}, flags), path)...)
}

// TestInterruptedScript sends SIGINT to scripts that run for an hour, with an engine that would not
// quit by itself either.
func TestInterruptedScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent Ctrl-C on Windows")
	}
	hang := []string{"-engine", "fakeplugin -plugin -hang"}
	for _, c := range []struct {
		name, source string
		flags        []string
	}{
		{"a loop", "print('go')\nwhile True: pass\n", nil},
		{"a function that cannot be broken off", "x = (1,)\nfor i in range(100): x = (x, x)\nprint('go')\ny = {x: 1}\n", nil},
		{"an engine", "e = engine()\nprint('go')\ne.best(board())\n", hang},
		{"the engines of pmap", "e = engine()\ndef f(i): e.best(board())\nprint('go')\npmap(f, range(9), jobs = 3)\n", hang},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := startScript(t, c.source, c.flags...)
			if line := p.line(t); line != "go\n" {
				t.Errorf("line %q", line)
			}
			if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			_, _ = io.ReadAll(p.lines)
			if status := p.status(t); status != exitInterrupted || p.stderr.String() != "qhsh run: interrupted\n" {
				t.Errorf("status %d, stderr %q", status, p.stderr.String())
			}
		})
	}
}

// TestInterruptedEmit: a script that is interrupted while it writes leaves whole lines.
func TestInterruptedEmit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent Ctrl-C on Windows")
	}
	p := startScript(t, "n = 0\nwhile True:\n    emit({'n': n, 'text': 'x' * 3000})\n    n += 1\n")
	for range 100 {
		p.line(t)
	}
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(p.lines)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(rest)) {
		var v struct{ N int }
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Errorf("line of %d bytes: %v", len(line), err)
		}
	}
	if status := p.status(t); status != exitInterrupted {
		t.Errorf("status %d", status)
	}
}

// TestHeadClosesTheScript: a script whose reader closes the pipe ends silently.
func TestHeadClosesTheScript(t *testing.T) {
	p := startScript(t, "while True: print('line')\n")
	p.line(t)
	p.stdout.Close()
	if status := p.status(t); status != exitOK || p.stderr.String() != "" {
		t.Errorf("status %d, stderr %q", status, p.stderr.String())
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{
		"1MiB": 1 << 20, "2g": 2 << 30, "3 GiB": -1, "1048576": 1 << 20, "1tb": 1 << 40, "512kib": -1, "": -1, "x": -1, "0": -1, "2048K": 2 << 20, "-1GiB": -1, "9999999TiB": -1,
	} {
		n, err := parseSize(text)
		if err != nil {
			n = -1
		}
		if n != want {
			t.Errorf("%q is %d, want %d", text, n, want)
		}
	}
	if diff := cmp.Diff("200MiB", formatSize(200<<20)); diff != "" {
		t.Error(diff)
	}
}

//go:build unix

package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestStopped stops qhsh until the deadline of an engine has passed, which answers in the meantime,
// and continues it. An answer that arrived in time counts, however late qhsh reads it.
func TestStopped(t *testing.T) {
	const processes = 8
	for _, c := range []struct {
		name string
		args []string
		asks string
	}{
		{"hints", []string{"hints", "-wait-think", "5s", "-engine", "fakeplugin -slow 200ms"}, "> HINTS"},
		{"match", []string{"match", "-st", "1", "-timemargin", "4", "-maxmoves", "1", "fakeplugin -slow 200ms", "builtin"}, "> AI"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			running := make([]*started, processes)
			for i := range running {
				trace := filepath.Join(dir, fmt.Sprint("trace", i))
				p := startQhsh(t, strings.NewReader("startpos\n"), append(c.args, "-trace", trace)...)
				running[i] = p
				awaitText(t, trace, c.asks)
				if err := p.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(6 * time.Second) // the deadlines pass, and the answers arrive
			for _, p := range running {
				if err := p.cmd.Process.Signal(syscall.SIGCONT); err != nil {
					t.Error(err)
				}
			}
			late := 0
			for _, p := range running {
				said, err := io.ReadAll(p.lines)
				if status := p.status(t); err != nil || status != exitOK {
					late++
					t.Logf("status %d, %v: %s%s", status, err, said, p.stderr.String())
				}
			}
			if late > 0 {
				t.Errorf("%d of %d reported a timeout for an answer in time", late, processes)
			}
		})
	}
}

//go:build unix

package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestInterruptedInput: a command that waits for a named pipe ends at the first signal, also if the pipe
// is the library that it loads, which hangs then.
func TestInterruptedInput(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "lines.star")
	if err := os.WriteFile(script, []byte("def main():\n  list(lines(args[0]))\nmain()\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		args   string // PIPE is the pipe, which - reads too; {} separates arguments with blanks
		status int    // if it ends without a signal; 0: it needs one
	}{
		{args: "games -"},
		{args: "games PIPE"},
		{args: "convert PIPE"},
		{args: "fens PIPE"},
		{args: "annotate PIPE"},
		{args: "judge PIPE"},
		{args: "stats PIPE"},
		{args: "stats -summary PIPE " + script},
		{args: "hints PIPE"},
		{args: "bench -positions PIPE"},
		{args: "match -openings PIPE builtin builtin"},
		{args: "explore add -db DB PIPE"},
		{args: "explore score -db DB PIPE"},
		{args: "explore games -db DB -aliases PIPE"},
		{args: "run " + script + " PIPE"},
		{args: "shell -c .load{}PIPE"},
		{args: "shell -c .replay{}PIPE"},
		{args: "shell -c .source{}PIPE"},
		{args: "hints -engine builtin,eval=PIPE -", status: exitUsage},

		{args: "hints -engine cb:PIPE -"},
		{args: "check cb:PIPE"},
		{args: "match cb:PIPE cb:PIPE"},
		{args: "shell -engine cb:PIPE"},
		{args: "-qtp -engine cb:PIPE"},
		{args: "hints -engine cb:PIPE -wait-start 1ms -", status: exitEngine},
	} {
		t.Run(strings.Fields(c.args)[0], func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			pipe := filepath.Join(dir, "x.pgn")
			if err := makePipe(pipe); err != nil {
				t.Fatal(err)
			}
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			ended := make(chan outcome, 1)
			args := strings.Fields(strings.NewReplacer("PIPE", pipe, "DB", filepath.Join(dir, "db")).Replace(c.args))
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "{}", " ")
			}
			go func() {
				ended <- runQhsh(ctx, func(h *host) {
					if i > 0 {
						return
					}
					if in, err := os.Open(pipe); err == nil {
						h.Stdin = in
					}
				}, args...)
			}()
			opened := make(chan *os.File, 1)
			go func() { // it waits for the command to open the pipe
				out, err := os.OpenFile(pipe, os.O_WRONLY, 0)
				if err == nil && i == 0 {
					_, err = out.WriteString(strings.Repeat("[Event \"\"]\n", 1<<13)) // more than fits in, so that the command has read some
				}
				if err != nil {
					t.Error(err)
				}
				opened <- out
			}()
			guard := time.After(time.Minute)
			var got outcome
			var out *os.File
			for running := true; running; {
				select {
				case out = <-opened:
					if c.status == 0 {
						interrupt()
					}
				case got = <-ended:
					running = false
				case <-guard:
					t.Fatalf("%s does not end", c.args)
				}
			}
			if got.status != cmp.Or(c.status, exitInterrupted) {
				t.Errorf("%s: %+v", c.args, got)
			}
			if out == nil {
				end, err := os.OpenFile(pipe, os.O_RDWR, 0) // ends an open that still waits, or has not begun
				if err != nil {
					t.Fatal(err)
				}
				defer end.Close()
				out = <-opened
			}
			out.Close()
		})
	}
}

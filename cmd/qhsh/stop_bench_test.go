package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"qhsh/engine/xiangqi"
)

// BenchmarkInterrupt measures how long a separate process of qhsh -plugin takes to answer ABORT and
// TIMEOUT during a search, with one thread up to as many as there are processors.
//
//	go test ./cmd/qhsh -run - -bench Interrupt -benchtime 1000x
func BenchmarkInterrupt(b *testing.B) {
	samples := xiangqi.Samples()
	for _, c := range []struct{ command, answer string }{{"ABORT", "ABORTED"}, {"TIMEOUT", "ENDHINTS"}} {
		for threads := 1; threads <= runtime.NumCPU(); threads++ {
			b.Run(fmt.Sprintf("%s/threads=%d", c.command, threads), func(b *testing.B) {
				in, out := startPlugin(b, fmt.Sprintf("builtin,threads=%d", threads))
				tell(b, in, out, "OK", "LEVEL 10")
				var took []time.Duration
				for b.Loop() {
					tell(b, in, out, "OK", "FEN "+samples[len(took)%len(samples)].String())
					tell(b, in, out, "", "HINTS 1")
					time.Sleep(time.Millisecond + rand.N(20*time.Millisecond))
					begun := time.Now()
					tell(b, in, out, c.answer, c.command)
					took = append(took, time.Since(begun))
				}
				slices.Sort(took)
				milliseconds := func(share float64) float64 {
					return took[max(0, int(share*float64(len(took))+0.5)-1)].Seconds() * 1000
				}
				b.ReportMetric(milliseconds(0.5), "ms-median")
				b.ReportMetric(milliseconds(0.99), "ms-p99")
				b.ReportMetric(milliseconds(1), "ms-max")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// startPlugin starts qhsh -plugin as a process, which ends with the benchmark.
func startPlugin(b *testing.B, spec string) (in io.Writer, out *bufio.Scanner) {
	b.Helper()
	cmd := exec.Command("qhsh", "-plugin", "-engine", spec)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			b.Error(err)
		}
	})
	return stdin, bufio.NewScanner(stdout)
}

// tell sends a line and reads up to its answer, unless answer is empty.
func tell(b *testing.B, in io.Writer, out *bufio.Scanner, answer, line string) {
	b.Helper()
	if _, err := fmt.Fprintln(in, line); err != nil {
		b.Fatal(err)
	}
	for answer != "" {
		if !out.Scan() {
			b.Fatalf("no %s after %s: %v", answer, line, out.Err())
		}
		if strings.HasPrefix(out.Text(), answer) {
			return
		}
	}
}

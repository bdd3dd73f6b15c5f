package main

import (
	"bufio"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkShellPairs compares PLAY and UNDO through the piped shell, in front of a plugin's
// process, with the same commands in a bare loop over the pipes of such a plugin. Rounds of the two
// alternate; the ratio is the median of the rounds. To run 100,000 pairs of each:
//
//	go test ./cmd/qhsh -run '^$' -bench ShellPairs -benchtime 100x
func BenchmarkShellPairs(b *testing.B) {
	const pairs = 1000 // per round
	shell := startTalker(b, "-engine", "qhsh -plugin")
	bare := startTalker(b, "-plugin")
	batch := strings.Repeat("PLAY H2-E2\nUNDO\n", pairs)
	var ratios []float64
	var inShell, inBare time.Duration
	for b.Loop() {
		begun := time.Now()
		go func() { _, _ = io.WriteString(shell.in, batch) }()
		for range 2 * pairs {
			shell.hear(b)
		}
		shellTime := time.Since(begun)
		begun = time.Now()
		for range pairs {
			bare.ask(b, "PLAY H2-E2\n")
			bare.ask(b, "UNDO\n")
		}
		bareTime := time.Since(begun)
		inShell, inBare = inShell+shellTime, inBare+bareTime
		ratios = append(ratios, float64(shellTime)/float64(bareTime))
	}
	slices.Sort(ratios)
	commands := float64(2 * pairs * len(ratios))
	b.ReportMetric(commands/inShell.Seconds(), "shell-commands/s")
	b.ReportMetric(commands/inBare.Seconds(), "bare-commands/s")
	b.ReportMetric(ratios[len(ratios)/2], "ratio")
}

// talker is a process that answers OK to every line.
type talker struct {
	in  io.WriteCloser
	out *bufio.Reader
}

func startTalker(b *testing.B, args ...string) *talker {
	cmd := exec.Command("qhsh", args...)
	in, out := startPiped(b, cmd)
	b.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	return &talker{in, bufio.NewReader(out)}
}

func (p *talker) ask(b *testing.B, line string) {
	if _, err := io.WriteString(p.in, line); err != nil {
		b.Fatal(err)
	}
	p.hear(b)
}

func (p *talker) hear(b *testing.B) {
	if line, err := p.out.ReadString('\n'); err != nil || line != "OK\n" {
		b.Fatalf("%q, %v", line, err)
	}
}

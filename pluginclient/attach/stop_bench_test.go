package attach

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/qhplugin"

	"qhsh/engine/games"
)

// A host is the client of a plugin in this process, line by line.
type host struct {
	b   *testing.B
	in  io.Writer
	out *bufio.Scanner
}

// newHost serves the plugin of a SPEC on in-memory pipes; its options may be changed first.
func newHost(b *testing.B, spec string, changes ...func(*qhplugin.Server)) *host {
	b.Helper()
	e, err := Parse(spec, Options{Games: games.Default})
	if err != nil {
		b.Fatal(err)
	}
	server, closing, err := NewServer(b.Context(), e)
	if err != nil {
		b.Fatal(err)
	}
	for _, change := range changes {
		change(server)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- server.Serve(context.Background(), inR, outW) }()
	b.Cleanup(func() {
		inW.Close()
		if err := <-done; err != nil {
			b.Error(err)
		}
		closing()
	})
	return &host{b, inW, bufio.NewScanner(outR)}
}

// say sends a line.
func (h *host) say(format string, args ...any) {
	if _, err := fmt.Fprintf(h.in, format+"\n", args...); err != nil {
		h.b.Fatal(err)
	}
}

// hear reads up to a line that starts with a word, and returns that line.
func (h *host) hear(word string) string {
	for h.out.Scan() {
		if text := h.out.Text(); strings.HasPrefix(text, word) {
			return text
		}
	}
	h.b.Fatalf("no %s before the end: %v", word, h.out.Err())
	return ""
}

// ask sends a line and waits for its answer.
func (h *host) ask(answer, format string, args ...any) {
	h.say(format, args...)
	h.hear(answer)
}

// interrupt lets the plugin think at its highest level for a while, then sends a command and
// measures the time until the answer.
func (h *host) interrupt(pos *xiangqi.Position, command, answer string) time.Duration {
	h.ask("OK", "FEN %v", pos)
	h.say("HINTS 1")
	time.Sleep(time.Millisecond + rand.N(20*time.Millisecond))
	begun := time.Now()
	h.ask(answer, "%s", command)
	return time.Since(begun)
}

// report reports percentiles, in milliseconds.
func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	for _, p := range []struct {
		name  string
		share float64
	}{{"ms-median", 0.5}, {"ms-p99", 0.99}, {"ms-max", 1}} {
		at := max(0, int(p.share*float64(len(took))+0.5)-1)
		b.ReportMetric(float64(took[at].Microseconds())/1000, p.name)
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkInterrupt measures how long ABORT and TIMEOUT take to be answered while the embedded
// engine searches, with one thread up to as many as there are processors.
//
//	go test ./pluginclient/attach -run - -bench Interrupt -benchtime 1000x
func BenchmarkInterrupt(b *testing.B) {
	samples := xiangqi.Samples()
	for _, c := range []struct{ command, answer string }{{"ABORT", "ABORTED"}, {"TIMEOUT", "ENDHINTS"}} {
		for threads := 1; threads <= runtime.NumCPU(); threads++ {
			b.Run(fmt.Sprintf("%s/threads=%d", c.command, threads), func(b *testing.B) {
				h := newHost(b, fmt.Sprintf("builtin,threads=%d", threads))
				h.ask("OK", "LEVEL 10")
				var took []time.Duration
				for b.Loop() {
					took = append(took, h.interrupt(samples[len(took)%len(samples)], c.command, c.answer))
				}
				report(b, took)
			})
		}
	}
}

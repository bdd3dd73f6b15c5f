package batch_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/task/batch"
)

// BenchmarkHints runs the examples through the embedded engine at level 1, which is 100 nodes per
// position: as a file, and for a client that sends a position after it has the answer to the
// previous one.
func BenchmarkHints(b *testing.B) {
	text, err := os.ReadFile("../../../examples/positions.fen")
	if err != nil {
		b.Fatal(err)
	}
	for _, jobs := range []int{1, 2} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			runHints(b, jobs, strings.NewReader(strings.Repeat(string(text), b.N)), io.Discard)
		})
	}
	b.Run("lockstep", func(b *testing.B) {
		in, out := newLockstep(strings.Repeat(string(text), b.N))
		runHints(b, 1, in, out)
	})
}

// runHints reports the rate of a run.
func runHints(b *testing.B, jobs int, in io.Reader, out io.Writer) {
	level := 1
	open := func(ctx context.Context) (pluginclient.Session, error) {
		return attach.Open(ctx, "builtin", attach.Options{Games: games.Default, Level: &level})
	}
	pool, err := batch.NewPool(b.Context(), batch.PoolOptions{Open: open, Jobs: jobs})
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	tally, err := batch.Run(b.Context(), batch.NewLines(xiangqi.Rules, "", in), batch.Formats(1)[0].Write(out),
		pool, batch.Options{NoDedup: true})
	if err != nil || tally.Failed > 0 {
		b.Fatal(tally, err)
	}
	b.ReportMetric(float64(tally.Done)/b.Elapsed().Seconds(), "positions/s")
}

// lockstep is a client: its Reader supplies the next position when the answer to the previous one
// has been written to it.
type lockstep struct {
	lines    []string
	answered chan struct{}
}

func newLockstep(text string) (io.Reader, io.Writer) {
	l := &lockstep{answered: make(chan struct{}, 1)}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			l.lines = append(l.lines, line+"\n")
		}
	}
	l.answered <- struct{}{}
	return l, l
}

func (l *lockstep) Read(p []byte) (int, error) {
	<-l.answered
	if len(l.lines) == 0 {
		return 0, io.EOF
	}
	n := copy(p, l.lines[0])
	l.lines = l.lines[1:]
	return n, nil
}

func (l *lockstep) Write(p []byte) (int, error) {
	l.answered <- struct{}{}
	return len(p), nil
}

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

// BenchmarkHints runs the examples through the embedded engine at level 1, which is 100
// nodes a position.
func BenchmarkHints(b *testing.B) {
	text, err := os.ReadFile("../../../examples/positions.fen")
	if err != nil {
		b.Fatal(err)
	}
	level := 1
	open := func(ctx context.Context) (pluginclient.Session, error) {
		return attach.Open(ctx, "builtin", attach.Options{Games: games.Default, Level: &level})
	}
	for _, jobs := range []int{1, 2} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			input := strings.NewReader(strings.Repeat(string(text), b.N))
			pool, err := batch.NewPool(b.Context(), batch.PoolOptions{Open: open, Jobs: jobs})
			if err != nil {
				b.Fatal(err)
			}
			defer pool.Close()
			tally, err := batch.Run(b.Context(), batch.NewLines(xiangqi.Rules, "", input), batch.Formats(1)[0].Write(io.Discard),
				pool, batch.Options{NoDedup: true})
			if err != nil || tally.Failed > 0 {
				b.Fatal(tally, err)
			}
			b.ReportMetric(float64(tally.Done)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}

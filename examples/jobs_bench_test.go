package examples

import (
	"math"
	"testing"
	"time"

	"qhsh/engine/enginetest"
)

// BenchmarkJobs measures the speedup of pmap with two jobs over one when an engine does the work:
// the best moves of 240 positions. It needs two idle processors.
func BenchmarkJobs(b *testing.B) {
	qhsh := enginetest.Program(b, b.TempDir())
	best := map[string]time.Duration{"1": math.MaxInt64, "2": math.MaxInt64} // the minimum of all rounds
	for b.Loop() {
		for jobs := range best {
			start := time.Now()
			run(b, qhsh, "run", "-jobs", jobs, "-level", "5", "best.star", "positions.fen")
			best[jobs] = min(best[jobs], time.Since(start))
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(best["1"].Seconds(), "one-job-s")
	b.ReportMetric(best["2"].Seconds(), "two-jobs-s")
	b.ReportMetric(best["1"].Seconds()/best["2"].Seconds(), "times-as-fast")
}

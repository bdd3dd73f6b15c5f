//go:build unix

package cluster_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"qhsh/pluginclient/task/cluster"
)

// BenchmarkRun measures what the package comment estimates from: the units a second, and the CPU time
// of a unit, of a coordinator, a server and workers of one job, all in this process. The workers
// sleep instead of searching. Units and answers have the size of those of positions.
func BenchmarkRun(b *testing.B) {
	for _, c := range []struct {
		workers int
		unit    time.Duration // that a unit takes
	}{{4, 0}, {100, 0}, {1000, 0}, {1000, 20 * time.Millisecond}} {
		b.Run(fmt.Sprintf("workers=%d/unit=%v", c.workers, c.unit), func(b *testing.B) {
			s := startServer(b)
			client := connect(b, s.url(), cluster.DefaultTiming())
			r := startRun(b, client, func(text string) { b.Log(text) })
			for range c.workers {
				startWorkerAt(b, s.url(), 1, cluster.DefaultTiming(), slowly(c.unit))
			}
			await(b, func() bool { return len(r.Workers()) >= c.workers })
			b.ResetTimer()
			before, messages := cpuTime(b), s.messages(b)
			doMany(b, r, b.N)
			b.ReportMetric(float64(s.messages(b)-messages)/float64(b.N), "messages/unit")
			b.ReportMetric(float64((cpuTime(b)-before).Microseconds())/float64(b.N), "cpu-µs/unit")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "units/s")
		})
	}
}

// doMany has units answered as batch.Run does.
func doMany(b *testing.B, r *cluster.Run, n int) {
	unit := []byte(strings.Repeat("x", 100))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(n, cluster.MaxUnits) {
		all.Go(func() {
			for next.Add(1) <= int64(n) {
				if _, err := do(b.Context(), r, unit); err != nil {
					b.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// cpuTime returns the CPU time of this process.
func cpuTime(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// messages returns how many messages the server has received.
func (s *testServer) messages(b *testing.B) int64 {
	v, err := s.Varz(nil)
	if err != nil {
		b.Fatal(err)
	}
	return v.InMsgs
}

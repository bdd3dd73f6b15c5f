package search_test

import (
	"fmt"
	"runtime"
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
)

// BenchmarkThreads measures the nodes per second of all threads of a search together, and their
// time to a depth. On idle cores two threads visit nearly twice as many nodes as one.
//
//	go test ./engine/xiangqi/search -run - -bench Threads -count 5
func BenchmarkThreads(b *testing.B) {
	for threads := 1; threads <= runtime.NumCPU(); threads++ {
		for _, lim := range []engine.Limits{{Nodes: 300_000}, {Depth: 12}} {
			b.Run(fmt.Sprintf("threads=%d/nodes=%d,depth=%d", threads, lim.Nodes, lim.Depth), func(b *testing.B) {
				o := search.DefaultOptions()
				o.Threads = threads
				e := newEngine(b, o)
				visited := int64(0)
				for b.Loop() {
					for _, pos := range xiangqi.Samples() {
						e.Forget()
						spent(b, e, pos, lim)
						visited += e.Visited()
					}
				}
				b.ReportMetric(float64(visited)/b.Elapsed().Seconds(), "nodes/s")
			})
		}
	}
}

// BenchmarkNode measures one node of a search: an iteration is one node, so that -benchmem reports
// the allocations per node.
func BenchmarkNode(b *testing.B) {
	e := newEngine(b, search.DefaultOptions())
	b.ReportAllocs()
	b.ResetTimer() // the table is allocated once
	for left := int64(b.N); left > 0; {
		for _, pos := range xiangqi.Samples() {
			if left > 0 {
				spent(b, e, pos, engine.Limits{Nodes: min(left, 500_000)})
				left -= e.Visited()
			}
		}
	}
}

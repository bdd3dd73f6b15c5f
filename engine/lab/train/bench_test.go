package train

import (
	"fmt"
	"testing"

	"qhsh/engine/xiangqi/net"
)

// BenchmarkTraining measures a sample of training on one processor.
func BenchmarkTraining(b *testing.B) {
	data := &Data{Train: randomSamples(1<<16, 1)}
	for _, hidden := range net.HiddenSizes {
		b.Run(fmt.Sprint("hidden=", hidden), func(b *testing.B) {
			plan := DefaultPlan()
			plan.Hidden, plan.Samples = hidden, 1<<40
			t := begin(b, plan, data, 1)
			b.ResetTimer()
			for range b.N {
				t.trainBatch()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*plan.Batch), "ns/sample")
		})
	}
}

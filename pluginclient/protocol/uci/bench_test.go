package uci_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/protocol/uci"
)

// BenchmarkSearch measures the time that each protocol adds to a search; a Ranker itself takes
// almost none. It reports the median and the 99th percentile.
func BenchmarkSearch(b *testing.B) {
	s := enginetest.Ranker{}
	run := func(name string, searcher engine.Searcher) {
		b.Run(name, func(b *testing.B) { measure(b, searcher) })
	}
	run("direct", s)
	for i, p := range both {
		client := dialServer(b, i, s)
		defer client.Close()
		run(p.name, client)
	}
	bridged := dialServer(b, 0, s)
	defer bridged.Close()
	plugin, err := qhplugin.Dial(b.Context(), qhplugin.InProcess(&qhplugin.Server{Searcher: bridged, Name: "bridge"}), qhplugin.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer plugin.Close()
	run("uci as qhplugin", plugin)
}

// BenchmarkPeers does the same with real engines and searches of one ply.
func BenchmarkPeers(b *testing.B) {
	for _, p := range peers {
		b.Run(p.name, func(b *testing.B) { measure(b, p.dial(b, uci.Options{})) })
	}
}

func measure(b *testing.B, s engine.Searcher) {
	var times []time.Duration
	for b.Loop() {
		begun := time.Now()
		if _, err := engine.Best(b.Context(), s, xiangqi.Start(), engine.Limits{Level: 1}); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(begun))
	}
	slices.Sort(times)
	for _, percent := range []int{50, 99} {
		b.ReportMetric(float64(times[(len(times)-1)*percent/100].Microseconds()), fmt.Sprintf("µs-p%d", percent))
	}
}

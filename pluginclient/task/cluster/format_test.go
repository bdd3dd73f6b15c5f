package cluster_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/pluginclient/task/cluster"
)

func TestFormats(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	s := cluster.Status{
		Server: "2.10.0",
		Workers: []cluster.WorkerInfo{
			{Worker: "aa", Host: "one", Build: "0.1.0 c0ffee", Jobs: 8, Busy: 7, Engines: []cluster.Engine{{Name: "fast"}, {Name: "slow"}}, Runs: []string{"cc"}, Done: 1200, Rate: 40.25},
			{Worker: "bb", Host: "two", Build: "0.1.0 c0ffee", Jobs: 16},
		},
		Runs: []cluster.RunInfo{
			{Run: "cc", Title: "hints a.fen", Host: "here", Started: at, Live: true, Terms: cluster.Terms{Build: "0.1.0 c0ffee"}, Done: 1200, Waiting: 300, Dead: 1},
			{Run: "dd", Title: "match a b", Host: "here", Started: at},
		},
		Dead: []cluster.DeadUnit{{Run: "cc", Unit: "8/8\nH2-E2", At: at}},
	}
	const runs = `run  host  build         started               done  waiting  dead  what
cc   here  0.1.0 c0ffee  2026-11-23T08:00:00Z  1200  300      1     hints a.fen
dd   here  -             2026-11-23T08:00:00Z  -     -        -     match a b (abandoned)
`
	const want = `nats-server 2.10.0, workers: 2, runs: 2

worker  host  build         jobs  busy  done  rate    runs  engines
aa      one   0.1.0 c0ffee  8     7     1200  40.2/s  cc    fast,slow
bb      two   0.1.0 c0ffee  16    0     0     0/s     -     -

` + runs + `
given up: 1
run  at                    what
cc   2026-11-23T08:00:00Z  "8/8\nH2-E2"
`
	for _, c := range []struct {
		write cluster.StatusWriter
		want  string
	}{
		{cluster.Formats()[0].Write, want},
		{cluster.RunFormats()[0].Write, runs},
	} {
		var b strings.Builder
		if err := c.write(&b, s); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, b.String()); diff != "" {
			t.Error(diff)
		}
	}
}

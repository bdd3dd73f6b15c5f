package main

import (
	"flag"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/pluginclient"
)

// TestEveryDeadlineIsAFlag: each timeout for an engine can be set by -wait and by its older flag, and keeps its default
// without them.
func TestEveryDeadlineIsAFlag(t *testing.T) {
	for _, c := range []struct {
		args []string
		want pluginclient.Deadlines
	}{
		{
			[]string{"-wait", "start=11s,reply=12s,think=13s", "-wait", "late=16s,abort=14s,quit=15s"},
			pluginclient.Deadlines{
				Start: 11 * time.Second, Reply: 12 * time.Second, Think: 13 * time.Second,
				Late: 16 * time.Second, Abort: 14 * time.Second, Quit: 15 * time.Second,
			},
		},
		{nil, pluginclient.DefaultDeadlines()},
		{
			[]string{"-wait-start", "11s", "-wait-reply", "12s", "-wait-think", "13s", "-wait-late", "16s", "-wait-abort", "14s", "-wait-quit", "15s"},
			pluginclient.Deadlines{
				Start: 11 * time.Second, Reply: 12 * time.Second, Think: 13 * time.Second,
				Late: 16 * time.Second, Abort: 14 * time.Second, Quit: 15 * time.Second,
			},
		},
	} {
		var f engineFlags
		fs := flag.NewFlagSet("test", flag.ContinueOnError)
		fs.SetOutput(io.Discard)
		f.define(fs)
		if err := fs.Parse(c.args); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, f.deadlines); diff != "" {
			t.Errorf("%q: -want +got:\n%s", c.args, diff)
		}
	}
}

package main

import (
	"testing"
	"testing/synctest"
	"time"

	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
)

// TestLookClock checks the estimate of the time left: first looks take a second, second ones ten.
func TestLookClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &lookClock{begun: time.Now()}
		c.setAll(80)
		var done annotate.Progress
		check := func(what string, wantDone, wantTotal int, wantLeft time.Duration) {
			t.Helper()
			tally, total, left := c.state()
			if tally.Done != wantDone || total != wantTotal || left.Round(time.Second) != wantLeft {
				t.Errorf("%s: %d of %d, %v left; want %d of %d, %v", what, tally.Done, total, left, wantDone, wantTotal, wantLeft)
			}
		}
		look := func(tally *batch.Tally, n int, each time.Duration) {
			for range n {
				time.Sleep(each)
				tally.Done++
				c.update(done)
			}
		}
		check("before the first game", 0, 80, 0)
		c.nextGame(40)
		look(&done.First, 20, time.Second)
		check("in the first game", 20, 80, 60*time.Second)
		look(&done.First, 20, time.Second)
		done.Again = 20
		c.update(done)
		look(&done.Second, 20, 10*time.Second)
		check("after the first game", 60, 100, 40*time.Second+20*10*time.Second)
		done = annotate.Progress{}
		c.nextGame(40)
		look(&done.First, 40, time.Second)
		check("after the second game", 100, 100, 0)
	})
}

package main

import (
	"context"
	"sync"
	"sync/atomic"

	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
)

// looks count the positions of annotate: each is looked at once, and a suspicious one again.
type looks struct {
	all    atomic.Int64      // positions of all games; 0: not known
	read   int               // positions of the games read so far
	before annotate.Progress // of the games before
	now    annotate.Progress
}

// nextGame begins a game of n positions.
func (c *looks) nextGame(n int) {
	c.before.First, c.before.Second = c.before.First.Plus(c.now.First), c.before.Second.Plus(c.now.Second)
	c.before.Again += c.now.Again
	c.now = annotate.Progress{}
	c.read += n
}

// count returns what has been searched, and how many positions are known that are to be searched.
func (c *looks) count() (done batch.Tally, total int) {
	done = c.before.First.Plus(c.now.First).Plus(c.before.Second).Plus(c.now.Second)
	return done, max(int(c.all.Load()), c.read) + c.before.Again + c.now.Again
}

// countPositions counts the positions of all games while they are annotated, if anybody wants to know
// the time left and the files can be read twice. The caller must call stop.
func (r *annotating) countPositions(ctx context.Context, in *gameFiles) (stop func()) {
	if !r.progress.isShown() || !in.isRereadable() {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var counting sync.WaitGroup
	counting.Go(func() {
		files, n := in.Files, 0
		files.OnDamaged = func(error) {}
		err := files.Each(ctx, func(_ string, _ int, g *record.Game) error {
			n += g.Plies() + 1
			return nil
		})
		if err == nil {
			r.looks.all.Store(int64(n))
		}
	})
	return func() { cancel(); counting.Wait() }
}

// isRereadable reports whether all files are regular ones.
func (r *gameFiles) isRereadable() bool {
	for _, info := range r.infos {
		if info == nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

package main

import (
	"context"
	"sync"
	"time"

	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
)

// A lookClock counts the positions of annotate and estimates the time left: per position as much as so
// far, with the second looks at suspicious ones in it. It is safe for concurrent use.
type lookClock struct {
	begun time.Time

	mu          sync.Mutex
	all         int         // positions of all games; 0: not known
	read        int         // positions of the games read so far
	first, then batch.Tally // first and second looks of the games before
	again       int         // positions of the games before to be looked at again
	now         annotate.Progress
}

// setAll sets the number of positions in all games.
func (c *lookClock) setAll(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = n
}

// nextGame begins a game of n positions.
func (c *lookClock) nextGame(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.first, c.then, c.again = c.first.Plus(c.now.First), c.then.Plus(c.now.Second), c.again+c.now.Again
	c.now = annotate.Progress{}
	c.read += n
}

// update sets the progress of the running game.
func (c *lookClock) update(done annotate.Progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = done
}

// state returns what has been searched, how many positions are known that are to be searched, and the
// time left; 0 if it is not known.
func (c *lookClock) state() (done batch.Tally, total int, left time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first, positions := c.first.Plus(c.now.First), max(c.all, c.read)
	done, total = first.Plus(c.then.Plus(c.now.Second)), positions+c.again+c.now.Again
	if fresh := first.Done - first.Cached; fresh > 0 {
		left = time.Since(c.begun) / time.Duration(fresh) * time.Duration(positions-first.Done)
	}
	return done, total, left
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
			r.clock.setAll(n)
		}
	})
	return func() { cancel(); counting.Wait() }
}

// isShown reports whether the progress is shown or written to a file.
func (p *progress) isShown() bool { return p.bar.on || p.file != nil }

// looked is update with what a clock knows.
func (p *progress) looked(c *lookClock) {
	tally, total, left := c.state()
	p.mu.Lock()
	p.total, p.left = total, left
	p.mu.Unlock()
	p.update(tally)
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

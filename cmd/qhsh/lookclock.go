package main

import (
	"context"
	"sync"
	"time"

	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
	"qhsh/pluginclient/task/batch"
)

// A lookClock counts the positions of annotate and estimates the time left. The positions around
// suspicious moves are searched twice, the second time for much longer, and how many there will be is
// not known. So the clock learns both times and their share. It is safe for concurrent use.
type lookClock struct {
	ratio float64 // expected time of a second look, in first ones; 0: there are no second looks

	mu          sync.Mutex
	all         int         // positions of all games; 0: not known
	read        int         // positions of the games read so far
	game        int         // positions of the running game
	first, then batch.Tally // first and second looks of the games before
	again       int         // positions of the games before to be looked at again
	now         annotate.Progress
	firstTook   time.Duration
	thenTook    time.Duration
	last        time.Time // of the last change
}

// What a lookClock expects before it has seen games: as much as this many positions say later.
const (
	priorPositions = 40
	priorShare     = .5 // of positions that are searched again
)

// newLookClock returns a clock for second looks so many levels deeper.
func newLookClock(levels int) *lookClock {
	c := &lookClock{}
	if levels > 0 {
		c.ratio = float64(int(1) << (2 * levels)) // a level is four times the nodes, of other limits twice
	}
	return c
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
	c.now, c.game, c.last = annotate.Progress{}, n, time.Now()
	c.read += n
}

// update sets the progress of the running game.
func (c *lookClock) update(done annotate.Progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	since := time.Since(c.last)
	switch {
	case done.Second.Done > c.now.Second.Done:
		c.thenTook += since
		c.last = c.last.Add(since)
	case done.First.Done > c.now.First.Done:
		c.firstTook += since
		c.last = c.last.Add(since)
	}
	c.now = done
}

// state returns what has been searched, how many positions are known that are to be searched, and the
// time left; 0 if it is not known.
func (c *lookClock) state() (done batch.Tally, total int, left time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first, then, again := c.first.Plus(c.now.First), c.then.Plus(c.now.Second), c.again+c.now.Again
	positions := max(c.all, c.read)
	done, total = first.Plus(then), positions+again
	if first.Done == first.Cached {
		return done, total, 0
	}
	each := float64(c.firstTook) / float64(first.Done-first.Cached)
	expected := each * float64(positions-first.Done)
	if c.ratio > 0 {
		eachThen := each * c.ratio
		if then.Done > then.Cached {
			eachThen = float64(c.thenTook) / float64(then.Done-then.Cached)
		}
		expected += eachThen * (float64(again-then.Done) + c.unknown(positions, again))
	}
	return done, total, time.Duration(expected)
}

// unknown returns how many positions are expected to be searched again besides those that are known.
func (c *lookClock) unknown(positions, again int) float64 {
	judged := c.read
	if c.now.Again == 0 && c.now.First.Done < c.game {
		judged -= c.game
	}
	share := (float64(again) + priorShare*priorPositions) / float64(judged+priorPositions)
	return share * float64(positions-judged)
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

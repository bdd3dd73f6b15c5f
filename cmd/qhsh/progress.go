package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"qhsh/engine/printable"
	"qhsh/pluginclient/task/batch"
)

// progress shows the progress of a batch on stderr, and keeps other messages apart from the
// progress bar. It is safe for concurrent use.
type progress struct {
	total  int // positions; 0: not known
	before int // positions answered by earlier processes

	workers  func() int // how many workers of a cluster work for the run; nil: it is not done by a cluster
	next     string     // what to do with the answers, for end if there are any; empty: nothing
	restarts int        // of engines
	retries  int        // positions that an engine has failed at, and has answered when asked again
	failures int        // that sayFailure has been called with

	mu    sync.Mutex
	bar   statusLine
	file  *progressFile // of -progress
	begun time.Time
	took  time.Duration // from begin to end
	tally batch.Tally
	left  time.Duration // until the end, if it is not estimated from the rate; 0: it is
}

// newProgress returns the progress of a command. bar enables the progress bar.
func newProgress(command string, w io.Writer, bar bool) *progress {
	return &progress{bar: statusLine{command: command, w: w, on: bar}}
}

// begin starts the clock.
func (p *progress) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun = time.Now()
	p.draw()
	p.file.begin(p.counts())
}

// resume sets the answers of earlier processes, and restarts the clock.
func (p *progress) resume(before batch.Tally) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun, p.before, p.tally = time.Now(), before.Done, before
	p.draw()
	p.file.resume(p.counts())
}

// update is called after every answer.
func (p *progress) update(tally batch.Tally) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tally = tally
	if p.bar.due() {
		p.draw()
	}
	p.file.update(p.counts())
}

func (p *progress) counts() progressCounts {
	return progressCounts{Done: p.tally.Done, Total: p.total, Failed: p.tally.Failed, Resumed: p.before, left: p.left}
}

// close ends the file of -progress. err is the error of the command.
func (p *progress) close(ctx context.Context, err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.file.close(ctx, err)
}

// say writes a line for the user.
func (p *progress) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.say(text)
	if !p.begun.IsZero() {
		p.draw()
	}
}

// maxFailuresShown is how many failures are reported; further ones are only counted.
const maxFailuresShown = 10

// failed reports a position without an answer.
func (p *progress) failed(item batch.Item, why error) { p.sayFailure(item, printable.Error(why)) }

// retried reports a failure with a successful retry. It is not in the output, but the engine's
// author wants to see it.
func (p *progress) retried(item batch.Item, why error) {
	p.mu.Lock()
	p.retries++
	p.mu.Unlock()
	p.sayFailure(item, printable.Error(why)+"; answered when retried")
}

// sayFailure reports one of the first failures.
func (p *progress) sayFailure(item batch.Item, text string) {
	p.mu.Lock()
	p.failures++
	shown := p.failures <= maxFailuresShown
	p.mu.Unlock()
	if shown {
		p.say(batch.Location(item) + ": " + text)
	}
}

// end removes the bar. It prints a summary if there was a bar or if something failed.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.took = time.Since(p.begun)
	p.bar.clear()
	if p.bar.on || p.tally.Failed > 0 || p.retries > 0 {
		p.bar.say(p.summary(p.bar.on))
	}
	if p.bar.on && p.next != "" && p.tally.Done > 0 {
		p.bar.say(p.next)
	}
	p.bar.on = false
}

func (p *progress) draw() { p.bar.draw(p.line(time.Since(p.begun))) }

// line formats the bar: done/total, positions per second, time left, failures. It is shorter than
// usual terminals are wide.
func (p *progress) line(elapsed time.Duration) string {
	const width = 20
	parts := []string{fmt.Sprintf("%d", p.tally.Done)}
	if p.total > 0 {
		full := width * min(p.tally.Done, p.total) / p.total
		parts = []string{fmt.Sprintf("[%-*s] %d/%d", width, strings.Repeat("=", full), p.tally.Done, p.total)}
	}
	fresh := p.tally.Done - p.before
	parts = append(parts, rate(fresh, elapsed))
	switch n := p.total - p.tally.Done; {
	case p.left > 0:
		parts = append(parts, clock(p.left)+" left")
	case n > 0 && fresh > 0:
		parts = append(parts, clock(elapsed/time.Duration(fresh)*time.Duration(n))+" left")
	}
	if p.workers != nil {
		parts = append(parts, workersText(p.workers(), fresh, elapsed))
	}
	if p.tally.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", p.tally.Failed))
	}
	return strings.Join(parts, "  ")
}

// summary formats the line that replaces the bar. Figures that vary from run to run are only for
// terminals.
func (p *progress) summary(timed bool) string {
	text := positionCount(p.tally.Done)
	if timed {
		text += fmt.Sprintf(" in %v, %s", p.took.Round(10*time.Millisecond), rate(p.tally.Done-p.before, p.took))
	}
	for _, part := range []struct {
		n     int
		what  string
		timed bool // said on a terminal alone
	}{
		{p.before, "answered before", true},
		{p.tally.Solved, fmt.Sprintf("of %d solved", p.tally.Scored), true},
		{p.tally.Cached, "from the cache", true},
		{p.tally.Equal, "equal to earlier ones", true},
		{p.restarts, "engine restarts", true},
		{p.tally.Failed, "failed", false},
		{p.retries, "answered only when retried", false},
	} {
		if part.n > 0 && (timed || !part.timed) {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return text
}

// workersText formats the number of workers and what each does.
func workersText(workers, done int, elapsed time.Duration) string {
	if workers == 0 {
		return "no workers"
	}
	return fmt.Sprintf("%s, %s each", plural(workers, "worker"), rate(done, elapsed*time.Duration(workers)))
}

func positionCount(n int) string {
	if n == 1 {
		return "1 position"
	}
	return fmt.Sprintf("%d positions", n)
}

func rate(n int, elapsed time.Duration) string {
	if elapsed <= 0 {
		return "0/s"
	}
	perSecond := float64(n) / elapsed.Seconds()
	if perSecond >= 100 {
		return fmt.Sprintf("%.0f/s", perSecond)
	}
	return fmt.Sprintf("%.3g/s", perSecond)
}

// clock formats a duration as h:mm:ss or m:ss.
func clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

package main

import (
	"fmt"
	"strings"
	"time"

	"qhsh/engine/printable"
	"qhsh/pluginclient/task/batch"
)

// batchProgress is the progress of a command that asks about positions.
type batchProgress struct {
	*progress
	total int    // positions; 0: not known
	next  string // what to do with the answers, for end if there are any; empty: nothing

	restarts int // of engines
	retries  int // positions that an engine has failed at, and has answered when asked again
	failures int // that sayFailure has been called with
	before   int // positions answered by earlier processes
	tally    batch.Tally
	took     time.Duration // from begin to end
}

// newOutputProgress is newBatchProgress for a command with an output: its bar must not stand between lines of that.
func newOutputProgress(command string, h host, o outputFlags) *batchProgress {
	p := newBatchProgress(command, h, h.StderrTTY && (!h.StdoutTTY || o.path != ""))
	p.writesStdout = o.path == ""
	return p
}

func newBatchProgress(command string, h host, bar bool) *batchProgress {
	return &batchProgress{progress: newProgress(command, h, bar)}
}

func (p *batchProgress) now() progressCounts {
	return progressCounts{Done: p.tally.Done, Total: p.total, Failed: p.tally.Failed, Resumed: p.before}
}

// begin starts the clock.
func (p *batchProgress) begin() {
	p.progress.begin(p.now())
	p.draw(p.line)
}

// resume sets the answers of earlier processes, and restarts the clock.
func (p *batchProgress) resume(before batch.Tally) {
	p.before, p.tally = before.Done, before
	p.progress.resume(p.now())
	p.draw(p.line)
}

// update is called after every answer.
func (p *batchProgress) update(tally batch.Tally) {
	p.tally = tally
	p.progress.update(p.now())
	p.draw(p.line)
}

// maxFailuresShown is how many failures are reported; further ones are only counted.
const maxFailuresShown = 10

func (p *batchProgress) failed(item batch.Item, why error) { p.sayFailure(item, printable.Error(why)) }

// retried reports a failure with a successful retry. It is not in the output, but the engine's
// author wants to see it.
func (p *batchProgress) retried(item batch.Item, why error) {
	p.mu.Lock()
	p.retries++
	p.mu.Unlock()
	p.sayFailure(item, printable.Error(why)+"; answered when retried")
}

func (p *batchProgress) sayFailure(item batch.Item, text string) {
	p.mu.Lock()
	p.failures++
	shown := p.failures <= maxFailuresShown
	p.mu.Unlock()
	if shown {
		p.say(batch.Location(item) + ": " + text)
	}
}

// end removes the bar. It prints a summary if there was a bar or if something failed.
func (p *batchProgress) end() {
	p.took = time.Since(p.begun)
	shown := p.endBar()
	if shown || p.tally.Failed > 0 || p.retries > 0 {
		p.say(p.summary(shown))
	}
	if shown && p.next != "" && p.tally.Done > 0 {
		p.say(p.next)
	}
}

// line formats the bar: done/total, positions per second, time left, failures. It is shorter than
// usual terminals are wide.
func (p *batchProgress) line(now progressCounts, elapsed time.Duration) string {
	const width = 20
	parts := []string{fmt.Sprintf("%d", now.Done)}
	if now.Total > 0 {
		full := width * min(now.Done, now.Total) / now.Total
		parts = []string{fmt.Sprintf("[%-*s] %d/%d", width, strings.Repeat("=", full), now.Done, now.Total)}
	}
	parts = append(parts, rate(now.fresh(), elapsed))
	if left := now.timeLeft(elapsed); left > 0 {
		parts = append(parts, clock(left)+" left")
	}
	parts = append(parts, p.byWorkers(now, elapsed)...)
	if now.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", now.Failed))
	}
	return strings.Join(parts, "  ")
}

// summary formats the line that replaces the bar. Figures that vary from run to run are only for
// terminals.
func (p *batchProgress) summary(timed bool) string {
	text := printable.Plural(p.tally.Done, "position")
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

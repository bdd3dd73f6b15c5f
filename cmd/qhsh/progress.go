package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"sync"
	"time"

	"qhsh/engine/printable"
	"qhsh/pluginclient/task/output"
)

// progress shows how far a command is on stderr, as a status line if that is a terminal, and in the file
// of -progress, and keeps other messages apart from the status line. It is safe for concurrent use.
type progress struct {
	workers func() int // how many workers of a cluster work for the run; nil: it is not done by a cluster

	writesStdout bool // the command itself writes to standard output

	mu     sync.Mutex
	bar    statusLine
	begun  time.Time // the zero time: the run has not begun
	counts progressCounts

	file    *output.File // of -progress; nil: none
	written time.Time    // the latest line
	fileErr error        // of the first write that failed; nothing is written after it
}

// progressCounts count positions, or the games of a match.
type progressCounts struct {
	Done    int `json:"done"`
	Total   int `json:"total,omitempty"` // 0 if not known
	Failed  int `json:"failed"`
	Resumed int `json:"resumed"` // the part of Done from earlier processes

	Values map[string]json.Number `json:"values,omitempty"` // of the options that are tuned
}

// fresh returns how many are done by this process.
func (c progressCounts) fresh() int { return c.Done - c.Resumed }

// timeLeft returns the time left until the end, by the rate so far; 0 if it is not known.
func (c progressCounts) timeLeft(elapsed time.Duration) time.Duration {
	if c.fresh() <= 0 || c.Total <= c.Done {
		return 0
	}
	return elapsed / time.Duration(c.fresh()) * time.Duration(c.Total-c.Done)
}

// newProgress returns the progress of a command. bar enables the status line.
func newProgress(command string, h host, bar bool) *progress {
	return &progress{bar: statusLine{command: command, w: h.Stderr, on: bar}}
}

// isShown reports whether anybody sees the progress.
func (p *progress) isShown() bool { return p.bar.on || p.file != nil }

// begin starts the clock, and writes the first line of the file.
func (p *progress) begin(now progressCounts) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun, p.counts = time.Now(), now
	p.write(stateStarted)
}

// resume sets the counts of earlier processes, and restarts the clock.
func (p *progress) resume(now progressCounts) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun, p.counts, p.bar.drawn = time.Now(), now, time.Time{}
}

// progressInterval is the minimum time between two lines of a running command.
const progressInterval = time.Second

// update sets the counts, and writes a line of the file if enough time has passed.
func (p *progress) update(now progressCounts) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts = now
	if time.Since(p.written) >= progressInterval {
		p.write(stateRunning)
	}
}

// draw replaces the text of the status line, if it is time to.
func (p *progress) draw(text func(now progressCounts, elapsed time.Duration) string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar.due() || p.bar.on && p.bar.shown == 0 {
		p.bar.draw(text(p.counts, time.Since(p.begun)))
	}
}

func (p *progress) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.say(text)
}

// endBar removes the status line. It reports whether there was one.
func (p *progress) endBar() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bar.clear()
	was := p.bar.on
	p.bar.on = false
	return was
}

// byWorkers returns a part of the status line on the workers, if there are any.
func (p *progress) byWorkers(now progressCounts, elapsed time.Duration) []string {
	if p.workers == nil {
		return nil
	}
	n := p.workers()
	if n == 0 {
		return []string{"no workers"}
	}
	return []string{fmt.Sprintf("%s, %s each", printable.Plural(n, "worker"), rate(now.fresh(), elapsed*time.Duration(n)))}
}

// A progressLine is a line of the file.
type progressLine struct {
	State string `json:"state"`
	progressCounts
	Rate    float64  `json:"rate"` // per second
	Seconds float64  `json:"seconds"`
	Left    *float64 `json:"left,omitempty"` // seconds
}

// The states of a command. The last line has one of the last three.
const (
	stateStarted     = "started"
	stateRunning     = "running"
	stateDone        = "done"
	stateInterrupted = "interrupted"
	stateFailed      = "failed"
)

// write writes a line of the file.
func (p *progress) write(state string) {
	if p.file == nil || p.fileErr != nil {
		return
	}
	p.written = time.Now()
	l := progressLine{State: state, progressCounts: p.counts}
	if !p.begun.IsZero() {
		l.Seconds = rounded(time.Since(p.begun).Seconds())
	}
	if fresh := l.fresh(); fresh > 0 && l.Seconds > 0 {
		l.Rate = rounded(float64(fresh) / l.Seconds)
		if l.Total >= l.Done {
			left := rounded(l.Seconds / float64(fresh) * float64(l.Total-l.Done))
			l.Left = &left
		}
	}
	line, err := json.Marshal(l)
	if err == nil {
		_, err = output.Stream{Writer: p.file}.Write(append(line, '\n'))
	}
	if err != nil {
		p.fileErr = fmt.Errorf("%s: %w", p.file.Name(), err)
	}
}

func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }

// close writes the last line of the file for a command that ends with err. It returns the error of the
// file, except if its reader has gone away, since the run does not depend on the reader.
func (p *progress) close(ctx context.Context, err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil {
		return nil
	}
	state := stateFailed
	switch {
	case isComplete(err):
		state = stateDone
	case ctx.Err() != nil:
		state = stateInterrupted
	}
	p.write(state)
	if errors.Is(p.fileErr, output.ErrReaderGone) {
		p.fileErr = nil
	}
	return errors.Join(p.fileErr, p.file.Close())
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

const progressName = "progress"

// defineProgress defines -progress, the file in which a command reports its progress to programs.
func (f *engineFlags) defineProgress(fs *flag.FlagSet) {
	writesFile(fs, &f.progressTo, progressName, "report the progress to `FILE` as lines of JSON, see 'qhsh help formats'")
}

// open opens the file of -progress, unless path is empty.
func (p *progress) open(ctx context.Context, h host, path string) (err error) {
	o := output.Options{Flag: "-" + progressName, Path: path, Stream: h.Stdout}
	switch {
	case path == "":
		return nil
	case path == stdoutName && p.writesStdout:
		return usagef("%s -: standard output is used by the command: name a file", o.Flag)
	case path == stdoutName:
		o.Path = ""
	}
	p.file, err = output.Open(ctx, o)
	return err
}

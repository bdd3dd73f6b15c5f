package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"time"

	"qhsh/pluginclient/task/output"
)

// progressFlag is -progress, the file in which a command reports its progress to programs.
type progressFlag string

const (
	progressName = "-progress"
	stdoutName   = "-" // the value that stands for standard output
)

func (f *progressFlag) define(fs *flag.FlagSet) {
	fs.StringVar((*string)(f), progressName[1:], "", "report the progress to `FILE` as lines of JSON, see 'qhsh help formats'")
}

// used returns the file of the flag for checks of conflicts.
func (f progressFlag) used() output.FileUse {
	if f == stdoutName {
		return output.FileUse{}
	}
	return output.WrittenFile(progressName, string(f))
}

// open opens the file, or returns nil if the flag is not set. isTaken reports whether the command
// itself writes to standard output.
func (f progressFlag) open(ctx context.Context, h host, isTaken bool) (*progressFile, error) {
	o := output.Options{Flag: progressName, Path: string(f), Stream: h.Stdout}
	switch {
	case f == "":
		return nil, nil
	case f == stdoutName && isTaken:
		return nil, usagef("%s -: standard output is used by the command: name a file", progressName)
	case f == stdoutName:
		o.Path = ""
	}
	file, err := output.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return &progressFile{file: file}, nil
}

// progressCounts count positions, or the games of a match.
type progressCounts struct {
	Done    int `json:"done"`
	Total   int `json:"total,omitempty"` // 0 if not known
	Failed  int `json:"failed"`
	Resumed int `json:"resumed"` // the part of Done from earlier processes

	Values map[string]json.Number `json:"values,omitempty"` // of the options that are tuned

	left time.Duration // until the end, if it is not estimated from the rate; 0: it is
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

// progressInterval is the minimum time between two lines of a running command.
const progressInterval = time.Second

// A progressFile is the file of -progress. A nil *progressFile does nothing. It must not be used
// concurrently.
type progressFile struct {
	file      *output.File
	counts    progressCounts
	begun     time.Time // the zero time: the run has not begun
	lastWrite time.Time
	err       error // of the first write that failed; nothing is written after it
}

// begin starts the clock and writes the first line.
func (f *progressFile) begin(now progressCounts) {
	if f == nil {
		return
	}
	f.begun, f.counts = time.Now(), now
	f.write(stateStarted)
}

// resume sets the counts of earlier processes and restarts the clock.
func (f *progressFile) resume(now progressCounts) {
	if f != nil {
		f.begun, f.counts = time.Now(), now
	}
}

// update sets the counts, and writes a line if enough time has passed.
func (f *progressFile) update(now progressCounts) {
	if f == nil {
		return
	}
	f.counts = now
	if time.Since(f.lastWrite) >= progressInterval {
		f.write(stateRunning)
	}
}

// close writes the last line of a command that ends with err. It returns the error of the file,
// except if its reader has gone away, since the run does not depend on the reader.
func (f *progressFile) close(ctx context.Context, err error) error {
	if f == nil {
		return nil
	}
	state := stateFailed
	switch {
	case err == nil, errors.Is(err, errSomeFailed):
		state = stateDone
	case ctx.Err() != nil:
		state = stateInterrupted
	}
	f.write(state)
	if errors.Is(f.err, output.ErrReaderGone) {
		f.err = nil
	}
	return errors.Join(f.err, f.file.Close())
}

func (f *progressFile) write(state string) {
	if f.err != nil {
		return
	}
	f.lastWrite = time.Now()
	line, err := json.Marshal(f.line(state))
	if err == nil {
		_, err = output.Stream{Writer: f.file}.Write(append(line, '\n'))
	}
	if err != nil {
		f.err = fmt.Errorf("%s: %w", f.file.Name(), err)
	}
}

// line returns the current line.
func (f *progressFile) line(state string) progressLine {
	l := progressLine{State: state, progressCounts: f.counts}
	if f.begun.IsZero() {
		return l
	}
	l.Seconds = rounded(time.Since(f.begun).Seconds())
	fresh := l.Done - l.Resumed
	if fresh <= 0 || l.Seconds == 0 {
		return l
	}
	l.Rate = rounded(float64(fresh) / l.Seconds)
	if l.Total >= l.Done {
		left := l.Seconds / float64(fresh) * float64(l.Total-l.Done)
		if l.left > 0 {
			left = l.left.Seconds()
		}
		left = rounded(left)
		l.Left = &left
	}
	return l
}

// rounded rounds to three decimals.
func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"qhsh/pluginclient/filelock"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/store"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/runlog"
)

// hintsLog is the kind of the logs of qhsh hints.
var hintsLog = runlog.Kind{
	Begins: `{"hints":`, Foreign: errors.New("it is no log of 'qhsh hints'"), Framing: runlog.Checked,
}

// answers is where the answers of qhsh hints go, with the log by which the run can be resumed. A
// file of bytes is locked by itself, a database, which is a new file in the end, by its log.
type answers struct {
	destination
	info     fs.FileInfo // of the output before the run; nil: it was not there
	isNew    bool        // the output was not there before the run
	log      *runlog.Log // nil: the run cannot be resumed, or is finished
	path     string      // of -o; empty if there is none
	finished *finishedRun
}

// A finishedRun is what the log of a finished run keeps of it.
type finishedRun struct {
	Bytes   int64           `json:"bytes"` // of the output
	Input   uint32          `json:"input"` // the sum of the whole input, see batch.Sum
	Summary json.RawMessage `json:"summary"`
}

// openAnswers opens the output and its log.
func (c *hints) openAnswers(ctx context.Context, h host, format batch.Format, say func(string)) (*answers, error) {
	if _, err := os.Stat(runlog.Path(c.path)); c.resume && err != nil && hasContent(c.path) {
		return nil, usagef("-resume: %s is there without %s, which would tell of its run: remove it, or leave out -resume to write over it",
			c.path, runlog.Path(c.path))
	}
	to, err := c.openDestination(ctx, h, format)
	if err != nil {
		return nil, err
	}
	to.path = c.path
	if err := to.openLog(c.resume, say); err != nil {
		return nil, errors.Join(err, to.close())
	}
	return to, nil
}

func (c *hints) openDestination(ctx context.Context, h host, format batch.Format) (*answers, error) {
	if format.Write != nil {
		out, err := c.open(ctx, h)
		if err != nil {
			return nil, err
		}
		return &answers{destination: newStream(out, format), info: out.Info(), isNew: out.IsNew()}, nil
	}
	info, err := databaseInfo(c.path)
	if err != nil {
		return nil, err
	}
	run := store.Run{Version: version, Spec: c.spec, Level: c.level, Timeout: c.timeout, Hints: c.lines}
	return &answers{destination: &database{path: c.path, run: run}, info: info, isNew: info == nil}, nil
}

// hasContent reports whether there is something in a file.
func hasContent(path string) bool {
	info, err := os.Stat(path)
	return err == nil && output.IsRegular(info) && info.Size() > 0
}

func (to *answers) openLog(resume bool, say func(string)) error {
	if to.path == "" || to.info != nil && !output.IsRegular(to.info) {
		if resume {
			say("-resume: there is no file of -o to resume, so the run starts anew")
		}
		return nil
	}
	path := runlog.Path(to.path)
	log, err := runlog.Open(path, hintsLog)
	switch {
	case errors.Is(err, filelock.ErrUsed):
		return usagef("-o %s: another run is writing it", to.path)
	case errors.Is(err, fs.ErrPermission) && !resume:
		say(fmt.Sprintf("%v: without that file the run cannot be resumed", err))
		return nil
	case err != nil:
		return usageError{err}
	}
	to.log = log
	if log.Unfinished() && !resume {
		return usagef("-o %s holds an unfinished run: resume it with -resume; to start anew remove %s", to.path, path)
	}
	return nil
}

// begin makes the log that of the run of these terms, which may be resumed, or may be finished.
func (to *answers) begin(ctx context.Context, terms *runTerms, in *inputs, resume bool, say func(string)) error {
	if to.log == nil {
		return nil
	}
	line, err := runlog.Line(terms.manifest)
	if err != nil {
		return err
	}
	before := to.log.Run()
	finished, err := finishedIn(before)
	if err != nil {
		return usagef("-resume: %s: %w: leave out -resume to begin anew", runlog.Path(to.path), err)
	}
	kind := "unfinished"
	switch {
	case resume && to.log.Unfinished():
	case resume && finished != nil && (to.isNew || finished.Bytes > 0 && !hasContent(to.path)):
		say(fmt.Sprintf("-resume: the answers of the finished run are not in %s any more, so the run starts anew", to.path))
		to.log.Begin(line)
		return nil
	case resume && finished != nil:
		kind = "finished"
	default:
		to.log.Begin(line)
		return nil
	}
	differ, err := terms.differences(before.Terms)
	if err != nil {
		return usagef("-resume: the log tells of no run: %w", err)
	}
	if len(differ) > 0 {
		return usagef("-resume: the %s run is not this one: %s", kind, strings.Join(differ, "; "))
	}
	if to.finished = finished; finished != nil {
		return to.unchanged(ctx, in)
	}
	return nil
}

// finishedIn is what the head of a log says of a finished run; nil if it says nothing.
func finishedIn(run runlog.Run) (*finishedRun, error) {
	if run.Figures == nil {
		return nil, nil
	}
	f := new(finishedRun)
	err := json.Unmarshal(run.Figures, f)
	return f, err
}

// finishedOf tells how the run of an output has ended; nil if that is not known, because there is
// no log, the run is not finished, or the output is another one by now.
func finishedOf(path string) (*finishedRun, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	run, err := runlog.Read(runlog.Path(path), hintsLog)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, hintsLog.Foreign):
		return nil, nil
	case err != nil:
		return nil, err
	}
	f, err := finishedIn(run)
	if f != nil && f.Bytes != info.Size() {
		f = nil
	}
	return f, err
}

// unchanged makes sure that a finished output is what it was, and that its input is.
func (to *answers) unchanged(ctx context.Context, in *inputs) error {
	f := to.finished
	info, err := os.Stat(to.path)
	if err != nil {
		return err
	}
	if info.Size() != f.Bytes {
		return usagef("-resume: %s has %d bytes, and had %d when its run was finished: remove it, or leave out -resume to write over it",
			to.path, info.Size(), f.Bytes)
	}
	sum, err := batch.Sum(ctx, in.source(in.game))
	if err == nil && sum != f.Input {
		err = errInputChanged(in.names)
	}
	return err
}

// errInputChanged is the error of an input that is not that of the run.
func errInputChanged(names []string) error {
	return usagef("-resume: %s has changed since the run began", namesOf(names))
}

// runLog is the log as the run sees it.
func (to *answers) runLog() batch.Log {
	if to.log == nil {
		return nil
	}
	return to.log
}

// end ends the output of a run that is done, and has the log keep its figures.
func (to *answers) end(ctx context.Context, input uint32, figures runSummary) error {
	if err := to.finish(ctx); err != nil || to.log == nil {
		return err
	}
	info, err := os.Stat(to.path)
	if err != nil {
		return err
	}
	f := &finishedRun{Bytes: info.Size(), Input: input}
	if f.Summary, err = json.Marshal(figures); err != nil {
		return err
	}
	log := to.log
	to.log = nil
	if err := log.Finish(f); err != nil {
		return err
	}
	to.finished = f
	return nil
}

// sayWayOn says what to do about a run that has failed.
func (to *answers) sayWayOn(say func(string), done, total int) {
	switch {
	case to.finished != nil:
		say(fmt.Sprintf("%s is finished: the same command with -resume writes no more than the summary", to.path))
	case to.log != nil && !to.log.Empty():
		of := ""
		if total > 0 {
			of = fmt.Sprintf(" of %d", total)
		}
		say(fmt.Sprintf("%d%s answered: the same command with -resume resumes the run", done, of))
	}
}

// close closes the output. The log of an unfinished run stays.
func (to *answers) close() error {
	err := to.destination.close()
	if to.log != nil {
		err = errors.Join(err, to.log.Close())
	}
	return err
}

// Package hints runs positions through engines into an output, as 'qhsh hints' does, so that the
// run can be resumed.
//
// It joins what others do: package batch asks and formats, package output and the database of
// package store take the answers, and package runlog keeps every answer before the output has it.
// What is here is the order in which they are opened, what a run must have in common with the one
// that it resumes ([Manifest]), and what remains of a finished one ([Finished]).
//
// A run goes through these calls:
//
//	Open    the output and its log; nothing is written
//	Begin   with the terms of an engine that has been started: a new run, one that is resumed, or
//	        one that is finished
//	Do      asks and writes; what the log holds is written first
//	Finish  ends the output, and leaves the figures in the log
//	Close   always
package hints

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

// logKind is the kind of the logs of these runs.
var logKind = runlog.Kind{
	Prefix: `{"hints":`, ErrForeign: errors.New("it is not a log of 'qhsh hints'"), Framing: runlog.Checked,
}

// A RefusedError is the error of a run that must not begin, or not as it was asked for. Nothing has
// been written then, unless an input turns out to have changed while the log is replayed: the
// output has the answers before that place, and the log all of them.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *RefusedError) Unwrap() error { return e.Err }

func refusef(format string, args ...any) error { return &RefusedError{fmt.Errorf(format, args...)} }

// Options are what a run has to know before its engines are started.
type Options struct {
	Output   output.Options
	Format   batch.Format
	Database store.Run // what a database, which is a Format without Write, says of the run
	Inputs   []Input
	Source   func() batch.Source // reads the inputs from their beginning
	Shard    batch.Shard         // of the inputs
	Resume   bool
	Warn     func(text string) // tells a person something
}

// A Run is a run of positions. It is not safe for concurrent use.
type Run struct {
	Options
	dest     destination
	info     fs.FileInfo // of the output before the run; nil: nothing is known of it
	isNew    bool        // the output was not there before the run
	log      *runlog.Log // nil: the run cannot be resumed, or is finished
	replayed bool        // the output has all that the log holds
	checksum uint32      // of the input, when all of it has been answered
	finished *Finished
}

// Open opens the output and its log. The error is a *RefusedError or an *output.OpenError if the
// run must not begin.
func Open(ctx context.Context, o Options) (*Run, error) {
	path := o.Output.Path
	if _, err := os.Stat(runlog.Path(path)); o.Resume && err != nil && hasContent(path) {
		return nil, refusef("-resume: %s is there without %s, which would tell of its run: remove it, or leave out -resume to write over it",
			path, runlog.Path(path))
	}
	r := &Run{Options: o}
	if err := r.openOutput(ctx); err != nil {
		return nil, err
	}
	if err := r.openLog(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *Run) openOutput(ctx context.Context) error {
	if r.Format.Write == nil {
		db, err := openDatabase(r.Output.Path, r.Database)
		if err != nil {
			return err
		}
		r.dest, r.info, r.isNew = db, db.info, db.info == nil
		return nil
	}
	out, err := output.Open(ctx, r.Output)
	if err != nil {
		return err
	}
	r.dest, r.info, r.isNew = newStream(out, r.Format), out.Info(), out.IsNew()
	return nil
}

// hasContent reports whether there is something in a file.
func hasContent(path string) bool {
	info, err := os.Stat(path)
	return err == nil && output.IsRegular(info) && info.Size() > 0
}

func (r *Run) openLog() error {
	path := r.Output.Path
	if path == "" || r.info != nil && !output.IsRegular(r.info) {
		if r.Resume {
			r.Warn("-resume: there is no file of -o to resume, so the run starts anew")
		}
		return nil
	}
	logPath := runlog.Path(path)
	log, err := runlog.Open(logPath, logKind)
	switch {
	case errors.Is(err, filelock.ErrInUse):
		return refusef("-o %s: another run is writing it", path)
	case errors.Is(err, fs.ErrPermission) && !r.Resume:
		r.Warn(fmt.Sprintf("%v: without that file the run cannot be resumed", err))
		return nil
	case err != nil:
		return &RefusedError{err}
	}
	r.log = log
	if r.Resume && log.Run().Manifest == nil && hasContent(path) {
		return refusef("-resume: %s is there, and %s does not tell of its run: remove it, or leave out -resume to write over it", path, logPath)
	}
	if log.Unfinished() && !r.Resume {
		return refusef("-o %s holds an unfinished run: resume it with -resume; to start anew remove %s", path, logPath)
	}
	return nil
}

// Begin begins the run, or resumes the one in the log, which must have the same terms. It returns
// what is known of a finished one, which there is nothing to do about.
func (r *Run) Begin(ctx context.Context, manifest *Manifest) (*Finished, error) {
	if r.log == nil {
		return nil, nil
	}
	before := r.log.Run()
	finished, err := parseFinished(before)
	if err != nil {
		return nil, refusef("-resume: %s: %w: leave out -resume to begin anew", runlog.Path(r.Output.Path), err)
	}
	kind := "unfinished"
	switch {
	case !r.Resume:
		return nil, r.beginNew(manifest)
	case r.log.Unfinished():
	case finished == nil:
		return nil, r.beginNew(manifest)
	case r.isNew || finished.Bytes > 0 && !hasContent(r.Output.Path):
		r.Warn(fmt.Sprintf("-resume: the answers of the finished run are not in %s any more, so the run starts anew", r.Output.Path))
		return nil, r.beginNew(manifest)
	default:
		kind = "finished"
	}
	differ, err := manifest.differences(before.Manifest)
	switch {
	case err != nil:
		return nil, refusef("-resume: the log tells of no run: %w", err)
	case len(differ) > 0:
		return nil, refusef("-resume: the %s run is not this one: %s", kind, strings.Join(differ, "; "))
	case finished == nil:
		return nil, nil
	}
	r.finished = finished
	return finished, r.checkUnchanged(ctx)
}

func (r *Run) beginNew(manifest *Manifest) error {
	line, err := runlog.MarshalLine(manifest.header)
	if err == nil {
		r.log.Begin(line)
	}
	return err
}

// checkUnchanged returns an error if a finished output is not what it was, or its input is not.
func (r *Run) checkUnchanged(ctx context.Context) error {
	info, err := os.Stat(r.Output.Path)
	if err != nil {
		return err
	}
	if info.Size() != r.finished.Bytes {
		return refusef("-resume: %s has %d bytes, and had %d when its run was finished: remove it, or leave out -resume to write over it",
			r.Output.Path, info.Size(), r.finished.Bytes)
	}
	sum, err := batch.Checksum(ctx, r.Source())
	if err == nil && sum != r.finished.Input {
		err = r.inputChanged()
	}
	return err
}

// inputChanged returns the error of an input that is not that of the run.
func (r *Run) inputChanged() error {
	return refusef("-resume: %s has changed since the run began", inputNames(r.Inputs))
}

// Do answers all positions of the inputs, see batch.Run. What the log holds is written first.
func (r *Run) Do(ctx context.Context, asker batch.Asker, o batch.Options) (batch.Tally, error) {
	if r.log != nil {
		o.Log = r.log
	}
	o.Shard = r.Shard
	onResumed := o.OnResumed
	o.OnResumed = func(t batch.Tally, damaged bool) {
		r.replayed = true
		if damaged {
			r.Warn(fmt.Sprintf("%s is damaged behind its first %d answers: the others are searched again", runlog.Path(r.Output.Path), t.Done))
		}
		if onResumed != nil {
			onResumed(t, damaged)
		}
	}
	o.OnEnd = func(sum uint32) { r.checksum = sum }
	tally, err := batch.Run(ctx, r.Source(), r.dest, asker, o)
	if errors.Is(err, batch.ErrOtherInput) {
		err = r.inputChanged()
	}
	return tally, err
}

// Finish ends the output of a run that is done. The log keeps the figures.
func (r *Run) Finish(ctx context.Context, summary Summary) error {
	if err := r.dest.finish(ctx); err != nil {
		return err
	}
	if loss := r.dest.lossMessage(); loss != "" {
		r.Warn(loss)
	}
	if r.log == nil {
		return nil
	}
	info, err := os.Stat(r.Output.Path)
	if err != nil {
		return err
	}
	f := &Finished{Bytes: info.Size(), Input: r.checksum}
	if f.Summary, err = json.Marshal(summary); err != nil {
		return err
	}
	if err := r.log.Finish(f); err != nil {
		return err
	}
	r.finished = f
	return nil
}

// SuggestResume tells a person what to do about a run that has failed.
func (r *Run) SuggestResume(done, total int) {
	switch {
	case r.finished != nil:
		r.Warn(fmt.Sprintf("%s is finished: the same command with -resume writes no more than the summary", r.Output.Path))
	case r.log != nil && !r.replayed && r.log.Unfinished():
		r.Warn("the same command with -resume resumes the run")
	case r.log != nil && !r.log.Empty():
		of := ""
		if total > 0 {
			of = fmt.Sprintf(" of %d", total)
		}
		r.Warn(fmt.Sprintf("%d%s answered: the same command with -resume resumes the run", done, of))
	}
}

// Close closes the output. The log of an unfinished run stays.
func (r *Run) Close() error {
	err := r.dest.close()
	if r.log != nil {
		err = errors.Join(err, r.log.Close())
	}
	return err
}

// Package hints runs positions through engines into an output, as 'qhsh hints' and 'qhsh puzzles' do.
// Runs can be resumed.
//
// It combines package batch, which searches and formats, packages output and store, which write the
// answers, and package runlog, which stores every answer before the output has it. It defines the
// order in which they are opened, what a run and the one that it resumes must have in common
// ([Manifest]), and what is kept of a finished run ([Finished]).
//
// The calls of a run:
//
//	Open    opens the output and its log; nothing is written
//	Begin   starts a new run or resumes one, with the manifest of a started engine
//	Do      searches and writes; the answers in the log are written first
//	Finish  completes the output, and stores the summary in the log
//	Close   must always be called
package hints

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"qhsh/engine"
	"qhsh/engine/filelock"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/store"
	"qhsh/pluginclient/task/output"
	"qhsh/pluginclient/task/runlog"
)

var logKind = runlog.Kind{
	Prefix: `{"hints":`, ErrForeign: errors.New("not a log of a run of 'qhsh hints' or 'qhsh puzzles'"), Framing: runlog.Checked,
}

// A RefusedError is the error of a run that must not start, or not with these options. Nothing has
// been written, unless an input is found to have changed while the log is replayed: then the output
// has the answers up to that position, and the log has all.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *RefusedError) Unwrap() error { return e.Err }

func refusef(format string, args ...any) error { return &RefusedError{fmt.Errorf(format, args...)} }

// Options are the options of a run, set before its engines are started.
type Options struct {
	Output output.Options
	Format batch.Format
	Inputs []Input
	Source func() batch.Source // reads the inputs from the start
	Shard  batch.Shard         // of the inputs
	Task   string              // what is made of the answers, with its options; empty: they are written as they are
	Resume bool
	Warn   func(text string) // receives warnings

	Game func(spec string) (engine.Game, error) // that an engine plays, for Merge
}

// A Run runs positions through engines. It is not safe for concurrent use.
type Run struct {
	Options
	dest     destination
	info     fs.FileInfo // of the output before the run; nil if unknown
	isNew    bool        // the output did not exist before the run
	log      *runlog.Log // nil if the run cannot be resumed, or is finished
	replayed bool        // the output has all answers of the log
	checksum uint32      // of the input, after Do
	partial  bool        // Do has not read all of it, because the output has enough
	finished *Finished
}

// Open opens the output and its log. The error is a *RefusedError or an *output.OpenError if the
// run must not start.
func Open(ctx context.Context, o Options) (*Run, error) {
	path := o.Output.Path
	if _, err := os.Stat(runlog.Path(path)); o.Resume && err != nil && hasContent(path) {
		return nil, refusef("-resume: %s exists without its log %s: remove it, or omit -resume to overwrite it",
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
		db, err := openDatabase(r.Output.Path)
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
	r.dest, r.info, r.isNew = &stream{r.Format.Write(out), out}, out.Info(), out.IsNew()
	return nil
}

// hasContent reports whether path is a regular file that is not empty.
func hasContent(path string) bool {
	info, err := os.Stat(path)
	return err == nil && output.IsRegular(info) && info.Size() > 0
}

func (r *Run) openLog() error {
	path := r.Output.Path
	if path == "" || r.info != nil && !output.IsRegular(r.info) {
		if r.Resume {
			r.Warn("-resume: -o is not a file, so a new run is started")
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
		return refusef("-resume: %s exists, but its log %s is empty: remove it, or omit -resume to overwrite it", path, logPath)
	}
	if log.Unfinished() && !r.Resume {
		return refusef("-o %s has an unfinished run: use -resume to resume it, or remove %s to start over", path, logPath)
	}
	return nil
}

// HasLog reports whether the run has a log, with which its Manifest is written or compared.
func (r *Run) HasLog() bool { return r.log != nil }

// Begin starts the run, or resumes the one in the log, whose manifest must be equal. If that run is
// finished, Begin returns its Finished, and nothing remains to do.
func (r *Run) Begin(ctx context.Context, manifest *Manifest) (*Finished, error) {
	r.describe(manifest)
	if r.log == nil {
		return nil, nil
	}
	before := r.log.Run()
	finished, err := parseFinished(before)
	if err != nil {
		return nil, refusef("-resume: %s: %w: omit -resume to start over", runlog.Path(r.Output.Path), err)
	}
	kind, line := "unfinished", runlog.MarshalLine(manifest)
	switch {
	case !r.Resume:
		r.log.Begin(line)
		return nil, nil
	case r.log.Unfinished():
	case finished == nil:
		r.log.Begin(line)
		return nil, nil
	case r.isNew || finished.Bytes > 0 && !hasContent(r.Output.Path):
		r.Warn(fmt.Sprintf("-resume: %s no longer has the answers of the finished run, so a new run is started", r.Output.Path))
		r.log.Begin(line)
		return nil, nil
	default:
		kind = "finished"
	}
	differ, err := manifest.differences(before.Manifest)
	switch {
	case err != nil:
		return nil, refusef("-resume: invalid log: %w", err)
	case len(differ) > 0:
		return nil, refusef("-resume: the %s run differs from this one: %s", kind, strings.Join(differ, "; "))
	case finished == nil:
		return nil, nil
	}
	r.finished = finished
	return finished, r.checkUnchanged(ctx)
}

// describe tells a database what its run is.
func (r *Run) describe(m *Manifest) {
	if d, ok := r.dest.(*database); ok {
		d.run = store.Run{Spec: m.Spec, Timeout: m.Limits.Time, Nodes: m.Limits.Nodes, Depth: m.Limits.Depth, Hints: m.Lines, Level: m.Limits.OptionalLevel()}
	}
}

// checkUnchanged returns an error if the output or the input of a finished run has changed.
func (r *Run) checkUnchanged(ctx context.Context) error {
	info, err := os.Stat(r.Output.Path)
	if err != nil {
		return err
	}
	if info.Size() != r.finished.Bytes {
		return refusef("-resume: %s has %d bytes instead of %d: it has changed since its run finished: remove it, or omit -resume to overwrite it",
			r.Output.Path, info.Size(), r.finished.Bytes)
	}
	if r.finished.Partial {
		return nil // the manifest has compared what is known without reading all of it
	}
	sum, err := batch.Checksum(ctx, r.Source())
	if err == nil && sum != r.finished.Input {
		err = r.inputChanged()
	}
	return err
}

func (r *Run) inputChanged() error {
	return refusef("-resume: %s has changed since the run began", inputNames(r.Inputs))
}

// Do answers all positions of the inputs, see batch.Run. The answers in the log are written first.
func (r *Run) Do(ctx context.Context, asker batch.Asker, o batch.Options) (batch.Tally, error) {
	if r.log != nil {
		o.Log = r.log
	}
	o.Shard = r.Shard
	onResumed := o.OnResumed
	o.OnResumed = func(t batch.Tally, damaged bool) {
		r.replayed = true
		if damaged {
			r.Warn(fmt.Sprintf("%s is damaged after its first %d answers: the others are searched again", runlog.Path(r.Output.Path), t.Done))
		}
		if onResumed != nil {
			onResumed(t, damaged)
		}
	}
	r.partial = true
	o.OnEnd = func(sum uint32) { r.checksum, r.partial = sum, false }
	tally, err := batch.Run(ctx, r.Source(), r.dest, asker, o)
	if errors.Is(err, batch.ErrOtherInput) {
		err = r.inputChanged()
	}
	return tally, err
}

// Finish completes the output. The log keeps the summary.
func (r *Run) Finish(summary Summary) error {
	loss, err := r.dest.finish()
	if err != nil {
		return err
	}
	if loss != "" {
		r.Warn(loss)
	}
	if r.log == nil {
		return nil
	}
	info, err := os.Stat(r.Output.Path)
	if err != nil {
		return err
	}
	f := &Finished{Bytes: info.Size(), Input: r.checksum, Partial: r.partial, Summary: summary}
	if err := r.log.Finish(f); err != nil {
		return err
	}
	r.finished = f
	return nil
}

// SuggestResume warns how to resume a run that has failed.
func (r *Run) SuggestResume(done, total int) {
	switch {
	case r.finished != nil:
		r.Warn(fmt.Sprintf("%s is finished: the same command with -resume only writes the summary", r.Output.Path))
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

// Close closes the output. The log of an unfinished run is kept.
func (r *Run) Close() error {
	err := r.dest.close()
	if r.log != nil {
		err = errors.Join(err, r.log.Close())
	}
	return err
}

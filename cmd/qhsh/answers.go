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
	"qhsh/pluginclient/manifest"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/batch/journal"
	"qhsh/pluginclient/task/batch/store"
	"qhsh/pluginclient/task/output"
)

// answers is where the answers of qhsh hints go, with what it takes to go on with the run. A
// file of bytes is locked by itself, a database, which is a new file in the end, by its
// journal.
type answers struct {
	destination
	info     fs.FileInfo      // of the output; nil if nothing is known of it
	isNew    bool             // the output was not there before
	journal  *journal.Journal // nil: the run cannot be gone on with, or is finished
	sink     batch.Sink
	resume   *batch.Resume // nil: the run is a new one
	path     string        // of -o; empty if there is none
	begun    bool          // there was a journal before
	finished bool          // the output is whole, and the journal says so
}

// openAnswers opens the output and its journal.
func (c *hints) openAnswers(ctx context.Context, h host, format batch.Format, say func(string)) (*answers, error) {
	begun := c.beganBefore()
	if c.resume && !begun && hasContent(c.path) {
		return nil, usagef("-resume: %s is there without %s, which would tell of its run: remove it, or leave out -resume to write over it",
			c.path, journal.Path(c.path))
	}
	to, err := c.openDestination(ctx, h, format)
	if err != nil {
		return nil, err
	}
	to.path, to.begun = c.path, begun
	if err := to.openJournal(c.resume, say); err != nil {
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
		return &answers{destination: &stream{out, format}, info: out.Info(), isNew: out.IsNew()}, nil
	}
	info, err := databaseInfo(c.path)
	if err != nil {
		return nil, err
	}
	run := store.Run{Version: version, Spec: c.spec, Level: c.level, Timeout: c.timeout, Hints: c.lines}
	return &answers{
		destination: &database{path: c.path, run: run}, info: info,
	}, nil
}

// beganBefore tells whether there is a journal, which a run makes before all else.
func (c *hints) beganBefore() bool {
	if c.path == "" {
		return false
	}
	_, err := os.Stat(journal.Path(c.path))
	return err == nil
}

// hasContent tells whether there is something in a file.
func hasContent(path string) bool {
	info, err := os.Stat(path)
	return err == nil && output.IsRegular(info) && info.Size() > 0
}

func (to *answers) openJournal(resume bool, say func(string)) error {
	if to.path == "" || to.info != nil && !output.IsRegular(to.info) {
		if resume {
			say("-resume: there is no file of -o to go on with, so the run starts anew")
		}
		return nil
	}
	path := journal.Path(to.path)
	j, err := journal.Open(path)
	switch {
	case errors.Is(err, filelock.ErrUsed):
		return usagef("-o %s: another run is writing it", to.path)
	case errors.Is(err, fs.ErrPermission) && !resume:
		say(fmt.Sprintf("%v: without that file the run cannot be gone on with", err))
		return nil
	case err != nil:
		return usageError{err}
	}
	to.journal = j
	if j.Unfinished() && !resume {
		return usagef("-o %s holds an unfinished run: resume it with -resume; to start anew remove %s", to.path, to.traces(path))
	}
	if s, ok := to.destination.(*stream); ok && s.Compressed() {
		to.destination = pack(s, to.path, j)
	}
	return nil
}

// traces are the files by which an unfinished run is known.
func (to *answers) traces(journalPath string) string {
	if _, err := os.Lstat(partPath(to.path)); err == nil && input.BareName(to.path) != to.path {
		return journalPath + " and " + partPath(to.path)
	}
	return journalPath
}

// begin makes the sink, which goes on with an unfinished run of the same terms. There is none
// if the run is finished.
func (to *answers) begin(ctx context.Context, terms *runTerms, in *inputs, resume bool, say func(string)) (err error) {
	if to.journal == nil {
		to.sink, err = to.fresh(nil, nil)
		return err
	}
	before, check, err := to.before(terms, resume, say)
	check = check || in.unchecked()
	switch {
	case err != nil:
		return err
	case before == finishedRun:
		to.finished = true
		return to.unchanged(ctx, in, check)
	case before == noRun:
		line, err := manifest.Line(terms.manifest)
		if err != nil {
			return err
		}
		to.sink, err = to.fresh(to.journal, line)
		return err
	}
	sink, state, err := to.goOn(ctx, to.journal)
	if err != nil {
		return fmt.Errorf("-resume: %w", err)
	}
	if state.Lost > 0 {
		say(fmt.Sprintf("-resume: %d of %d answers were not in %s as they had been written: they are asked for again",
			state.Lost, state.Lost+state.Tally.Done, to.path))
	}
	state.Check = check
	to.sink, to.resume = sink, &state.Resume
	return nil
}

// What -resume finds.
type runBefore string

const (
	noRun         runBefore = ""
	unfinishedRun runBefore = "unfinished"
	finishedRun   runBefore = "finished"
)

// before is the run that is gone on with, which has to be one of the same terms; check tells
// that its input has to be looked at again.
func (to *answers) before(terms *runTerms, resume bool, say func(string)) (kind runBefore, check bool, err error) {
	f := to.journal.Finished()
	switch {
	case resume && to.journal.Unfinished():
		kind = unfinishedRun
	case resume && f != nil && (to.isNew || f.Bytes > 0 && !hasContent(to.path)):
		say(fmt.Sprintf("-resume: the answers of the finished run are not in %s any more, so the run starts anew", to.path))
		return noRun, false, nil
	case resume && f != nil:
		kind = finishedRun
	default:
		return noRun, false, nil
	}
	differ, check, err := terms.differences(to.journal.Manifest())
	if err != nil {
		return noRun, false, usagef("-resume: the journal tells of no run: %w", err)
	}
	if len(differ) > 0 {
		err = usagef("-resume: the %s run is not this one: %s", kind, strings.Join(differ, "; "))
	}
	return kind, check, err
}

// unchanged makes sure that a finished output is what it was, and that its input is, if that
// has to be looked at.
func (to *answers) unchanged(ctx context.Context, in *inputs, check bool) error {
	f := to.journal.Finished()
	info, err := os.Stat(to.path)
	if err != nil {
		return err
	}
	if info.Size() != f.Bytes {
		return usagef("-resume: %s has %d bytes, and had %d when its run was finished: remove it, or leave out -resume to write over it",
			to.path, info.Size(), f.Bytes)
	}
	if !check {
		return nil
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

// resumed is how many answers there were before.
func (to *answers) resumed() int {
	if to.resume == nil {
		return 0
	}
	return to.resume.Tally.Done
}

// keeper is the journal as the run sees it.
func (to *answers) keeper() batch.Journal {
	if to.journal == nil {
		return nil
	}
	return to.journal
}

// end ends the output of a run: the journal of one that is done keeps its figures, and one
// that has failed ends with a whole answer.
func (to *answers) end(ctx context.Context, err error, figures runSummary) error {
	if err != nil {
		return to.breakOff(to.journal)
	}
	if err := errors.Join(batch.FinishSink(to.sink), to.finish(ctx)); err != nil || to.journal == nil {
		return err
	}
	f := journal.Finished{}
	if f.Summary, err = json.Marshal(figures); err != nil {
		return err
	}
	info, err := os.Stat(to.path)
	if err != nil {
		return err
	}
	f.Bytes = info.Size()
	if p, ok := to.destination.(*packed); ok {
		if f.Part, err = fileMark(p.part); err != nil {
			return err
		}
	}
	err = to.journal.Finish(f)
	to.finished, to.journal = err == nil, nil
	return err
}

// sayWayOn says what to do about a run that has failed.
func (to *answers) sayWayOn(say func(string), done, total int) {
	switch {
	case to.finished:
		say(fmt.Sprintf("%s is finished: the same command with -resume writes no more than the summary", to.path))
	case to.journal != nil && !to.journal.Empty():
		of := ""
		if total > 0 {
			of = fmt.Sprintf(" of %d", total)
		}
		say(fmt.Sprintf("%d%s answered: the same command with -resume goes on", done, of))
	}
}

// close closes the output. The journal of an unfinished run stays.
func (to *answers) close() error {
	err := to.destination.close(to.finished)
	switch {
	case to.journal == nil:
	case !to.begun && (to.journal.Manifest() == nil || to.journal.Empty() && !hasContent(to.path)):
		err = errors.Join(err, to.journal.Remove())
	default:
		err = errors.Join(err, to.journal.Close())
	}
	return err
}

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"qhsh/pluginclient/batch"
	"qhsh/pluginclient/batch/journal"
	"qhsh/pluginclient/batch/store"
	"qhsh/pluginclient/filelock"
	"qhsh/pluginclient/manifest"
)

// answers is where the answers of qhsh hints go, with what it takes to go on with the run.
type answers struct {
	destination
	out      *output          // its name and its info; a stream's is the output itself
	journal  *journal.Journal // nil: the run cannot be gone on with
	sink     batch.Sink
	resume   *batch.Resume // nil: the run is a new one
	path     string        // of -o; empty if there is none
	begun    bool          // there was a journal before
	finished bool          // the journal is closed
}

// openAnswers opens the output and its journal. It answers nil if there is nothing to do.
func (c *hints) openAnswers(h host, format batch.Format, in *inputs, say func(string)) (*answers, error) {
	begun := c.beganBefore()
	to, err := c.openDestination(h, format)
	if err != nil {
		return nil, err
	}
	to.path, to.begun = c.path, begun
	if err := to.openJournal(c, say); err != nil {
		_ = to.close()
		if errors.Is(err, errNoJournal) {
			return nil, c.finishedBefore(format, in, say)
		}
		return nil, err
	}
	return to, nil
}

func (c *hints) openDestination(h host, format batch.Format) (*answers, error) {
	isDatabase, err := c.database(format)
	if err != nil {
		return nil, err
	}
	if !isDatabase {
		out, err := c.open(h)
		if err != nil {
			return nil, err
		}
		return &answers{destination: &stream{out, format}, out: out}, nil
	}
	info, err := databaseInfo(c.path)
	if err != nil {
		return nil, err
	}
	run := store.Run{Version: version, Spec: c.spec, Level: c.level, Timeout: c.timeout, Hints: c.lines}
	return &answers{
		destination: &database{path: c.path, run: run}, out: &output{name: "-o " + c.path, info: info},
	}, nil
}

// errNoJournal is the error of an output that is there without the journal of its run.
var errNoJournal = errors.New("no journal")

// beganBefore tells whether there is a journal, which a run makes before all else.
func (c *hints) beganBefore() bool {
	if c.path == "" {
		return false
	}
	_, err := os.Stat(journal.Path(c.path))
	return err == nil
}

// hasContent tells whether there is something in the output.
func (to *answers) hasContent() bool {
	info, err := os.Stat(to.path)
	return err == nil && info.Size() > 0
}

func (to *answers) openJournal(c *hints, say func(string)) error {
	if c.path == "" || to.out.info != nil && !regular(to.out.info) {
		if c.resume {
			say("-resume: there is no file of -o to go on with, so the run starts anew")
		}
		return nil
	}
	if err := to.out.resumable(); err != nil {
		if c.resume {
			return err
		}
		return nil
	}
	if c.resume && !to.begun && to.hasContent() {
		return errNoJournal
	}
	path := journal.Path(c.path)
	j, err := journal.Open(path)
	switch {
	case errors.Is(err, filelock.ErrUsed):
		return usagef("-o %s: another run is writing it", c.path)
	case errors.Is(err, fs.ErrPermission) && !c.resume:
		say(fmt.Sprintf("%v: without that file the run cannot be gone on with", err))
		return nil
	case err != nil:
		return usageError{err}
	}
	to.journal = j
	if j.Unfinished() && !c.resume {
		return usagef("-o %s holds an unfinished run: -resume goes on with it; to start anew remove %s", c.path, path)
	}
	return nil
}

// begin makes the sink, which goes on with an unfinished run of the same terms. Check has
// the input looked at again.
func (to *answers) begin(terms *runTerms, resume, check bool, say func(string)) error {
	if to.journal == nil {
		to.sink = to.fresh(nil)
		return nil
	}
	line, err := manifest.Line(terms.manifest)
	if err != nil {
		return err
	}
	if !resume || !to.journal.Unfinished() {
		to.sink = to.fresh(to.journal)
		return to.journal.Begin(line, to.sync())
	}
	differ, redated, err := terms.differences(to.journal.Manifest())
	if err != nil {
		return usagef("-resume: the journal tells of no run: %w", err)
	}
	if len(differ) > 0 {
		return usagef("-resume: the unfinished run is not this one: %s", strings.Join(differ, "; "))
	}
	sink, state, err := to.goOn(to.journal)
	if err != nil {
		return fmt.Errorf("-resume: %w", err)
	}
	if state.Lost > 0 {
		say(fmt.Sprintf("-resume: %d of %d answers were not in %s as they had been written: they are asked for again",
			state.Lost, state.Lost+state.Tally.Done, to.path))
	}
	state.Check = check || redated
	to.sink, to.resume = sink, &state.Resume
	return nil
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

// end ends the output of a run: one that is done has no journal any more, and one that has
// failed ends with a whole answer.
func (to *answers) end(err error) error {
	if err != nil {
		return to.breakOff(to.journal)
	}
	if err := to.finish(); err != nil || to.journal == nil {
		return err
	}
	to.finished = true
	return to.journal.Finish()
}

// sayWayOn says what to do about a run that has not come to its end.
func (to *answers) sayWayOn(say func(string), done, total int) {
	if to.journal == nil || to.journal.Empty() {
		return
	}
	of := ""
	if total > 0 {
		of = fmt.Sprintf(" of %d", total)
	}
	say(fmt.Sprintf("%d%s answered: the same command with -resume goes on", done, of))
}

// close closes the output. The journal of an unfinished run stays.
func (to *answers) close() error {
	err := to.destination.close()
	switch {
	case to.journal == nil || to.finished:
	case !to.begun && (to.journal.Manifest() == nil || to.journal.Empty() && !to.hasContent()):
		err = errors.Join(err, to.journal.Remove())
	default:
		err = errors.Join(err, to.journal.Close())
	}
	return err
}

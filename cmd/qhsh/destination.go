package main

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"qhsh/pluginclient/batch"
	"qhsh/pluginclient/batch/journal"
	"qhsh/pluginclient/batch/store"
)

// A destination is what answers are written to: a stream of bytes, or a database.
type destination interface {
	// fresh is a sink that replaces what is there with its first answer.
	fresh(j *journal.Journal) batch.Sink
	// goOn brings the destination to where the journal is, or the journal to where the
	// destination is, and answers a sink that goes on there.
	goOn(j *journal.Journal) (batch.Sink, journal.State, error)
	// sync makes sure that the disk has it; nil if it sees to that by itself.
	sync() func() error
	// finish ends one that is done.
	finish() error
	// breakOff ends one whose run goes on later, with a whole answer.
	breakOff(j *journal.Journal) error
	close() error
}

// stream is a destination of bytes.
type stream struct {
	*output
	format batch.Format
}

func (s *stream) sync() func() error { return s.file.Sync }

// fresh has a journal count what is written, if there is one.
func (s *stream) fresh(j *journal.Journal) batch.Sink {
	if j == nil {
		return s.format.Write(s.output)
	}
	return s.format.Write(j.Output(s.output))
}

func (s *stream) goOn(j *journal.Journal) (sink batch.Sink, state journal.State, err error) {
	before, err := os.Open(s.file.Name())
	if err != nil {
		return nil, state, err
	}
	defer before.Close()
	if state, err = j.Resume(before, -1, s.sync()); err != nil {
		return nil, state, err
	}
	if _, err := before.Seek(0, io.SeekStart); err != nil {
		return nil, state, err
	}
	sink = s.fresh(j)
	if err := batch.ResumeSink(sink, io.LimitReader(before, state.Bytes)); err != nil {
		return nil, state, err
	}
	s.begun = true
	return sink, state, s.cut(j)
}

// cut drops what has no record, and goes on behind the rest.
func (s *stream) cut(j *journal.Journal) error {
	if err := s.file.Truncate(j.Noted()); err != nil {
		return err
	}
	_, err := s.file.Seek(j.Noted(), io.SeekStart)
	return err
}

func (s *stream) finish() error { return s.begin() }

func (s *stream) breakOff(j *journal.Journal) error {
	if j == nil || !s.begun {
		return nil
	}
	return s.cut(j)
}

func (s *stream) close() error { return s.Close() }

// database is a destination of rows.
type database struct {
	path string
	run  store.Run
	db   *store.DB // nil: nothing has been written
}

func (d *database) sync() func() error { return nil }

func (d *database) fresh(*journal.Journal) batch.Sink { return d }

// Write replaces the file with the first answer.
func (d *database) Write(a batch.Answer) error {
	if err := d.create(); err != nil {
		return err
	}
	return d.db.Write(a)
}

func (d *database) create() (err error) {
	if d.db == nil {
		d.db, err = store.Create(d.path, d.run)
	}
	return err
}

// goOn goes on behind the answers that are both in the journal and in the database, of which
// either may have some more.
func (d *database) goOn(j *journal.Journal) (sink batch.Sink, state journal.State, err error) {
	rows, err := store.Count(d.path)
	if err != nil {
		rows = 0 // killed before there were tables
	}
	if state, err = j.Resume(nil, rows, nil); err != nil || state.Tally.Done == 0 {
		return d, state, err
	}
	d.db, err = store.Open(d.path, state.Tally.Done)
	return d, state, err
}

func (d *database) finish() error {
	if err := d.create(); err != nil {
		return err
	}
	err := d.db.Finish()
	d.db = nil
	return err
}

func (d *database) breakOff(*journal.Journal) error { return d.close() }

func (d *database) close() error {
	if d.db == nil {
		return nil
	}
	err := d.db.Close()
	d.db = nil
	return err
}

// databaseInfo is what is known of a database's file; nil if it is not there.
func databaseInfo(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, usagef("-o: %w", err)
	case !info.Mode().IsRegular():
		return nil, usagef("-o %s is no ordinary file, which a database has to be", path)
	}
	return info, nil
}

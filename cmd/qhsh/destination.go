package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/store"
	"qhsh/pluginclient/task/output"
)

// A destination is where answers are written to: a stream of bytes, or a database. It replaces
// what is there with the first answer.
type destination interface {
	batch.Sink
	// finish ends one that is done. The disk has it then.
	finish(ctx context.Context) error
	// close ends one that is not done with a whole answer.
	close() error
}

// stream is a destination of bytes.
type stream struct {
	batch.Sink
	out *output.File
}

func newStream(out *output.File, format batch.Format) *stream { return &stream{format.Write(out), out} }

func (s *stream) finish(context.Context) error {
	err := batch.FinishSink(s.Sink)
	if err == nil {
		err = s.out.Finish()
	}
	if err == nil {
		err = s.out.Sync()
	}
	return err
}

func (s *stream) close() error { return s.out.Close() }

// database is a destination of rows.
type database struct {
	path string
	run  store.Run
	db   *store.DB // nil: nothing has been written
}

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

func (d *database) finish(context.Context) error {
	if err := d.create(); err != nil {
		return err
	}
	err := d.db.Finish()
	d.db = nil
	return err
}

func (d *database) close() error {
	if d.db == nil {
		return nil
	}
	err := d.db.Close()
	d.db = nil
	return err
}

// databaseInfo is what is known of a database's file; nil if it is not there. It is an error
// if it is one of something else.
func databaseInfo(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, usagef("-o: %w", err)
	}
	if err := store.Replaceable(path); err != nil {
		return nil, usagef("-o: %w: name another file", err)
	}
	return info, nil
}

package hints

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"qhsh/engine/interruptible"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/input"
	"qhsh/pluginclient/task/batch/store"
	"qhsh/pluginclient/task/output"
)

// A destination receives the answers of a run. The first answer replaces the previous content.
type destination interface {
	batch.Sink
	// finish completes the output and syncs it to disk. loss says what the format could not hold.
	finish() (loss string, err error)
	// close closes an incomplete output after a whole answer. It is a no-op after finish.
	close() error
}

// A stream is a destination for formats that write bytes.
type stream struct {
	batch.Sink
	out *output.File
}

// mergeText writes the answers of all shards, which are texts in its format, instead of those of a run.
func (s *stream) mergeText(ctx context.Context, format string, parts []part) error {
	readers := make([]io.Reader, len(parts))
	for i, p := range parts {
		file, err := interruptible.Open(ctx, p.path)
		if err != nil {
			return err
		}
		defer file.Close()
		plain, err := input.Decompress(file)
		if err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
		defer plain.Close()
		readers[i] = plain
	}
	return batch.Merge(s.out, format, readers)
}

func (s *stream) finish() (loss string, err error) {
	err = batch.FinishSink(s.Sink)
	if err == nil {
		err = s.out.Finish()
	}
	if err == nil {
		err = s.out.Sync()
	}
	return batch.LossMessage(s.Sink), err
}

func (s *stream) close() error { return s.out.Close() }

// A database is a destination that is a SQLite database.
type database struct {
	path string
	run  store.Run   // when it is created
	info fs.FileInfo // of the previous file; nil: none
	db   *store.DB   // nil: nothing written yet
}

// openDatabase checks that the database can be written. It does not create it.
func openDatabase(path string) (*database, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		info = nil
	case err != nil:
		return nil, refusef("-o: %w", err)
	}
	if err := store.CheckReplaceable(path); err != nil {
		return nil, refusef("-o: %w: name another file", err)
	}
	return &database{path: path, info: info}, nil
}

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

func (d *database) finish() (loss string, err error) {
	if err := d.create(); err != nil {
		return "", err
	}
	err = d.db.Finish()
	d.db = nil
	return "", err
}

func (d *database) close() error {
	if d.db == nil {
		return nil
	}
	err := d.db.Close()
	d.db = nil
	return err
}

package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"qhsh/pluginclient/filelock"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/batch/journal"
	"qhsh/pluginclient/task/batch/store"
	"qhsh/pluginclient/task/output"
)

// A destination is what answers are written to: a stream of bytes, or a database.
type destination interface {
	// fresh begins a run in the journal, if there is one, and answers a sink that replaces
	// what is there with its first answer.
	fresh(j *journal.Journal, manifest []byte) (batch.Sink, error)
	// goOn brings the destination to where the journal is, or the journal to where the
	// destination is, and answers a sink that goes on there.
	goOn(ctx context.Context, j *journal.Journal) (batch.Sink, journal.State, error)
	// finish ends one that is done.
	finish(ctx context.Context) error
	// breakOff ends one whose run goes on later, with a whole answer.
	breakOff(j *journal.Journal) error
	// close leaves what a later run needs to go on, unless the run is finished.
	close(finished bool) error
}

// stream is a destination of bytes.
type stream struct {
	*output.File
	format batch.Format
}

func (s *stream) fresh(j *journal.Journal, manifest []byte) (batch.Sink, error) {
	if j == nil {
		return s.format.Write(s.File), nil
	}
	return s.sink(j), j.Begin(manifest, s.sync)
}

// sink has a journal count what is written.
func (s *stream) sink(j *journal.Journal) batch.Sink { return s.format.Write(j.Output(s.File)) }

// sync makes sure that the disk has what is written, if anything is.
func (s *stream) sync() error {
	if s.File == nil {
		return nil
	}
	return s.File.Sync()
}

func (s *stream) goOn(ctx context.Context, j *journal.Journal) (sink batch.Sink, state journal.State, err error) {
	file, err := os.Open(s.Path())
	if err != nil {
		return nil, state, err
	}
	defer file.Close()
	before := interruptible{ctx, file}
	if state, err = j.Resume(before, -1, s.sync); err != nil {
		return nil, state, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, state, err
	}
	sink = s.sink(j)
	if err := batch.ResumeSink(sink, io.LimitReader(before, state.Bytes)); err != nil {
		return nil, state, err
	}
	return sink, state, s.cut(j)
}

// cut drops what has no record, and goes on behind the rest.
func (s *stream) cut(j *journal.Journal) error {
	return s.Resume(j.Noted())
}

func (s *stream) finish(context.Context) error { return s.Begin() }

func (s *stream) breakOff(j *journal.Journal) error {
	if j == nil || !s.Begun() {
		return nil
	}
	return s.cut(j)
}

func (s *stream) close(bool) error { return s.Close() }

// interruptible is a reader that ends with its context.
type interruptible struct {
	ctx context.Context
	io.Reader
}

func (r interruptible) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.Reader.Read(p)
}

// packed is a stream that is compressed when it is done. Until then its answers stand as they
// are in a file beside it, so that a run can go on behind them.
//
// The file beside it is of the run in the journal, or it is somebody else's: it is made when the
// journal has its run, and removed before the journal has another one or none. So whenever a
// process is killed, the journal tells whose it is.
type packed struct {
	stream // of the file beside it; it has no output before that is open
	to     *output.File
	part   string // the name of the file beside it
	j      *journal.Journal
	begun  bool // the run in the journal is this one
}

// partSuffix is what the name of the file beside it adds to that of the output.
const partSuffix = ".part"

// partPath is where the answers of a compressed output stand while the run goes on.
func partPath(path string) string {
	if real, err := filelock.Target(path); err == nil {
		path = real
	}
	return path + partSuffix
}

// ownsPart reports whether a run has made the file beside its output. That of a finished run is
// there only if its process was killed just before it removed it, and then it is as it was.
func ownsPart(run journal.Run, part string) bool {
	info, err := os.Lstat(part)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil || !output.IsRegular(info) || run.Manifest == nil {
		return false
	}
	if run.Finished == nil {
		return true
	}
	mark, err := fileMark(part)
	return err == nil && mark == run.Finished.Part
}

// pack has a stream compressed when it is done.
func pack(s *stream, path string, j *journal.Journal) *packed {
	return &packed{stream: stream{format: s.format}, to: s.File, part: partPath(path), j: j}
}

func (p *packed) fresh(j *journal.Journal, manifest []byte) (batch.Sink, error) {
	if err := p.removePart(); err != nil {
		return nil, err
	}
	if err := j.Begin(manifest, p.sync); err != nil {
		return nil, err
	}
	if err := j.Sync(); err != nil { // the disk has it before it has the file beside it
		return nil, err
	}
	if err := p.openPart(os.O_EXCL); err != nil {
		return nil, err
	}
	p.begun = true
	return p.sink(j), nil
}

func (p *packed) goOn(ctx context.Context, j *journal.Journal) (sink batch.Sink, state journal.State, err error) {
	if err := p.openPart(0); err != nil {
		return nil, state, err
	}
	sink, state, err = p.stream.goOn(ctx, j)
	p.begun = err == nil
	return sink, state, err
}

func (p *packed) openPart(flags int) error {
	file, err := os.OpenFile(p.part, os.O_WRONLY|os.O_CREATE|flags, 0o666)
	if err != nil {
		return usagef("-o: %w", err)
	}
	if err := file.Close(); err != nil {
		return err
	}
	p.File, err = output.Open(context.Background(), output.Options{Flag: "-o", Path: p.part})
	return err
}

func (p *packed) removePart() error {
	if err := os.Remove(p.part); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (p *packed) finish(ctx context.Context) error {
	if err := p.Begin(); err != nil {
		return err
	}
	plain, err := os.Open(p.Path())
	if err != nil {
		return err
	}
	defer plain.Close()
	if err := p.to.Begin(); err != nil {
		return err
	}
	_, err = io.Copy(p.to, interruptible{ctx, plain})
	if err == nil {
		err = p.to.Finish()
	}
	if err == nil {
		err = p.to.Sync()
	}
	if err != nil {
		err = errors.Join(err, p.to.Undo())
	}
	return err
}

// close keeps the file beside it if there is anything in it that can be resumed.
func (p *packed) close(finished bool) error {
	var err error
	if p.File != nil {
		err = p.stream.Close()
	}
	err = errors.Join(err, p.to.Close())
	if finished || p.begun && p.j.Empty() {
		err = errors.Join(err, p.removePart())
	}
	return err
}

// database is a destination of rows.
type database struct {
	path string
	run  store.Run
	db   *store.DB // nil: nothing has been written
}

func (d *database) fresh(j *journal.Journal, manifest []byte) (batch.Sink, error) {
	if j == nil {
		return d, nil
	}
	return d, j.Begin(manifest, nil) // it sees by itself that the disk has it
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

// goOn goes on behind the answers that are both in the journal and in the database, of which
// either may have some more.
func (d *database) goOn(_ context.Context, j *journal.Journal) (sink batch.Sink, state journal.State, err error) {
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

func (d *database) finish(context.Context) error {
	if err := d.create(); err != nil {
		return err
	}
	err := d.db.Finish()
	d.db = nil
	return err
}

func (d *database) breakOff(*journal.Journal) error { return d.close(false) }

func (d *database) close(bool) error {
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

// Package store writes answers into an SQLite database and reads them back.
//
// During a run the file is an ordinary database that others can read: committed answers survive a
// killed process. A resumed run recreates it. [DB.Finish] rewrites the file in an order that
// depends on its content alone, so equal answers give equal bytes.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"qhsh/engine/filelock"
	"qhsh/pluginclient"
	"qhsh/pluginclient/sqlitefile"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/output"
)

// Run describes the run that produced the answers.
type Run struct {
	Spec    string // of the engine
	Level   *int   // the level that was set; nil: none
	Timeout time.Duration
	Nodes   int64 // 0: not set; likewise for the other limits
	Depth   int
	Hints   int
}

const commitEvery = time.Second

// DB is a [batch.Sink] that writes into a database. It is not safe for concurrent use.
type DB struct {
	path      string
	db        *sql.DB
	tx        *sql.Tx // nil: nothing has been written since the last commit
	began     time.Time
	positions *sql.Stmt
	hints     *sql.Stmt
	n         int // positions
}

// Create creates a database in place of an existing file, which must pass [CheckReplaceable].
func Create(path string, run Run) (*DB, error) {
	if err := CheckReplaceable(path); err != nil {
		return nil, err
	}
	path, err := sqlitefile.Resolve(path)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	if err := removeAll(path, path+"-wal", path+"-shm", path+"-journal"); err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	db, err := sql.Open("sqlite", sqlitefile.DSN(path,
		sqlitefile.Pragma("busy_timeout", "5000"), sqlitefile.Pragma("journal_mode", "wal"), sqlitefile.Pragma("synchronous", "normal")))
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	db.SetMaxOpenConns(1) // a transaction and its prepared statements belong to one connection
	d := &DB{path: path, db: db}
	number := func(n int64) sql.NullInt64 { return sql.NullInt64{Int64: n, Valid: n != 0} }
	if _, err = db.Exec(kind.Mark() + schema); err == nil {
		_, err = db.Exec(insertRun, pluginclient.Version, run.Spec, run.Level, sql.NullInt64{Int64: run.Timeout.Milliseconds(), Valid: run.Timeout > 0}, run.Hints, number(run.Nodes), number(int64(run.Depth)))
	}
	if err != nil {
		return nil, errors.Join(d.wrap(err), db.Close())
	}
	return d, nil
}

// CheckReplaceable returns an error if a file is anything but a database of this package. A missing
// or empty file and a database without tables are fine.
func CheckReplaceable(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil
	}
	db, err := sqlitefile.OpenReading(path)
	if err != nil {
		return err
	}
	defer db.Close()
	var application, objects int
	err = db.QueryRow("SELECT (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)").Scan(&application, &objects)
	if err == nil && objects > 0 && application != kind.ApplicationID {
		err = kind.ErrForeign
	}
	if err != nil {
		return fmt.Errorf("database %s: %w", path, sqlitefile.Explain(err))
	}
	return nil
}

func (d *DB) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("database %s: %w", d.path, sqlitefile.Explain(err))
}

// Write writes an answer. Writes are committed about once a second.
func (d *DB) Write(a batch.Answer) error {
	if d.tx == nil {
		var err, err2 error
		if d.tx, err = d.db.BeginTx(context.Background(), nil); err != nil {
			return d.wrap(err)
		}
		d.began = time.Now()
		d.positions, err = d.tx.Prepare(insertPosition)
		d.hints, err2 = d.tx.Prepare(insertHint)
		if err := errors.Join(err, err2); err != nil {
			return d.wrap(err)
		}
	}
	d.n++
	if _, err := d.positions.Exec(positionRow(d.n, a)...); err != nil {
		return d.wrap(err)
	}
	for i, h := range a.Hints {
		if _, err := d.hints.Exec(append([]any{d.n, i + 1}, values(batch.HintCells(h))...)...); err != nil {
			return d.wrap(err)
		}
	}
	if time.Since(d.began) >= commitEvery {
		return d.Commit()
	}
	return nil
}

// Commit makes all writes durable.
func (d *DB) Commit() error {
	if d.tx == nil {
		return nil
	}
	err := d.tx.Commit()
	d.tx = nil
	return d.wrap(err)
}

// Close commits and closes the file.
func (d *DB) Close() error {
	return errors.Join(d.Commit(), d.wrap(d.db.Close()))
}

// Finish commits, rewrites the file, and closes it.
func (d *DB) Finish() error {
	err := d.Commit()
	if err == nil {
		err = d.compact()
	}
	if err != nil {
		_ = d.Close() // the first error is the cause
		return err
	}
	fresh := filelock.TempPath(d.path)
	if err := d.db.Close(); err != nil {
		return d.wrap(err)
	}
	// A reader of the old file keeps its write-ahead log, which SQLite would apply to the new file.
	// If the process is killed in between, the old file is consistent up to some commit, from which
	// a run can be resumed.
	if err := removeAll(d.path+"-wal", d.path+"-shm"); err != nil {
		return d.wrap(err)
	}
	return d.wrap(filelock.Rename(fresh, d.path))
}

// removeAll removes files. Missing ones are ignored.
func removeAll(paths ...string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (d *DB) compact() error {
	fresh := filelock.TempPath(d.path)
	err := removeAll(fresh)
	if err == nil {
		err = viewFields(d.db)
	}
	if err == nil {
		_, err = d.db.Exec(indices)
	}
	if err == nil {
		if _, err = d.db.Exec("VACUUM INTO ?", fresh); err != nil {
			_ = os.Remove(fresh)
		}
	}
	return d.wrap(err)
}

// Magic is what every SQLite database begins with.
const Magic = "SQLite format 3\x00"

// sidecarMagic is what the files begin with that SQLite keeps next to a database.
var sidecarMagic = map[string]string{
	"-wal": "\x37\x7f\x06", "-shm": "\x18\xe2\x2d\x00", "-journal": "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",
}

// Siblings returns the files that SQLite keeps next to a database, even for reading, and with
// written set the file that is about to replace it.
func Siblings(path string, written bool) []output.Sibling {
	if path == "" {
		return nil
	}
	if real, err := filelock.Resolve(path); err == nil {
		path = real
	}
	list := []output.Sibling{}
	add := func(path, begins string) {
		list = append(list, output.Sibling{Path: path, Own: func(path string) (bool, error) { return output.HasPrefix(path, begins) }})
	}
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		add(path+suffix, sidecarMagic[suffix])
	}
	if written {
		add(filelock.TempPath(path), Magic)
	}
	return list
}

// IsDatabase reports whether a file is an SQLite database.
func IsDatabase(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !output.IsRegular(info) || info.Size() == 0 {
		return false
	}
	is, err := output.HasPrefix(path, Magic)
	return is && err == nil
}

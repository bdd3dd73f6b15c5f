// Package store writes answers into an SQLite database, where they can be queried, and
// reads them back.
//
// While a run is under way its file is a database like any other, which others can read: what
// has been committed survives a process that is killed. A run that is resumed recreates it.
// [DB.Finish] writes the file in an order that depends on its content alone, so that the same
// answers are the same bytes.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"qhsh/pluginclient/filelock"
	"qhsh/pluginclient/task/batch"
)

// Run reports how the answers were come by.
type Run struct {
	Version string // of qhsh
	Spec    string // of the engine
	Level   *int   // that was asked for; nil: none
	Timeout time.Duration
	Nodes   int64 // 0: not asked for, as with those next to it
	Depth   int
	Hints   int
}

// commitEvery is after how long Write commits by itself.
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

// Create makes a new database, in place of the file that is there, which has to be
// [Replaceable].
func Create(path string, run Run) (*DB, error) {
	if err := CheckReplaceable(path); err != nil {
		return nil, err
	}
	path, err := realPath(path)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	if err := removeAll(path, path+"-wal", path+"-shm", path+"-journal"); err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	d, err := open(path)
	if err != nil {
		return nil, err
	}
	if err := d.createTables(run); err != nil {
		return nil, errors.Join(d.wrap(err), d.db.Close())
	}
	return d, nil
}

// CheckReplaceable returns an error if a file holds something else than a database of this package. One
// that is not there, is empty or has no tables yet holds nothing.
func CheckReplaceable(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil
	}
	db, err := connect(path)
	if err != nil {
		return err
	}
	defer db.Close()
	var application, objects int
	err = db.QueryRow("SELECT (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)").Scan(&application, &objects)
	if err == nil && objects > 0 && application != applicationID {
		err = errNotOurs
	}
	if err != nil {
		return fmt.Errorf("database %s: %w", path, err)
	}
	return nil
}

// errNotOurs is the error of a database of somebody else.
var errNotOurs = errors.New("'qhsh hints' has not written it")

// realPath follows links, so that the file they lead to is replaced.
func realPath(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is no ordinary file, which a database has to be", path)
	}
	if path, err = filelock.Resolve(path); err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// dsn names a file to the driver, with parameters.
func dsn(path string, parameters ...string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/file
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: strings.Join(parameters, "&")}).String()
}

func open(path string) (*DB, error) {
	db, err := sql.Open("sqlite", dsn(path, "_pragma=busy_timeout(5000)", "_pragma=journal_mode(wal)", "_pragma=synchronous(normal)"))
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	db.SetMaxOpenConns(1) // a transaction and what is prepared belong to one connection
	return &DB{path: path, db: db}, nil
}

func (d *DB) wrap(err error) error {
	if err == nil {
		return nil
	}
	var failed *sqlite.Error
	if errors.As(err, &failed) && failed.Code() == sqlite3.SQLITE_IOERR_SHMSIZE {
		err = fmt.Errorf("no room beside it: %w", err) // SQLite says "disk I/O error" alone
	}
	return fmt.Errorf("database %s: %w", d.path, err)
}

// createTables makes the tables.
func (d *DB) createTables(run Run) error {
	var timeout any
	if run.Timeout > 0 {
		timeout = run.Timeout.Milliseconds()
	}
	_, err := d.db.Exec(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d; %s", applicationID, schemaVersion, schema))
	if err == nil {
		_, err = d.db.Exec(insertRun, run.Version, run.Spec, run.Level, timeout, run.Hints, number(run.Nodes), number(int64(run.Depth)))
	}
	return err
}

// checkOurs makes sure that a database is one of these.
func checkOurs(db *sql.DB) error {
	var application, version int
	if err := db.QueryRow("PRAGMA application_id").Scan(&application); err != nil {
		return err
	}
	if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if application != applicationID {
		return errNotOurs
	}
	if version != schemaVersion {
		return fmt.Errorf("its schema has version %d, and this qhsh knows %d", version, schemaVersion)
	}
	return nil
}

// Write writes an answer. It is committed a second later at the latest, if another
// follows.
func (d *DB) Write(a batch.Answer) error {
	if d.tx == nil {
		if err := d.beginTx(); err != nil {
			return d.wrap(err)
		}
	}
	if err := d.insert(a); err != nil {
		return d.wrap(err)
	}
	d.n++
	if time.Since(d.began) >= commitEvery {
		return d.Commit()
	}
	return nil
}

// beginTx begins a transaction.
func (d *DB) beginTx() (err error) {
	if d.tx, err = d.db.BeginTx(context.Background(), nil); err != nil {
		return err
	}
	d.began = time.Now()
	if d.positions, err = d.tx.Prepare(insertPosition); err != nil {
		return err
	}
	d.hints, err = d.tx.Prepare(insertHint)
	return err
}

func (d *DB) insert(a batch.Answer) error {
	id := d.n + 1
	if _, err := d.positions.Exec(positionRow(id, a)...); err != nil {
		return err
	}
	for i, h := range a.Hints {
		if _, err := d.hints.Exec(hintRow(id, i+1, h)...); err != nil {
			return err
		}
	}
	return nil
}

// Commit makes everything that has been written survive the process.
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
		_ = d.Close() // the first error says why
		return err
	}
	fresh := filelock.TempPath(d.path)
	if err := d.db.Close(); err != nil {
		return d.wrap(err)
	}
	// Who still reads the old file keeps its log in place, and SQLite would take it for that
	// of the new one. Should the process be killed in between, the old file is whole up to
	// some commit, from which a run can go on.
	if err := removeAll(d.path+"-wal", d.path+"-shm"); err != nil {
		return d.wrap(err)
	}
	return d.wrap(os.Rename(fresh, d.path))
}

// removeAll removes files, of which any may not be there.
func removeAll(paths ...string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// compact writes a fresh copy beside the file.
func (d *DB) compact() error {
	fresh := filelock.TempPath(d.path)
	if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return d.wrap(err)
	}
	if err := viewFields(d.db); err != nil {
		return d.wrap(err)
	}
	if _, err := d.db.Exec(indices); err != nil {
		return d.wrap(err)
	}
	if _, err := d.db.Exec("VACUUM INTO ?", fresh); err != nil {
		_ = os.Remove(fresh)
		return d.wrap(err)
	}
	return nil
}

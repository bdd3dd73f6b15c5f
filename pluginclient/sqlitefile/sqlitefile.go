// Package sqlitefile opens SQLite databases and identifies those that qhsh has written: each kind
// has a number of its own in the header of the file.
package sqlitefile

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"qhsh/engine/filelock"
	"qhsh/engine/record"
)

// A Kind identifies the databases that a part of qhsh writes.
type Kind struct {
	ApplicationID int
	Version       int   // of the schema
	ErrForeign    error // the error of a database of another kind
}

// Check returns an error if a database is not of the kind, or of another version.
func (k Kind) Check(db interface {
	QueryRow(query string, args ...any) *sql.Row
},
) error {
	var application, version int
	if err := db.QueryRow("PRAGMA application_id").Scan(&application); err != nil {
		return err
	}
	if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if application != k.ApplicationID {
		return k.ErrForeign
	}
	if version != k.Version {
		return fmt.Errorf("schema has version %d, this qhsh supports %d", version, k.Version)
	}
	return nil
}

// Prepare creates the tables of an empty database, and checks any other database.
func (k Kind) Prepare(db *sql.DB, schema string) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // which does nothing after a commit
	var objects int
	if err := tx.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&objects); err != nil {
		return err
	}
	if objects > 0 {
		return k.Check(tx)
	}
	if _, err := tx.Exec(schema + k.Mark()); err != nil {
		return err
	}
	return tx.Commit()
}

// Mark returns the statements that give a database the kind.
func (k Kind) Mark() string {
	return fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", k.ApplicationID, k.Version)
}

// Resolve returns the absolute path of a regular file, which need not exist, with links followed,
// so that the target of a link is replaced.
func Resolve(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is not a regular file", path)
	}
	if path, err = filelock.Resolve(path); err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// DSN returns the driver's name for a file, whatever characters are in its path, with parameters
// such as "mode=ro".
func DSN(path string, parameters ...string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/file
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: strings.Join(parameters, "&")}).String()
}

// Pragma returns the parameter of DSN that sets a pragma of every connection.
func Pragma(name, value string) string { return "_pragma=" + url.QueryEscape(name+"("+value+")") }

// maxHeap is the memory of all databases that are open in bytes, once one has been opened for reading: a
// view in it may make values and tables of any size.
const maxHeap = 2 * record.MaxFile

// OpenReading opens a file for reading. A process killed early may have left a rollback journal,
// which only a writer can apply.
func OpenReading(path string) (*sql.DB, error) {
	path, err := Resolve(path)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	mode := "mode=ro"
	if _, err := os.Stat(path + "-journal"); err == nil {
		mode = "mode=rw"
	}
	db, err := sql.Open("sqlite", DSN(path, mode, Pragma("busy_timeout", "5000"), Pragma("hard_heap_limit", strconv.Itoa(maxHeap))))
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	return db, nil
}

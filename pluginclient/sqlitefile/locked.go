package sqlitefile

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"qhsh/engine/record"
)

// ErrLocked is the error of a file that another process has kept locked.
var ErrLocked = errors.New("another process is using it: try again when that process has ended")

// shortWait is how long a call waits for a locked file if it is repeated by Retry: a wait of SQLite
// cannot be interrupted.
const shortWait = 100 * time.Millisecond

// ShortWait is a parameter of DSN for calls of Retry.
var ShortWait = Pragma("busy_timeout", strconv.FormatInt(shortWait.Milliseconds(), 10))

// SetWait sets how long calls of a connection wait for a locked file; 0: as with ShortWait. db must have no
// more than one connection.
func SetWait(ctx context.Context, db interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}, wait time.Duration,
) error {
	_, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout = %d", cmp.Or(wait, shortWait).Milliseconds()))
	return err
}

// Retry calls do until the file is not locked by another process, for as long as patience. It calls it
// once even if ctx is done.
func Retry(ctx context.Context, patience time.Duration, do func() error) error {
	for begun := time.Now(); ; {
		err := do()
		if !HasCode(err, sqlite3.SQLITE_BUSY) || ctx.Err() != nil || time.Since(begun) > patience {
			return Explain(err)
		}
	}
}

// HasCode reports whether an error has a primary result code of SQLite.
func HasCode(err error, code int) bool {
	var told *sqlite.Error
	return errors.As(err, &told) && told.Code()&0xff == code
}

// Explain returns an error of SQLite in the reader's terms, if there is more to say than SQLite does.
func Explain(err error) error {
	var told *sqlite.Error
	switch {
	case HasCode(err, sqlite3.SQLITE_BUSY):
		return ErrLocked
	case errors.As(err, &told) && told.Code() == sqlite3.SQLITE_IOERR_SHMSIZE:
		return fmt.Errorf("no disk space for its shared memory file: %w", err) // SQLite says only "disk I/O error"
	case errors.As(err, &told) && told.Code() == sqlite3.SQLITE_NOMEM:
		return fmt.Errorf("needs more than %s of memory: damaged, or made by another program: %w", record.Megabytes(maxHeap), err)
	}
	return err
}

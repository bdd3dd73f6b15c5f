package explore

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"qhsh/engine/games"
	"qhsh/pluginclient/sqlitefile"
)

// TestLocked: a run that is cancelled does not wait for another process that writes, and is told of it.
func TestLocked(t *testing.T) {
	d := two(t)
	other := create(t, "x.db")
	tx, err := other.begin(t.Context(), t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	done, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Create(done, "x.db", games.Default, d.game)
	if want := "database " + d.path + ": another process is using it: try again when that process has ended"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if _, err := d.begin(t.Context(), done); !errors.Is(err, sqlitefile.ErrLocked) {
		t.Errorf("error %v", err)
	}
}

// TestCommitWaits: the end of a transaction waits for those who read.
func TestCommitWaits(t *testing.T) {
	d := two(t)
	other, err := sqlitefile.OpenReading("x.db")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	reading, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := reading.QueryRow("SELECT count(*) FROM games").Scan(&n); err != nil {
		t.Fatal(err)
	}
	ended := time.AfterFunc(300*time.Millisecond, func() { _ = reading.Rollback() })
	defer ended.Stop()
	if err := d.Remove(t.Context(), "a.pgn"); err != nil {
		t.Error(err)
	}
	if err := reading.QueryRow("SELECT 1").Scan(&n); !errors.Is(err, sql.ErrTxDone) {
		t.Errorf("the reader has not ended: %v", err)
	}
}

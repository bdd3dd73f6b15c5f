// Package explore keeps the positions of games in an SQLite database and says what was played in
// them: moves, results, dates, scores.
//
// # Tables
//
// A database holds the games of one game of the registry, with one set of options, in the tables of schema.go. The key
// of a position is engine.Position.Key, which all games compute from fixed numbers, so that it is the same in every
// process. A database remembers a checksum of keys and moves along a line of play, and is refused if another version of
// the program computes others.
//
// plies is a table without row ids: its primary key is all that it has, so the plies of a position are contiguous and
// in the order of their moves. A query reads just those and the rows of their games. Nothing is stored per position, so
// filters cost nothing in advance. The position after the last move has a row with engine.NoMove. A game that comes
// back to a position counts once for each move that it played there.
//
// # Adding
//
// [DB.Add] reads one source after the other. Rows of plies are collected, sorted and inserted in large runs, because
// rows in random order would touch a page of the table each. A transaction ends with a source, after a certain number
// of plies read or a few seconds; several small sources share one. If the process is killed, the sources of the last
// transaction are missing, and adding the same files again adds those only: a source whose size and time, or whose
// digest, are known is skipped. One that has changed replaces its former games. A killed writer leaves a journal that
// the next user of the database applies; there are no other files beside it.
//
// Only main lines are added; the table records has the rest of a game if [AddOptions] want it. A game without moves is
// left out. Of games with the same start and the same moves one stands for all: the one of which most is known, and of
// several that whose source is the first by name. The others are duplicates, with rows in games that name the original,
// and no plies. So what a database answers does not depend on the order in which its sources were added.
package explore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient/sqlitefile"
)

// A DB is an open database. It may be used by several goroutines at once, but only one may write.
type DB struct {
	path  string
	db    *sql.DB
	games games.Table
	game  engine.Game
	made  bool      // by Create
	book  *bookFile // nil: the database is not the book of another program
}

// Create opens a database for writing. A missing file is created.
func Create(ctx context.Context, path string, all games.Table, game engine.Game) (*DB, error) {
	if err := all.RefuseForeign(game); err != nil {
		return nil, err
	}
	path, err := sqlitefile.Resolve(path)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	_, err = os.Stat(path)
	made := errors.Is(err, fs.ErrNotExist)
	db, err := sql.Open("sqlite", sqlitefile.DSN(path, "_txlock=immediate",
		sqlitefile.ShortWait, sqlitefile.Pragma("cache_size", "-65536")))
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	db.SetMaxOpenConns(1) // the cache of pages belongs to a connection
	d := &DB{path: path, db: db, games: all, game: game, made: made}
	if err = sqlitefile.Retry(ctx, patience, func() error {
		if err := kind.Prepare(db, schema); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, laterSchema+`INSERT INTO explorer (id, game, checksum) VALUES (1, ?, ?) ON CONFLICT DO NOTHING`,
			all.Describe(game), checksum(game))
		if err != nil {
			return err
		}
		return d.checkGame(ctx)
	}); err != nil {
		return nil, errors.Join(d.wrap(err), db.Close())
	}
	return d, nil
}

// Open opens a database for reading.
func Open(ctx context.Context, path string, all games.Table, game engine.Game) (*DB, error) {
	if err := all.RefuseForeign(game); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file: 'qhsh explore add -db %s GAMES...' makes it", path, path)
	}
	db, err := sqlitefile.OpenReading(path)
	if err != nil {
		return nil, err
	}
	d := &DB{path: path, db: db, games: all, game: game}
	if err = sqlitefile.Retry(ctx, patience, func() error {
		if err := kind.Check(db); err != nil {
			return err
		}
		return d.checkGame(ctx)
	}); err != nil {
		return nil, errors.Join(d.wrap(err), db.Close())
	}
	return d, nil
}

// Close closes the file. One that Create has made is removed if nothing has come into it.
func (d *DB) Close() error {
	if d.made {
		d.removeEmpty(context.Background())
	}
	return d.wrap(d.db.Close())
}

// removeEmpty removes the file if it has neither games nor scores, and no other process writes them.
// If it cannot be removed it does no harm.
func (d *DB) removeEmpty(ctx context.Context) {
	if sqlitefile.SetWait(ctx, d.db, 0) != nil {
		return
	}
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return
	}
	defer func() { _ = tx.Rollback() }()
	used := true
	err = tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM games) OR EXISTS (SELECT 1 FROM scores)").Scan(&used)
	if err == nil && !used {
		_ = os.Remove(d.path)
	}
}

// Game returns the game whose positions the database holds.
func (d *DB) Game() engine.Game { return d.game }

func (d *DB) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("database %s: %w", d.path, sqlitefile.Explain(err))
}

// each calls f with each row of a query, whose columns are in the variables that to points to.
func each(ctx context.Context, db interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}, to []any, f func() error, query string, args ...any,
) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
		if err := f(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// patience is how long to wait for another process. One that writes has the file for seconds at a time.
const patience = 30 * time.Second

// begin begins a transaction, unless wait is done before another process has unlocked the file. The
// transaction lasts as long as ctx.
func (d *DB) begin(ctx, wait context.Context) (tx *sql.Tx, err error) {
	if err := sqlitefile.SetWait(ctx, d.db, 0); err != nil {
		return nil, err
	}
	err = sqlitefile.Retry(wait, patience, func() error {
		tx, err = d.db.BeginTx(ctx, nil)
		return err
	})
	if err == nil {
		err = sqlitefile.SetWait(ctx, tx, patience) // the end of the transaction waits for those who read
	}
	return tx, err
}

// checkGame returns an error unless the database has positions of the DB's game with the keys that
// this program computes.
func (d *DB) checkGame(ctx context.Context) error {
	var game string
	var sum int64
	if err := d.db.QueryRowContext(ctx, "SELECT game, checksum FROM explorer").Scan(&game, &sum); err != nil {
		return err
	}
	switch {
	case game != d.games.Describe(d.game):
		return fmt.Errorf("it has games of %s, not of %s: use -game", game, d.games.Describe(d.game))
	case sum != checksum(d.game):
		return errors.New("another version of qhsh has written it: add the games to a new database")
	}
	return nil
}

// checksum returns a checksum of the keys and moves along a line of play.
func checksum(game engine.Game) (sum int64) {
	pos := game.Start()
	for ply := range 40 {
		sum = sum*31 + int64(pos.Key())
		moves := pos.Moves()
		if len(moves) == 0 {
			break
		}
		m := moves[ply*7%len(moves)]
		sum = sum*31 + int64(m)
		next, err := pos.Play(m)
		if err != nil {
			break
		}
		pos = next
	}
	return sum
}

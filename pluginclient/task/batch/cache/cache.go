// Package cache keeps the replies of engines between runs in a SQLite file:
//
//	engines (id INTEGER PRIMARY KEY, terms TEXT UNIQUE)
//	answers (engine INTEGER, key BLOB, reply BLOB, sum INTEGER, PRIMARY KEY (engine, key))
//
// The terms are everything that a reply depends on besides its position: the engine and its
// version, its level, the limits. A key is a batch.Key, a reply is encoded by batch.AppendReply. The sum
// is a CRC-32C of terms, key and reply: a row with another one is damaged, and the position is searched
// again. Files of an earlier version, which have no sums, are refused.
// Several processes may use a file concurrently, and any of them may be killed at any time; the
// replies of the last moment are then lost.
//
// Errors are not cached. If the file can no longer be read or written, or stays locked for long,
// the cache prints a warning and the run continues without it. A cancelled run does not wait for
// the lock.
package cache

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"slices"
	"sync"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"qhsh/engine"
	"qhsh/pluginclient/sqlitefile"
	"qhsh/pluginclient/task/batch"
)

// New replies are written in batches of this size, or after this time.
const (
	batchSize  = 500
	writeEvery = 200 * time.Millisecond
)

// lockTimeout is how long to wait for a file that another process has locked.
var lockTimeout = 10 * time.Second

var kind = sqlitefile.Kind{
	ApplicationID: 0x71686361, // "qhca"
	Version:       3,
	ErrForeign:    errors.New("not a qhsh cache"),
}

const tables = `
CREATE TABLE IF NOT EXISTS engines (id INTEGER PRIMARY KEY, terms TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS answers (
	engine INTEGER NOT NULL REFERENCES engines, key BLOB NOT NULL, reply BLOB NOT NULL, sum INTEGER NOT NULL,
	PRIMARY KEY (engine, key)
) WITHOUT ROWID;
`

// ErrDamaged is wrapped by the error of a damaged cache file, which a run can do without.
var ErrDamaged = errors.New("the file is damaged")

// wrap adds ErrDamaged to the error of a damaged file.
func wrap(err error) error {
	if sqlitefile.HasCode(err, sqlite3.SQLITE_CORRUPT) {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// A Cache is an open cache file.
type Cache struct {
	db *sql.DB
}

// Open opens the file or creates it. The error of a damaged one wraps ErrDamaged, here and in Wrap.
func Open(ctx context.Context, path string) (*Cache, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", sqlitefile.DSN(abs, "_txlock=immediate",
		sqlitefile.ShortWait, sqlitefile.Pragma("synchronous", "normal")))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	err = sqlitefile.Retry(ctx, lockTimeout, func() error {
		if err := kind.Prepare(db, tables); err != nil {
			return err
		}
		_, err := db.Exec("PRAGMA journal_mode = WAL") // which the file remembers
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, wrap(err)), db.Close())
	}
	return &Cache{db}, nil
}

// Close closes the file. No Asker of Wrap may be in use.
func (c *Cache) Close() error { return c.db.Close() }

// Wrap puts the cache in front of an Asker, whose answers must depend only on the terms and the
// position. warn is called once if the file becomes unusable. Once ctx has ended, the Asker does
// not wait for the file. With refresh it does not look answers up, and stores new ones in their place.
func (c *Cache) Wrap(ctx context.Context, asker batch.Asker, terms string, refresh bool, warn func(string)) (*Asker, error) {
	f := &Asker{Asker: asker, ctx: ctx, db: c.db, terms: []byte(terms), refresh: refresh}
	err := sqlitefile.Retry(ctx, lockTimeout, func() error {
		if _, err := c.db.Exec("INSERT OR IGNORE INTO engines (terms) VALUES (?)", terms); err != nil {
			return err
		}
		return c.db.QueryRow("SELECT id FROM engines WHERE terms = ?", terms).Scan(&f.engine)
	})
	if err != nil {
		return nil, wrap(err)
	}
	if f.get, err = c.db.Prepare("SELECT reply, sum FROM answers WHERE engine = ? AND key = ?"); err != nil {
		return nil, wrap(err)
	}
	var once sync.Once
	f.failed = func(err error) {
		once.Do(func() { warn(fmt.Sprintf("the cache is not used any more: %v", err)) })
	}
	f.damaged = sync.OnceFunc(func() { warn("the cache is damaged: answers that are not as they were stored are searched again") })
	f.pending, f.written = make(chan answer, batchSize), make(chan struct{})
	go f.write()
	return f, nil
}

// An Asker answers from the cache, or else from the embedded Asker.
type Asker struct {
	batch.Asker
	ctx     context.Context // of the run
	db      *sql.DB
	engine  int64
	terms   []byte
	refresh bool
	get     *sql.Stmt
	failed  func(error)
	damaged func()
	pending chan answer
	written chan struct{} // closed when all new replies are written
}

type answer struct {
	key   batch.Key
	reply []byte
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (f *Asker) sum(a answer) int64 {
	return int64(crc32.Checksum(slices.Concat(f.terms, a.key[:], a.reply), castagnoli))
}

// Ask looks the position up and searches it if it is not cached.
func (f *Asker) Ask(ctx context.Context, pos engine.Position) (batch.Reply, error) {
	key := batch.KeyOf(pos)
	if !f.refresh {
		if reply, ok := f.lookup(ctx, key); ok {
			return reply, nil
		}
	}
	reply, err := f.Asker.Ask(ctx, pos)
	if err == nil && reply.Err == nil {
		select {
		case f.pending <- answer{key, batch.AppendReply(nil, reply)}:
		case <-f.ctx.Done(): // not cached
		}
	}
	return reply, err
}

func (f *Asker) lookup(ctx context.Context, key batch.Key) (batch.Reply, bool) {
	found := answer{key: key}
	var sum any // a damaged one may be anything
	err := sqlitefile.Retry(ctx, lockTimeout, func() error {
		return f.get.QueryRowContext(ctx, f.engine, key[:]).Scan(&found.reply, &sum)
	})
	if err == nil && sum != any(f.sum(found)) {
		f.damaged()
		return batch.Reply{}, false
	}
	if err == nil {
		var reply batch.Reply
		if reply, err = batch.ParseReply(found.reply); err == nil {
			reply.Cached = true
			return reply, true
		}
	}
	if !errors.Is(err, sql.ErrNoRows) && ctx.Err() == nil {
		f.failed(err)
	}
	return batch.Reply{}, false
}

// write writes new replies until pending is closed. After the first failure it discards them.
func (f *Asker) write() {
	defer close(f.written)
	var some []answer
	failed := false
	tick := time.NewTicker(writeEvery)
	defer tick.Stop()
	for open := true; open; {
		full := false
		select {
		case a, ok := <-f.pending:
			if open = ok; ok {
				some = append(some, a)
			}
			full = len(some) >= batchSize
		case <-tick.C:
			full = true
		}
		if (full || !open) && len(some) > 0 {
			if !failed {
				if err := sqlitefile.Retry(f.ctx, lockTimeout, func() error { return f.put(some) }); err != nil {
					f.failed(err)
					failed = true
				}
			}
			some = some[:0]
		}
	}
}

func (f *Asker) put(some []answer) error {
	tx, err := f.db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // which does nothing after a commit
	insert, err := tx.Prepare("INSERT OR REPLACE INTO answers (engine, key, reply, sum) VALUES (?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, a := range some {
		if _, err := insert.Exec(f.engine, a.key[:], a.reply, f.sum(a)); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Close writes the pending replies. Ask must not be called afterwards.
func (f *Asker) Close() error {
	close(f.pending)
	<-f.written
	return f.get.Close()
}

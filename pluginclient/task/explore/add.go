package explore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"qhsh/engine/interruptible"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/records"
)

// maxRows is how many rows of plies are collected before they are sorted and inserted.
const maxRows = 1 << 19

// commitEvery is the time after which a transaction ends with a source. What was read since the last one
// is lost if the process is killed or ctx is done within a source.
const commitEvery = 2 * time.Second

// AddOptions are the options of Add. The functions may be nil.
type AddOptions struct {
	Whole     bool         // keep the records with their tags, comments and variations, also of files that were added without
	OnSource  func(Source) // called after each source
	OnDamaged func(error)  // called with the error of each game that cannot be read to its end

	maxRows     int           // 0: maxRows; tests have shorter transactions
	commitEvery time.Duration // 0: commitEvery
}

// A Source is a file of games.
type Source struct {
	Name       string `json:"source"`
	Games      int    `json:"games"` // including duplicates
	Duplicates int    `json:"duplicates"`
	Damaged    int    `json:"damaged"` // games that could not be read to their end
	Empty      int    `json:"-"`       // games without moves, which were left out
	Known      bool   `json:"-"`       // it was there already and has not changed
}

// Add adds the games of files. lib reads them; names are those by which Remove knows them. A file whose
// size and time are those of a source is not read. If ctx is
// done or an error occurs, the files that were complete at the end of the last transaction need not be
// read again; when ctx is done between two files, that is all of them.
func (d *DB) Add(ctx context.Context, lib *record.Library, names []string, o AddOptions) error {
	o.maxRows, o.commitEvery = cmp.Or(o.maxRows, maxRows), cmp.Or(o.commitEvery, commitEvery)
	a := &adder{DB: d, ctx: ctx, lib: lib, options: o}
	err := a.addAll(names)
	if err != nil && a.tx != nil {
		_ = a.tx.Rollback() // the first error is the cause
	}
	return err
}

// An adder is one call of Add.
type adder struct {
	*DB
	ctx     context.Context
	lib     *record.Library
	options AddOptions

	tx          *sql.Tx // nil between transactions
	findGame    *sql.Stmt
	insertGame  *sql.Stmt
	insertLine  *sql.Stmt
	insertWhole *sql.Stmt
	rows        *rowBuffer
	names       nameCache
	unknown     int64            // id of no name
	stamps      map[string]stamp // of the sources at the beginning, by name
	began       time.Time
	read        int // plies since began, including those of duplicates
}

// A stamp is by what a file is known that has not changed.
type stamp struct{ size, modified int64 } // modified is in nanoseconds since 1970

// settled is how old a file must be before its time tells it from a later version: two versions
// written within a step of the file system's clock have the same time.
const settled = 2 * time.Second

// stampOf returns the stamp of a file; ok is false if it tells nothing.
func stampOf(info fs.FileInfo) (s stamp, ok bool) {
	return stamp{info.Size(), info.ModTime().UnixNano()}, info.Mode().IsRegular() && time.Since(info.ModTime()) > settled
}

func (a *adder) addAll(names []string) error {
	a.stamps = make(map[string]stamp)
	var name string
	var known stamp
	if err := each(a.ctx, a.db, []any{&name, &known.size, &known.modified}, func() error { a.stamps[name] = known; return nil },
		"SELECT name, size, modified FROM sources JOIN stamps USING (source_id) WHERE NOT (? AND "+lacksRecords+")", a.options.Whole); err != nil {
		return a.wrap(err)
	}
	for _, name := range names {
		if a.ctx.Err() != nil {
			return errors.Join(context.Cause(a.ctx), a.commit())
		}
		if err := a.addFile(name); err != nil {
			return err
		}
		if a.read >= a.options.maxRows || time.Since(a.began) >= a.options.commitEvery {
			if err := a.commit(); err != nil {
				return err
			}
		}
	}
	return a.commit()
}

// addFile adds a source, unless it is there already.
func (a *adder) addFile(name string) error {
	source := Source{Name: name, Known: true}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	now, ok := stampOf(info)
	if before, is := a.stamps[name]; !ok || !is || before != now {
		if source, err = a.addChanged(name); err != nil {
			return err
		}
		if ok {
			_, err = a.tx.Exec("INSERT OR REPLACE INTO stamps SELECT source_id, ?, ? FROM sources WHERE name = ?", now.size, now.modified, name)
		}
		if err != nil {
			return a.wrap(err)
		}
	}
	if a.options.OnSource != nil {
		a.options.OnSource(source)
	}
	return nil
}

// addChanged adds a file that may have changed, in place of its former games if its digest is another.
func (a *adder) addChanged(name string) (s Source, err error) {
	file, err := interruptible.Open(a.ctx, name)
	if err != nil {
		return s, err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return s, err
	}
	sum := hash.Sum(nil)
	if err := a.begin(); err != nil {
		return s, a.wrap(err)
	}
	var old int64
	var oldSum []byte
	var incomplete bool
	s.Name = name
	err = a.tx.QueryRow("SELECT source_id, digest, ? AND "+lacksRecords+" FROM sources WHERE name = ?", a.options.Whole, name).Scan(&old, &oldSum, &incomplete)
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return s, a.wrap(err)
	case string(oldSum) == string(sum) && !incomplete:
		s.Known = true
		return s, nil
	default:
		if err = a.rows.flush(); err == nil { // removal looks for the rows of its games
			err = a.removeSource(context.WithoutCancel(a.ctx), a.tx, old)
		}
		if err != nil {
			return s, a.wrap(err)
		}
	}
	id, err := insertID(a.tx.Exec("INSERT INTO sources (name, digest, damaged) VALUES (?, ?, 0)", name, sum))
	if err != nil {
		return s, a.wrap(err)
	}
	if err := a.addGames(id, &s); err != nil {
		return s, err
	}
	_, err = a.tx.Exec("UPDATE sources SET damaged = ? WHERE source_id = ?", s.Damaged, id)
	return s, a.wrap(err)
}

func (a *adder) addGames(source int64, s *Source) error {
	files := records.Files{Library: a.lib, Names: []string{s.Name}, OnDamaged: func(err error) {
		s.Damaged++
		if a.options.OnDamaged != nil {
			a.options.OnDamaged(err)
		}
	}}
	return files.Each(a.ctx, func(_ string, number int, g *record.Game) error {
		if described := a.games.Describe(g.Start.Game()); described != a.games.Describe(a.game) {
			files.OnDamaged(&record.Error{File: s.Name, Game: number, Offset: -1, Err: fmt.Errorf("a game of %s: not added", described)})
			return nil
		}
		if g.Plies() == 0 {
			s.Empty++
			return nil
		}
		p := a.convert(a.lib, g)
		if a.options.Whole {
			p.notes = g.HasNotes()
			var err error
			if p.record, err = a.wholeOf(g, p.notes); err != nil {
				return err
			}
		}
		duplicate, err := a.addGame(source, p, gameCopy{source: s.Name, number: number})
		if err != nil {
			return a.wrap(err)
		}
		s.Games++
		if duplicate {
			s.Duplicates++
		}
		return nil
	})
}

// addGame adds a game of a source, whose name and number are in c, and reports whether it is a duplicate.
func (a *adder) addGame(source int64, p played, c gameCopy) (duplicate bool, err error) {
	a.read += len(p.plies)
	var original gameCopy // of the same game
	err = a.findGame.QueryRow(p.digest).Scan(original.columns()...)
	if duplicate = err == nil; !duplicate && !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	for i, name := range p.names {
		if c.names[i], err = a.names.id(a.tx, name); err != nil {
			return false, err
		}
	}
	c.result, c.date = p.result, p.date
	c.id, err = insertID(a.insertGame.Exec(int(c.result), int(c.date), c.names[0], c.names[1], c.names[2], c.names[3],
		p.length, source, c.number, sql.NullInt64{Int64: original.id, Valid: duplicate}, p.digest))
	if err == nil && p.record != nil {
		_, err = a.insertWhole.Exec(c.id, p.record, p.notes)
	}
	switch {
	case err != nil:
		return false, err
	case duplicate && c.compare(&original, a.unknown) < 0:
		return true, handOver(a.tx, original.id, c.id)
	case duplicate:
		return true, nil
	}
	if _, err := a.insertLine.Exec(c.id, sql.NullString{String: p.start, Valid: p.start != ""}, p.moves); err != nil {
		return false, err
	}
	return false, a.rows.add(p.plies, c.id)
}

// insertID returns the row id of an INSERT.
func insertID(r sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// begin begins a transaction if there is none.
func (a *adder) begin() (err error) {
	if a.tx != nil {
		return nil
	}
	// What is complete when ctx is done is committed.
	if a.tx, err = a.DB.begin(context.WithoutCancel(a.ctx), a.ctx); err != nil {
		return err
	}
	a.rows = &rowBuffer{tx: a.tx, limit: a.options.maxRows}
	for _, s := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&a.findGame, "SELECT " + copyColumns + " FROM games g JOIN sources s USING (source_id) WHERE g.digest = ? AND g.original IS NULL"},
		{&a.insertGame, `INSERT INTO games (result, date, first, second, event, opening, plies, source_id, number, original, digest)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`},
		{&a.insertLine, "INSERT INTO lines (game_id, start, moves) VALUES (?, ?, ?)"},
		{&a.insertWhole, "INSERT INTO records (game_id, record, notes) VALUES (?, ?, ?)"},
		{&a.rows.many, insertPlies(rowsAtOnce)},
	} {
		if *s.stmt, err = a.tx.Prepare(s.text); err != nil {
			return err
		}
	}
	a.began, a.read = time.Now(), 0
	a.names = nameCache{}
	a.unknown, err = a.names.id(a.tx, "")
	return err
}

// commit ends the transaction, if there is one.
func (a *adder) commit() error {
	if a.tx == nil {
		return nil
	}
	if err := a.rows.flush(); err != nil {
		return a.wrap(err)
	}
	err := a.tx.Commit()
	a.tx = nil
	return a.wrap(err)
}

// A nameCache has ids of the table names.
type nameCache map[string]int64

// id returns the id of a name, which is added if it is new.
func (c nameCache) id(tx *sql.Tx, name string) (int64, error) {
	if id, ok := c[name]; ok {
		return id, nil
	}
	if _, err := tx.Exec("INSERT INTO names (name) VALUES (?) ON CONFLICT DO NOTHING", name); err != nil {
		return 0, err
	}
	var id int64
	err := tx.QueryRow("SELECT name_id FROM names WHERE name = ?", name).Scan(&id)
	if err == nil {
		c[name] = id
	}
	return id, err
}

// rowsAtOnce is how many rows one statement inserts: calls of the database cost more than rows.
const rowsAtOnce = 100

// A row is a row of the table plies.
type row struct {
	ply
	game int64
}

// A rowBuffer collects rows of plies in a transaction, and inserts them in the order of the table.
type rowBuffer struct {
	rows  []row
	limit int // how many are collected
	tx    *sql.Tx
	many  *sql.Stmt // inserts rowsAtOnce
	args  []any
}

// insertPlies returns the statement that inserts so many rows. A position that occurs again in a game is
// ignored.
func insertPlies(rows int) string {
	return "INSERT OR IGNORE INTO plies (key, move, game) VALUES (?, ?, ?)" + strings.Repeat(", (?, ?, ?)", rows-1)
}

func (b *rowBuffer) add(plies []ply, game int64) error {
	for _, p := range plies {
		b.rows = append(b.rows, row{p, game})
	}
	if len(b.rows) < b.limit {
		return nil
	}
	return b.flush()
}

// flush inserts all rows.
func (b *rowBuffer) flush() error {
	slices.SortFunc(b.rows, func(x, y row) int {
		return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.move, y.move), cmp.Compare(x.game, y.game))
	})
	for rows := range slices.Chunk(b.rows, rowsAtOnce) {
		b.args = b.args[:0]
		for _, r := range rows {
			b.args = append(b.args, r.key, r.move, r.game)
		}
		var err error
		if len(rows) == rowsAtOnce {
			_, err = b.many.Exec(b.args...)
		} else {
			_, err = b.tx.Exec(insertPlies(len(rows)), b.args...)
		}
		if err != nil {
			return err
		}
	}
	b.rows = b.rows[:0]
	return nil
}

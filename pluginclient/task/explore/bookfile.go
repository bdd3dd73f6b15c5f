package explore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/interruptible"
	"qhsh/pluginclient/sqlitefile"
)

// OpenBook opens a database as Open does, or the opening book of another program, of which only Query, Book.Choose,
// WriteBook and AddBook know. Its index may be nil for a single query.
func OpenBook(ctx context.Context, path string, all games.Table, game engine.Game, index *BookIndex) (*DB, error) {
	d, err := Open(ctx, path, all, game)
	if !errors.Is(err, kind.ErrForeign) {
		return d, err
	}
	db, openErr := sqlitefile.OpenReading(path)
	if openErr != nil {
		return nil, openErr
	}
	d = &DB{path: path, db: db, games: all, game: game}
	for _, format := range all.Row(game).Books {
		book := &bookFile{format: format, index: index}
		found, err := book.check(ctx, db)
		if found && err == nil && index != nil {
			err = index.update(ctx, d, book)
		}
		switch {
		case err != nil:
			return nil, errors.Join(d.wrap(err), db.Close())
		case found:
			d.book = book
			return d, nil
		}
	}
	return nil, errors.Join(err, db.Close())
}

// Foreign reports whether d is the opening book of another program.
func (d *DB) Foreign() bool { return d.book != nil }

type bookFile struct {
	format games.BookFormat
	index  *BookIndex // nil: the whole file is searched
}

// check reports whether a file has the format's tables; the error says what else is wrong with it.
func (b *bookFile) check(ctx context.Context, db *sql.DB) (found bool, err error) {
	count, tables := 0, []string{b.format.Table}
	if b.format.Facts != nil {
		tables = append(tables, "information")
	}
	for _, table := range tables {
		err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND lower(name) = lower(?)", table).Scan(&count)
		if err != nil || count == 0 {
			return false, err
		}
	}
	for _, column := range b.columns() {
		err := db.QueryRowContext(ctx, "SELECT count(*) FROM pragma_table_info(?) WHERE lower(name) = ?", b.format.Table, column).Scan(&count)
		switch {
		case err != nil:
			return true, err
		case count == 0:
			return true, fmt.Errorf("the table %s has no column %s", b.format.Table, column)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.format.Facts)) {
		var got string
		err := db.QueryRowContext(ctx, "SELECT CAST(value AS TEXT) FROM information WHERE name = ?", name).Scan(&got)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return true, fmt.Errorf("the table information does not tell the %s of the book", name)
		case err != nil:
			return true, err
		case got != b.format.Facts[name]:
			return true, fmt.Errorf("the %s of the book is %.20q, not %s", name, got, b.format.Facts[name])
		}
	}
	return true, nil
}

// columns returns the names of the columns key, move, score, win, draw, lost and valid.
func (b *bookFile) columns() []string {
	columns := []string{"key", "move", "score", "win", "draw", "lost", "valid"}
	for i := range columns {
		columns[i] = b.format.Columns + columns[i]
	}
	return columns
}

// query returns the valid rows of the book with a condition. A + keeps SQLite from the file's indexes: those of books
// that other programs have written do not always find what is there.
func (b *bookFile) query(condition string) string {
	c := b.columns()
	return fmt.Sprintf("SELECT rowid, %s FROM %s WHERE %s = 1 AND %s", strings.Join(c[:6], ", "), b.format.Table, c[6],
		strings.ReplaceAll(condition, "KEY", "+"+c[0]))
}

func (b *bookFile) insert() string {
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (?, ?, ?, ?, ?, ?, 1)", b.format.Table, strings.Join(b.columns(), ", "))
}

// MaxBookScore is the highest score in a book of another program.
const MaxBookScore = 1_000_000_000

type bookRow struct {
	id              int64
	key             any
	move, score     any
	win, draw, lost any
}

func (r *bookRow) columns() []any {
	return []any{&r.id, &r.key, &r.move, &r.score, &r.win, &r.draw, &r.lost}
}

// numbers returns the numbers in the row. A column without a value is 0.
func (r *bookRow) numbers() (move int64, score engine.Score, counts Counts, err error) {
	values := [5]int64{}
	for i, value := range []any{r.move, r.score, r.win, r.draw, r.lost} {
		name, least := [...]string{"move", "score", "win", "draw", "lost"}[i], int64(0)
		if name == "score" {
			least = -MaxBookScore
		}
		switch value := value.(type) {
		case nil:
		case int64:
			values[i] = value
		case float64:
			values[i] = int64(value)
			if float64(values[i]) != value {
				return 0, score, counts, fmt.Errorf("row %d: %s is %v, not an integer", r.id, name, value)
			}
		default:
			return 0, score, counts, fmt.Errorf("row %d: %s is not a number", r.id, name)
		}
		if values[i] < least || values[i] > MaxBookScore {
			return 0, score, counts, fmt.Errorf("row %d: %s is %d", r.id, name, values[i])
		}
	}
	counts = Counts{Wins: int(values[2]), Draws: int(values[3]), Losses: int(values[4])}
	counts.Games = counts.Wins + counts.Draws + counts.Losses
	return values[0], engine.Centipawns(int(values[1])), counts, nil
}

// queryBook is Query in the book of another program. The moves of the mirror image are those of the position, unless
// the position has them itself, and so is the row with the highest score if a move has several.
func (d *DB) queryBook(ctx context.Context, pos engine.Position) (*Report, error) {
	places := d.book.format.Places(pos)
	type found struct {
		MoveReport
		place int
	}
	var moves []found
	var row bookRow
	err := d.eachRow(ctx, places, &row, func(i int) error {
		stored, score, counts, err := row.numbers()
		if m := places[i].Move(stored); err == nil && m != engine.NoMove {
			moves = append(moves, found{MoveReport{Move: m, Counts: counts, Score: &Score{Score: score, Engine: filepath.Base(d.path)}}, i})
		}
		return err
	})
	if err != nil {
		return nil, d.wrap(err)
	}
	slices.SortStableFunc(moves, func(a, b found) int {
		return cmp.Or(a.place-b.place, b.Score.Compare(a.Score.Score))
	})
	r := &Report{Position: pos}
	for _, m := range moves {
		if !slices.ContainsFunc(r.Moves, func(other MoveReport) bool { return other.Move == m.Move }) {
			r.Moves, r.Counts = append(r.Moves, m.MoveReport), r.Counts.plus(m.Counts)
		}
	}
	slices.SortStableFunc(r.Moves, func(a, b MoveReport) int { return b.Score.Compare(a.Score.Score) })
	return r, nil
}

// eachRow calls f with the row that is read into row and the index of its place, for each row of places in a book.
func (d *DB) eachRow(ctx context.Context, places []games.BookPlace, row *bookRow, f func(place int) error) error {
	read := func() error {
		numbers := d.book.format.Numbers(row.key)
		for i, place := range places {
			if slices.Contains(numbers, place.Number) {
				if err := f(i); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if ids, ok := d.book.index.find(places); ok {
		for _, id := range ids {
			if err := each(ctx, d.db, row.columns(), read, d.book.query("rowid = ?"), id); err != nil {
				return err
			}
		}
		return nil
	}
	var keys []any
	for _, place := range places {
		keys = append(keys, place.Keys...)
	}
	return each(ctx, d.db, row.columns(), read, d.book.query("KEY IN (?"+strings.Repeat(", ?", len(keys)-1)+")"), keys...)
}

// chooseScored is Choose in the book of another program: one of the moves with the highest score.
func (b Book) chooseScored(ctx context.Context, pos engine.Position, ban []engine.Move) (engine.Move, error) {
	r, err := b.queryBook(ctx, pos)
	if err != nil {
		return engine.NoMove, err
	}
	moves := slices.DeleteFunc(r.Moves, func(m MoveReport) bool { return slices.Contains(ban, m.Move) })
	if len(moves) == 0 {
		return engine.NoMove, nil
	}
	best := 1
	for best < len(moves) && moves[best].Score.Compare(moves[0].Score.Score) == 0 {
		best++
	}
	return moves[rand.New(rand.NewPCG(b.Seed, pos.Key())).IntN(best)].Move, nil
}

// SetScore sets the score of a move in a position in the file of a book of another program. A move that the book does
// not have is added.
func (d *DB) SetScore(ctx context.Context, pos engine.Position, m engine.Move, score int) error {
	if d.book == nil {
		return d.wrap(errors.New("scores are set in books of other programs: those of a database are of 'qhsh explore score'"))
	}
	places := d.book.format.Places(pos)
	var ids []int64
	var row bookRow
	err := d.eachRow(ctx, places, &row, func(i int) error {
		stored, _, _, err := row.numbers()
		if err == nil && places[i].Move(stored) == m {
			ids = append(ids, row.id)
		}
		return err
	})
	if err != nil {
		return d.wrap(err)
	}
	path, err := sqlitefile.Resolve(d.path)
	if err != nil {
		return d.wrap(err)
	}
	db, err := sql.Open("sqlite", sqlitefile.DSN(path, "mode=rw", "_txlock=immediate", sqlitefile.ShortWait))
	if err != nil {
		return d.wrap(err)
	}
	err = sqlitefile.Retry(ctx, patience, func() error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }() // which does nothing after a commit
		for _, id := range ids {
			if _, err := tx.ExecContext(ctx, fmt.Sprintf("UPDATE %s SET %sscore = ? WHERE rowid = ?", d.book.format.Table, d.book.format.Columns), score, id); err != nil {
				return err
			}
		}
		if len(ids) == 0 {
			if _, err := tx.ExecContext(ctx, d.book.insert(), places[0].Keys[0], places[0].Stored(m), score, 0, 0, 0); err != nil {
				return err
			}
		}
		return tx.Commit()
	})
	return d.wrap(errors.Join(err, db.Close()))
}

// A BookIndex says where the positions of the book of another program are in its file. It is made when the book is
// opened, unless the file is the same as before. It may be used by several goroutines at once.
type BookIndex struct {
	mu   sync.Mutex
	info os.FileInfo // of the file when the index was made; nil: it was not
	rows []indexedRow
}

// An indexedRow is a row of a book. One whose key may mean several positions is there more than once.
type indexedRow struct {
	number uint64 // of the position's place
	row    uint32
}

// maxIndexed is how many rows an index may have, so that it has no more than 256 MB. Larger books are searched.
const maxIndexed = 16 << 20

// update makes the index of the file, unless it has it.
func (x *BookIndex) update(ctx context.Context, d *DB, b *bookFile) error {
	info, err := os.Stat(d.path)
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.info != nil && os.SameFile(x.info, info) && x.info.Size() == info.Size() && x.info.ModTime().Equal(info.ModTime()) {
		return nil
	}
	var rows []indexedRow
	var row bookRow
	tooMany := errors.New("too many rows")
	err = each(ctx, d.db, row.columns(), func() error {
		for _, n := range b.format.Numbers(row.key) {
			rows = append(rows, indexedRow{n, uint32(row.id)})
		}
		if len(rows) > maxIndexed || row.id < 0 || row.id > 1<<32-1 {
			return tooMany
		}
		return nil
	}, b.query("true"))
	switch {
	case err == tooMany:
		rows = nil
	case err != nil:
		return err
	case rows == nil:
		rows = []indexedRow{}
	}
	slices.SortFunc(rows, func(a, b indexedRow) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.row, b.row))
	})
	x.info, x.rows = info, rows
	return nil
}

// find returns the rows of places; ok is false if there is no index.
func (x *BookIndex) find(places []games.BookPlace) (ids []int64, ok bool) {
	if x == nil {
		return nil, false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, place := range places {
		i, _ := slices.BinarySearchFunc(x.rows, place.Number, func(r indexedRow, n uint64) int { return cmp.Compare(r.number, n) })
		for ; i < len(x.rows) && x.rows[i].number == place.Number; i++ {
			ids = append(ids, int64(x.rows[i].row))
		}
	}
	return ids, x.rows != nil
}

// eachReached calls f with the report on each position that is reached from pos by moves of the database, or the book,
// that were played in least games or have a score.
func (d *DB) eachReached(ctx context.Context, pos engine.Position, least int, key func(engine.Position) uint64, f func(*Report) error) error {
	seen := map[uint64]bool{key(pos): true}
	for left := []engine.Position{pos}; len(left) > 0; {
		pos := left[len(left)-1]
		left = left[:len(left)-1]
		r, err := d.Query(ctx, pos, Filter{Mirror: true}) // of a position and its mirror image one is reached
		if err != nil {
			return err
		}
		if d.book == nil {
			if err := d.addUnplayed(ctx, r); err != nil {
				return err
			}
		}
		r.Moves = slices.DeleteFunc(r.Moves, func(m MoveReport) bool { return m.Score == nil && m.Games < least })
		if err := f(r); err != nil {
			return err
		}
		for _, m := range slices.Backward(r.Moves) {
			next, err := pos.Play(m.Move)
			if err != nil {
				return err
			}
			if k := key(next); !seen[k] {
				seen[k] = true
				left = append(left, next)
			}
		}
	}
	return nil
}

// WriteBook writes the moves of the positions that are reached from pos as a book of another program, those of a
// database if they have a score or were played in least games. It returns the numbers of positions and moves.
func (d *DB) WriteBook(ctx context.Context, w io.Writer, format games.BookFormat, pos engine.Position, least int) (positions, moves int, err error) {
	dir, err := os.MkdirTemp("", "qhsh-book-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "book")
	db, err := sql.Open("sqlite", sqlitefile.DSN(path, sqlitefile.Pragma("journal_mode", "off"), sqlitefile.Pragma("synchronous", "off")))
	if err != nil {
		return 0, 0, err
	}
	db.SetMaxOpenConns(1)
	if positions, moves, err = d.fill(ctx, db, format, pos, least); err != nil {
		return 0, 0, errors.Join(err, db.Close())
	}
	if err := db.Close(); err != nil {
		return 0, 0, err
	}
	file, err := interruptible.Open(ctx, path)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	_, err = io.Copy(w, file)
	return positions, moves, err
}

// fill writes a book into an empty file.
func (d *DB) fill(ctx context.Context, db *sql.DB, format games.BookFormat, pos engine.Position, least int) (positions, moves int, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = tx.Rollback() }() // which does nothing after a commit
	if _, err := tx.ExecContext(ctx, format.Schema); err != nil {
		return 0, 0, err
	}
	insert, err := tx.PrepareContext(ctx, (&bookFile{format: format}).insert())
	if err != nil {
		return 0, 0, err
	}
	err = d.eachReached(ctx, pos, least, func(p engine.Position) uint64 {
		n := uint64(1<<64 - 1)
		for _, place := range format.Places(p) {
			n = min(n, place.Number)
		}
		return n
	}, func(r *Report) error {
		if len(r.Moves) > 0 {
			positions++
		}
		place := format.Places(r.Position)[0]
		for _, m := range r.Moves {
			moves++
			if _, err := insert.ExecContext(ctx, place.Keys[0], place.Stored(m.Move), bookScore(m.Score), m.Wins, m.Draws, m.Losses); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	return positions, moves, tx.Commit()
}

// bookMate is the score of a mate in books of other programs, less the number of moves.
const bookMate = 30000

// bookScore returns a score as a number; 0 if there is none.
func bookScore(s *Score) int {
	if s == nil {
		return 0
	}
	j := s.JSON()
	switch {
	case j.CP != nil:
		return *j.CP
	case j.Mate == nil:
		return 0
	case *j.Mate < 0:
		return -bookMate - *j.Mate
	}
	return bookMate - *j.Mate
}

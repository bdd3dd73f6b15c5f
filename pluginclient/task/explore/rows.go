package explore

import (
	"cmp"
	"database/sql"
	"slices"
	"strings"
)

// rowsAtOnce is how many rows one statement inserts: calls of the database cost more than rows.
const rowsAtOnce = 100

// A row is a row of the table plies.
type row struct {
	ply
	game int64
}

// A rowBuffer collects rows of plies in a transaction, and inserts them in the order of the table.
type rowBuffer struct {
	rows      []row
	limit     int       // how many are collected
	one, many *sql.Stmt // of one row and of rowsAtOnce
	args      []any
}

func newRowBuffer(tx *sql.Tx, limit int) (b *rowBuffer, err error) {
	// A position that occurs again in a game is ignored.
	const insert, values = "INSERT OR IGNORE INTO plies (key, move, game) VALUES ", "(?, ?, ?)"
	b = &rowBuffer{limit: limit}
	if b.one, err = tx.Prepare(insert + values); err != nil {
		return nil, err
	}
	b.many, err = tx.Prepare(insert + values + strings.Repeat(", "+values, rowsAtOnce-1))
	return b, err
}

// add adds the plies of a game.
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
	rest := b.rows
	for len(rest) >= rowsAtOnce {
		if err := b.exec(b.many, rest[:rowsAtOnce]); err != nil {
			return err
		}
		rest = rest[rowsAtOnce:]
	}
	for i := range rest {
		if err := b.exec(b.one, rest[i:i+1]); err != nil {
			return err
		}
	}
	b.rows = b.rows[:0]
	return nil
}

func (b *rowBuffer) exec(stmt *sql.Stmt, rows []row) error {
	b.args = b.args[:0]
	for _, r := range rows {
		b.args = append(b.args, r.key, r.move, r.game)
	}
	_, err := stmt.Exec(b.args...)
	return err
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"qhsh/engine/record"
	"qhsh/pluginclient/sqlitefile"
	"qhsh/pluginclient/task/batch"
)

// positionRow returns the arguments of insertPosition. SQLite converts the numbers among the cells.
func positionRow(id int, a batch.Answer) []any {
	columns, cells := batch.AnswerColumns(), batch.AnswerCells(a)
	var input, position any
	if a.Pos == nil {
		input, cells[slices.Index(columns, "fen")] = a.Input, ""
	} else {
		position = a.Pos.String()
	}
	row := append([]any{id, 1, input, position}, values(cells)...)
	if i := slices.Index(columns, "solved"); cells[i] != "" {
		row[len(row)-len(cells)+i] = cells[i] == "true"
	}
	return row
}

// values returns texts as values of SQL: an empty one is NULL.
func values(cells []string) []any {
	values := make([]any, len(cells))
	for i, cell := range cells {
		if cell != "" {
			values[i] = strings.ToValidUTF8(cell, "\ufffd")
		}
	}
	return values
}

// Answers returns the answers in a database, in the order in which they were written. They have no
// Pos, and their errors are plain strings.
func Answers(path string) iter.Seq2[batch.Answer, error] {
	return func(yield func(batch.Answer, error) bool) {
		db, err := sqlitefile.OpenReading(path)
		if err != nil {
			yield(batch.Answer{}, err)
			return
		}
		defer db.Close()
		if err = kind.Check(db); err == nil {
			err = each(db, func(a batch.Answer) bool { return yield(a, nil) })
		}
		if err != nil {
			yield(batch.Answer{}, fmt.Errorf("database %s: %w", path, sqlitefile.Explain(err)))
		}
	}
}

// each reads the rows of selectAnswers. It reports no error after yield has returned false.
func each(db *sql.DB, yield func(batch.Answer) bool) error {
	header := append(batch.AnswerColumns(), batch.HintColumns()...)
	columns, err := batch.NewCSVColumns(header)
	if err != nil {
		return err
	}
	rows, err := db.Query(selectAnswers)
	if err != nil {
		return err
	}
	defer rows.Close()
	var id int
	var isBad bool
	to, cells := []any{&id, &isBad}, make([]string, len(header))
	for i := range cells {
		to = append(to, &cells[i])
	}
	var now batch.Answer
	for last := 0; rows.Next(); last = id {
		if err := rows.Scan(to...); err != nil {
			return err
		}
		a, err := columns.Decode(cells)
		if err != nil {
			return err
		}
		if !isBad && a.Item.Err != nil { // a position of chance: nobody was asked either
			a.Text, a.Input, a.Item.Err = a.Input, "", nil
		}
		switch {
		case id != last && last != 0 && !yield(now):
			return nil
		case id != last:
			now = a
		case len(now.Hints) == record.MaxValues:
			return fmt.Errorf("position %d has more than %d hints", id, record.MaxValues)
		default:
			now.Hints = append(now.Hints, a.Hints...)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if id != 0 {
		yield(now)
	}
	return nil
}

// Merge combines the databases of all shards, in order, into that of an undivided run. It must be
// finished by the caller.
func Merge(ctx context.Context, path string, parts []string) (*DB, error) {
	d, err := Create(path, Run{})
	if err != nil {
		return nil, err
	}
	if _, err = d.db.ExecContext(ctx, "DELETE FROM runs"); err != nil {
		err = d.wrap(err)
	}
	for i, part := range parts {
		if err == nil {
			err = d.mergePart(ctx, part, i, len(parts))
		}
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// mergePart copies the answers of a part, and from the first part the run's row.
func (d *DB) mergePart(ctx context.Context, part string, index, of int) error {
	path, err := sqlitefile.Resolve(part)
	if err == nil {
		err = checkPart(path)
	}
	if err == nil {
		_, err = d.db.ExecContext(ctx, "ATTACH ? AS part", sqlitefile.DSN(path, "mode=ro"))
	}
	if err != nil {
		return fmt.Errorf("database %s: %w", part, err)
	}
	if index == 0 {
		_, err = d.db.ExecContext(ctx, "INSERT INTO runs SELECT * FROM part.runs")
	}
	for _, table := range []string{"positions", "hints"} {
		if err == nil {
			err = d.mergeRows(ctx, table, index, of)
		}
	}
	if err != nil {
		err = fmt.Errorf("database %s: %w", part, err)
	}
	_, detachErr := d.db.Exec("DETACH part")
	return errors.Join(err, detachErr)
}

func checkPart(path string) error {
	db, err := sqlitefile.OpenReading(path)
	if err != nil {
		return err
	}
	return errors.Join(kind.Check(db), db.Close())
}

// mergeRows copies a table's rows. Position ids are those of the whole input.
func (d *DB) mergeRows(ctx context.Context, table string, index, of int) error {
	var columns string // other than position_id, each preceded by a comma
	err := d.db.QueryRow("SELECT group_concat(', ' || name, '') FROM pragma_table_info(?) WHERE name <> 'position_id'", table).Scan(&columns)
	if err != nil {
		return err
	}
	_, err = d.db.ExecContext(ctx, fmt.Sprintf("INSERT INTO %s (position_id%s) SELECT (position_id - 1) * ? + ?%s FROM part.%s",
		table, columns, columns, table), of, index+1)
	return err
}

package store

import (
	"database/sql"
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
	if a.IsBad() {
		input, cells[slices.Index(columns, "fen")] = a.Input, ""
	} else {
		position = a.Position()
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
	var position string
	to, cells := []any{&id, &isBad, &position}, make([]string, len(header))
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
		a.After = position
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

package input

import (
	"fmt"
	"io"
	"slices"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// table is a source with a position per row. Besides the column of positions it reads those named
// like the JSON keys id, moves, bm, am and ops, so the tables of 'qhsh hints' can be read back.
// Other columns are the position's fields, see [batch.Fields]; in a table of answers only the
// fields' columns are.
type table struct {
	game         engine.Game
	label        string
	rows         *CSVReader
	fen          int
	more         [5]int            // id, moves, bm, am, ops; -1: no such column
	fieldColumns []int             // the other columns
	answer       *batch.CSVColumns // nil: not a table of answers
}

func newTable(game engine.Game, r io.Reader, o Options) (*table, error) {
	rows, err := NewCSVReader(r, o.Column)
	if err != nil {
		return nil, err
	}
	t := &table{game: game, label: o.Label, rows: rows, fen: rows.column(o.Column)}
	for i, name := range []string{"id", "moves", "bm", "am", "ops"} {
		t.more[i] = slices.Index(rows.Header(), name)
	}
	if t.answer, err = batch.NewCSVColumns(rows.Header()); err == nil {
		return t, nil
	}
	t.answer = nil
	for i := range rows.Header() {
		if i != t.fen && !slices.Contains(t.more[:], i) {
			t.fieldColumns = append(t.fieldColumns, i)
		}
	}
	return t, nil
}

func (t *table) Next() (batch.Item, error) {
	if err := t.rows.Next(); err != nil {
		return batch.Item{}, err
	}
	item := t.item()
	item.File, item.Line = t.label, t.rows.Line
	return item, nil
}

func (t *table) item() batch.Item {
	bad := batch.Item{Input: batch.Excerpt(t.rows.Raw), Err: t.rows.RowErr}
	if bad.Err != nil {
		return bad
	}
	own, err := t.fields()
	bad.ID, bad.IDNumber, bad.Fields = own.ID, own.IDNumber, own.Fields
	if n := len(t.rows.Cells); n <= t.fen {
		err = fmt.Errorf("missing column %d, the position: the row has %d", t.fen+1, n)
	}
	if err != nil {
		bad.Err = err
		return bad
	}
	return batch.Record{
		Text: t.cell(t.fen), Moves: batch.SplitMoves(t.cell(t.more[1])),
		BM: batch.SplitMoves(t.cell(t.more[2])), AM: batch.SplitMoves(t.cell(t.more[3])),
		Ops: batch.ParseOps(t.cell(t.more[4])),
		ID:  own.ID, IDNumber: own.IDNumber, Fields: own.Fields,
	}.Item(t.game)
}

// fields returns an Item with the ID and the fields of a row.
func (t *table) fields() (i batch.Item, err error) {
	if t.answer != nil {
		return t.answer.Fields(t.rows.Cells)
	}
	i.ID = t.cell(t.more[0])
	for _, column := range t.fieldColumns {
		i.Fields = append(i.Fields, batch.TextField(t.rows.Header()[column], t.cell(column)))
	}
	return i, nil
}

func (t *table) cell(column int) string {
	if column < 0 || column >= len(t.rows.Cells) {
		return ""
	}
	return t.rows.Cells[column]
}

func (t *table) Skip(n int) (passed int, err error) {
	for passed < n {
		if err := t.rows.Next(); err != nil {
			return passed, err
		}
		passed++
	}
	return passed, nil
}

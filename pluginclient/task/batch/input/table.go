package input

import (
	"fmt"
	"io"
	"slices"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// table is a source with a position in each row of a table. Beside the column with the
// positions, those with the names of the JSON keys are read: id, moves, bm, am and ops.
// So the tables that 'qhsh hints' writes can be read back. The other columns of a table that
// it has not written are kept as operations of EPD, see others.
type table struct {
	game  engine.Game
	label string
	rows  *Records
	fen   int
	more  [5]int // id, moves, bm, am, ops; -1: there is none
	kept  []int  // the other columns
}

func newTable(game engine.Game, r io.Reader, o Options) (*table, error) {
	rows, err := NewRecords(r, o.Column)
	if err != nil {
		return nil, err
	}
	t := &table{game: game, label: o.Label, rows: rows, fen: rows.column(o.Column)}
	for i, name := range []string{"id", "moves", "bm", "am", "ops"} {
		t.more[i] = slices.Index(rows.Header(), name)
	}
	if _, err := batch.NewCSVColumns(rows.Header()); err == nil {
		return t, nil
	}
	for i := range rows.Header() {
		if i != t.fen && !slices.Contains(t.more[:], i) {
			t.kept = append(t.kept, i)
		}
	}
	return t, nil
}

func (t *table) Next() (batch.Item, error) {
	if err := t.rows.Next(); err != nil {
		return batch.Item{}, err
	}
	item := t.item()
	item.File, item.Line, item.Input = t.label, t.rows.Line, batch.Excerpt(t.rows.Raw)
	return item, nil
}

func (t *table) item() batch.Item {
	if t.rows.Bad != nil {
		return batch.Item{Err: t.rows.Bad}
	}
	if n := len(t.rows.Cells); n <= t.fen {
		return batch.Item{Err: fmt.Errorf("column %d of %d is missing, where the position should stand", t.fen+1, n)}
	}
	return batch.Record{
		Text: t.cell(t.fen), ID: t.cell(t.more[0]), Moves: batch.SplitMoves(t.cell(t.more[1])),
		BM: batch.SplitMoves(t.cell(t.more[2])), AM: batch.SplitMoves(t.cell(t.more[3])),
		Ops: append(batch.ParseOps(t.cell(t.more[4])), t.others()...),
	}.Item(t.game)
}

func (t *table) others() []batch.Op {
	var o others
	for _, column := range t.kept {
		o.addCell(t.rows.Header()[column], t.cell(column))
	}
	return o.ops
}

func (t *table) cell(column int) string {
	if column < 0 || column >= len(t.rows.Cells) {
		return ""
	}
	return t.rows.Cells[column]
}

func (t *table) Pass(n int) (passed int, err error) {
	for passed < n {
		if err := t.rows.Next(); err != nil {
			return passed, err
		}
		passed++
	}
	return passed, nil
}

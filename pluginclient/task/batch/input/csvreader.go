package input

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// Limits of a quoted row.
const (
	maxRowLines = 100
	maxRowBytes = 64 << 10
)

var errOpenQuote = fmt.Errorf("a quote is not closed within %d lines or %d bytes", maxRowLines, maxRowBytes)

// CSVReader reads the rows of a table, CSV as in RFC 4180. It is more lenient than encoding/csv,
// where a misplaced quote consumes the rest of the file: an unterminated quote costs one row, and
// reading resumes on the next line. Within an unquoted cell a quote is an ordinary character. Blank
// lines are skipped.
type CSVReader struct {
	Line   int      // on which the latest row begins, from 1
	Cells  []string // of the latest row
	Raw    string   // its text, or the beginning
	RowErr error    // why the latest row is bad
	Header []string // the column names

	in      *batch.LineReader
	comma   byte
	pending []physicalLine // lines to be read again
}

type physicalLine struct {
	number int
	text   string
	bad    error
}

// separators are the possible separators. A table uses the first one with which its header has the
// wanted column.
var separators = []byte{',', ';', '\t'}

// NewCSVReader reads the header of a table, which must have the column, if one is named; the error lists
// the columns it has.
func NewCSVReader(r io.Reader, column string) (*CSVReader, error) {
	rec := &CSVReader{in: batch.NewLineReader(r)}
	line, err := rec.line()
	for err == nil && strings.TrimSpace(line.text) == "" {
		line, err = rec.line()
	}
	switch {
	case err == io.EOF:
		return nil, errors.New("empty file: want a header with column names")
	case err != nil:
		return nil, err
	case line.bad != nil:
		return nil, fmt.Errorf("line %d: %w", line.number, line.bad)
	}
	rec.comma, rec.Header = findSeparator(line.text, column)
	if column != "" && rec.column(column) < 0 {
		return nil, fmt.Errorf("line %d, which is the header of a table, has no column %q, but %s: name the column of positions",
			line.number, column, batch.Excerpt(strings.Join(rec.Header, ", ")))
	}
	for i, name := range rec.Header {
		if first := slices.Index(rec.Header, name); first < i {
			return nil, fmt.Errorf("line %d, which is the header of a table, has two columns %q (%d and %d): rename one", line.number, name, first+1, i+1)
		}
	}
	return rec, nil
}

func findSeparator(line, column string) (comma byte, header []string) {
	for _, s := range separators {
		cells := headerCells(line, s)
		if column != "" && columnOf(cells, column) >= 0 {
			return s, cells
		}
		if len(cells) > len(header) {
			comma, header = s, cells
		}
	}
	return comma, header
}

func headerCells(line string, comma byte) []string {
	cells, _, _ := splitRow(line, comma)
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return trimEmpty(cells, 0)
}

// trimEmpty removes empty cells from the end, down to least: spreadsheets write rows of one length.
func trimEmpty(cells []string, least int) []string {
	for len(cells) > least && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	return cells
}

// isHeader reports whether a line is a header that has the column. A single word can be one.
func isHeader(line, column string) bool {
	_, header := findSeparator(line, column)
	return columnOf(header, column) >= 0
}

func (r *CSVReader) column(name string) int { return columnOf(r.Header, name) }

// columnOf returns the index of a name, preferring an exact match over one in another case, or -1.
func columnOf(header []string, name string) int {
	if i := slices.Index(header, name); i >= 0 {
		return i
	}
	return slices.IndexFunc(header, func(cell string) bool { return strings.EqualFold(cell, name) })
}

// Next reads the next row. It returns io.EOF after the last one.
func (r *CSVReader) Next() error {
	for {
		line, err := r.line()
		if err != nil {
			return err
		}
		if strings.TrimSpace(line.text) == "" && line.bad == nil {
			continue
		}
		r.Line, r.Raw, r.RowErr, r.Cells = line.number, line.text, line.bad, nil
		if r.RowErr != nil {
			return nil
		}
		cells, open, err := splitRow(line.text, r.comma)
		if open {
			return r.multilineRow(line)
		}
		cells = trimEmpty(cells, len(r.Header))
		if err == nil && len(cells) > len(r.Header) {
			err = fmt.Errorf("%d cells, but the header has %d: quote a cell that holds the separator %q", len(cells), len(r.Header), r.comma)
		}
		r.Cells, r.RowErr = cells, err
		return nil
	}
}

// multilineRow reads a row that spans several lines. If it is too long or malformed, only its first
// line is bad.
func (r *CSVReader) multilineRow(first physicalLine) error {
	text := first.text
	var more []physicalLine
	for len(more) < maxRowLines && len(text) < maxRowBytes {
		line, err := r.line()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		more = append(more, line)
		if line.bad != nil {
			break
		}
		text += "\n" + line.text
		if !strings.Contains(line.text, `"`) {
			continue
		}
		cells, open, err := splitRow(text, r.comma)
		if open {
			continue
		}
		cells = trimEmpty(cells, len(r.Header))
		if err != nil || len(cells) > len(r.Header) {
			break // the quote was closed by another that opens one
		}
		r.Cells, r.Raw = cells, text
		return nil
	}
	r.RowErr, r.pending = errOpenQuote, append(more, r.pending...)
	return nil
}

func (r *CSVReader) line() (physicalLine, error) {
	if len(r.pending) > 0 {
		line := r.pending[0]
		r.pending = r.pending[1:]
		return line, nil
	}
	if err := r.in.Next(); err != nil {
		return physicalLine{}, err
	}
	return physicalLine{r.in.Line, string(r.in.Text), r.in.LineErr}, nil
}

// splitRow splits a row into cells; open reports whether it ends inside quotes.
func splitRow(text string, comma byte) (cells []string, open bool, err error) {
	for {
		var cell string
		if quoted := strings.TrimLeft(text, " "); strings.HasPrefix(quoted, `"`) {
			if cell, text, open = cutQuoted(quoted[1:]); open {
				return cells, true, nil
			}
			if text = strings.TrimLeft(text, " "); text != "" && text[0] != comma {
				return cells, false, fmt.Errorf("cell %d continues after its closing quote", len(cells)+1)
			}
		} else if i := strings.IndexByte(text, comma); i >= 0 {
			cell, text = text[:i], text[i:]
		} else {
			cell, text = text, ""
		}
		cells = append(cells, cell)
		if text == "" {
			return cells, false, nil
		}
		text = text[1:]
	}
}

// cutQuoted reads up to the closing quote. Two quotes in a row stand for one.
func cutQuoted(text string) (cell, rest string, open bool) {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '"')
		if i < 0 {
			return "", "", true
		}
		b.WriteString(text[:i])
		text = text[i+1:]
		if !strings.HasPrefix(text, `"`) {
			return b.String(), text, false
		}
		b.WriteByte('"')
		text = text[1:]
	}
}

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
		t.more[i] = slices.Index(rows.Header, name)
	}
	if t.answer, err = batch.NewCSVColumns(rows.Header); err == nil {
		return t, nil
	}
	for i := range rows.Header {
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
	pv := -1
	if t.answer != nil {
		pv = t.rows.column("pv")
	}
	return batch.Record{
		Text: t.cell(t.fen), PV: batch.SplitMoves(t.cell(pv)), Moves: batch.SplitMoves(t.cell(t.more[1])),
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
		i.Fields = append(i.Fields, batch.TextField(t.rows.Header[column], t.cell(column)))
	}
	return i, nil
}

func (t *table) cell(column int) string {
	if column < 0 || column >= len(t.rows.Cells) {
		return ""
	}
	return t.rows.Cells[column]
}

func (t *table) Skip() error { return t.rows.Next() }

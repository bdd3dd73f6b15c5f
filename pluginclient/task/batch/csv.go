package batch

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// csvSink is a Sink that writes CSV: a header, then a row per position. The columns are csvColumns;
// csvHintColumns for each hint, where those of the second hint end in 2 (move2, cp2), and so on;
// then csvLastColumns and the columns of [fieldColumns]. The level is empty unless the search had
// one; the time is in milliseconds. A cell is empty where it does not apply. For a line that is not
// a position, fen holds its beginning. Moves are separated by spaces, or by commas if they contain
// spaces. Each answer is one call of w.Write; the header goes out with the first, or in [FinishSink] if
// there is none. [NewCSVColumns] reads the header back. The tables of package store have the same columns.
type csvSink struct {
	w      io.Writer
	hints  int  // the number of hints that have columns
	begun  bool // the header has been written
	fields fieldColumns
}

var (
	csvColumns     = []string{"file", "line", "id", "fen", "moves", "bm", "am", "engine", "level", "solved", "over", "error"}
	csvHintColumns = []string{"move", "cp", "mate", "depth", "nodes", "pv", "text", "seldepth", "hashfull", "tbhits", "wdl"}
	csvLastColumns = []string{"unscored", "ops", "spec", "limit_nodes", "limit_depth", "limit_time", "found_nodes", "found_depth", "found_time", csvFields}
)

// Write writes an answer's row.
func (c *csvSink) Write(a Answer) error {
	if !c.begun {
		var names fieldColumns
		for _, f := range a.Fields {
			names = append(names, f.Name)
		}
		if names.fit(a.Item) {
			c.fields = names
		}
	}
	return c.write(c.row(a))
}

// finish writes the header of a table without rows.
func (c *csvSink) finish() error {
	if c.begun {
		return nil
	}
	return c.write()
}

// write writes rows, preceded by the header if it has not been written.
func (c *csvSink) write(rows ...[]string) error {
	if !c.begun {
		rows = append([][]string{c.header()}, rows...)
	}
	var b bytes.Buffer
	_ = csv.NewWriter(&b).WriteAll(rows) // a Buffer takes everything
	c.begun = true
	_, err := c.w.Write(b.Bytes())
	return err
}

// AnswerColumns returns the columns of an answer without its hints.
func AnswerColumns() []string { return slices.Concat(csvColumns, csvLastColumns) }

// HintColumns returns the columns of a hint.
func HintColumns() []string { return slices.Clone(csvHintColumns) }

func (c *csvSink) header() []string {
	header := append([]string{}, csvColumns...)
	for i := range c.hints {
		for _, name := range csvHintColumns {
			header = append(header, rankedName(name, i+1))
		}
	}
	header = append(header, csvLastColumns...)
	for _, name := range c.fields {
		if isAnswerColumn(name) || strings.HasPrefix(name, fieldPrefix) {
			name = fieldPrefix + name
		}
		header = append(header, name)
	}
	return header
}

// rankedName returns a column's name for the hint of a rank: move, move2, ...
func rankedName(name string, rank int) string {
	if rank == 1 {
		return name
	}
	return name + strconv.Itoa(rank)
}

// row returns the cells of an answer, each of which stays on its line.
func (c *csvSink) row(a Answer) []string {
	cells := AnswerCells(a)
	row, last := cells[:len(csvColumns):len(csvColumns)], cells[len(csvColumns):len(cells)-1]
	for i := range c.hints {
		var h Hint
		if i < len(a.Hints) {
			h = a.Hints[i]
		}
		row = append(row, HintCells(h)...)
	}
	row = append(row, last...)
	for i := range row {
		row[i] = printable.Line(row[i])
	}
	return append(row, c.fields.cells(a.Item)...)
}

// AnswerCells returns the texts of AnswerColumns. Those that do not apply are empty.
func AnswerCells(a Answer) []string {
	text, solved := a.Text, ""
	if a.IsBad() {
		text = a.Input
	}
	if is, scored := a.Solved(); scored {
		solved = strconv.FormatBool(is)
	}
	return []string{
		a.File, strconv.Itoa(a.Line), a.ID, text, JoinMoves(a.Moves), JoinMoves(a.BM), JoinMoves(a.AM),
		a.Engine, formatOptional(a.Limits.OptionalLevel()), solved, a.Over, message(a.Err),
		message(a.Unscored), FormatOps(a.OtherOps()), a.Spec,
		formatCount(a.Limits.Nodes), formatCount(a.Limits.Depth), formatCount(a.Limits.Time.Milliseconds()),
		formatCount(a.Found.Nodes), formatCount(a.Found.Depth), formatCount(a.Found.Time.Milliseconds()), FormatFields(a.Item),
	}
}

// HintCells returns the texts of HintColumns.
func HintCells(h Hint) []string {
	score := h.Score.JSON()
	return []string{
		h.Move, formatOptional(score.CP), formatOptional(score.Mate), formatCount(h.Depth), formatCount(h.Nodes), JoinMoves(h.PV), h.Text,
		formatCount(h.SelDepth), formatCount(h.HashFull), formatCount(h.TBHits), h.WDL.String(),
	}
}

func formatOptional(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func formatCount[N int | int64](n N) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(int64(n), 10)
}

// CSVColumns maps column names to their places in a table of answers.
type CSVColumns struct {
	header   []string
	at       map[string]int
	hints    int
	fields   fieldColumns
	fieldsAt []int
}

// NewCSVColumns parses a header that csvSink has written. Any other header is an error.
func NewCSVColumns(header []string) (*CSVColumns, error) {
	c := &CSVColumns{header: header, at: map[string]int{}}
	for i, name := range header {
		own, escaped := strings.CutPrefix(name, fieldPrefix)
		if escaped || !isAnswerColumn(name) {
			c.fields, c.fieldsAt = append(c.fields, own), append(c.fieldsAt, i)
		} else {
			c.at[strings.ToLower(name)] = i
		}
	}
	for _, name := range append(append([]string{}, csvColumns...), csvHintColumns[:7]...) { // tables of earlier versions have no others
		if _, ok := c.at[name]; !ok {
			return nil, fmt.Errorf("no column %s", name)
		}
	}
	for ok := true; ok; c.hints++ {
		_, ok = c.at[rankedName("move", c.hints+2)]
	}
	return c, nil
}

// Fields returns an Item with the ID and the Fields of a row. The ID may hold more than its cell
// shows.
func (c *CSVColumns) Fields(row []string) (i Item, err error) {
	d := csvRow{c, row, nil}
	i.ID = d.text("id")
	if fields := d.text(csvFields); fields != "" {
		err = i.SetFields(fields)
		return i, err
	}
	for n, at := range c.fieldsAt {
		i.Fields = append(i.Fields, TextField(c.fields[n], d.cell(at)))
	}
	return i, nil
}

// Decode reads a row. The answer has no Pos, and its errors are texts.
func (c *CSVColumns) Decode(row []string) (Answer, error) {
	if len(row) != len(c.header) {
		return Answer{}, fmt.Errorf("%d cells in a table of %d columns", len(row), len(c.header))
	}
	own, err := c.Fields(row)
	if err != nil {
		return Answer{}, err
	}
	d := csvRow{c, row, nil}
	a := Answer{
		Item: Item{
			File: d.text("file"), Line: d.number("line"), Text: d.text("fen"), Moves: SplitMoves(d.text("moves")),
			ID: own.ID, IDNumber: own.IDNumber, Fields: own.Fields,
			BM: SplitMoves(d.text("bm")), AM: SplitMoves(d.text("am")), Ops: ParseOps(d.text("ops")), Unscored: toError(d.text("unscored")),
		},
		Engine: d.text("engine"), Over: d.text("over"), Err: toError(d.text("error")),
		Spec: d.text("spec"), Limits: Limits{ // tables of earlier versions have only a level
			Level: d.number("level"), HasLevel: d.text("level") != "",
			Nodes: int64(d.number("limit_nodes")), Depth: d.number("limit_depth"),
			Time: time.Duration(d.number("limit_time")) * time.Millisecond,
		},
		Found: Limits{
			Nodes: int64(d.number("found_nodes")), Depth: d.number("found_depth"),
			Time: time.Duration(d.number("found_time")) * time.Millisecond,
		},
	}
	for rank := 1; rank <= c.hints && d.text(rankedName("move", rank)) != ""; rank++ {
		at := func(name string) string { return rankedName(name, rank) }
		score := engine.ScoreJSON{CP: d.optional(at("cp")), Mate: d.optional(at("mate"))}
		a.Hints = append(a.Hints, Hint{
			Move: d.text(at("move")), Score: score.Score(),
			Depth: d.number(at("depth")), Nodes: int64(d.number(at("nodes"))), PV: SplitMoves(d.text(at("pv"))), Text: d.text(at("text")),
			Details: engine.Details{
				SelDepth: d.number(at("seldepth")), HashFull: d.number(at("hashfull")), TBHits: int64(d.number(at("tbhits"))), WDL: d.wdl(at("wdl")),
			},
		})
	}
	if a.Err != nil && a.Engine == "" {
		a.Input, a.Text, a.Item.Err = a.Text, "", a.Err
	}
	return a, d.err
}

// csvRow decodes the cells of a row. err is the first failure.
type csvRow struct {
	*CSVColumns
	row []string
	err error
}

func (d *csvRow) text(name string) string {
	i, ok := d.at[name]
	if !ok {
		return ""
	}
	return d.cell(i)
}

// cell returns a cell, or "" if the row is too short.
func (d *csvRow) cell(i int) string {
	if i >= len(d.row) {
		return ""
	}
	return d.row[i]
}

func (d *csvRow) number(name string) int {
	if n := d.optional(name); n != nil {
		return *n
	}
	return 0
}

func (d *csvRow) wdl(name string) (w engine.WDL) {
	w, err := engine.ParseWDL(d.text(name))
	if err != nil && d.err == nil {
		d.err = fmt.Errorf("column %s: %w", name, err)
	}
	return w
}

func (d *csvRow) optional(name string) *int {
	if d.text(name) == "" {
		return nil
	}
	n, err := strconv.Atoi(d.text(name))
	if err != nil && d.err == nil {
		d.err = fmt.Errorf("column %s: not a number: %q", name, Excerpt(d.text(name)))
	}
	return &n
}

// csvFields is the column for the output of FormatFields.
const csvFields = "fields"

// fieldPrefix precedes a field's column name that would clash with another column.
const fieldPrefix = csvFields + "."

// fieldColumns are the names of the columns for [Fields]. The header must name them before all
// values are known, so they are taken from the first answer, if its ID and its values are all
// strings. Later answers with the same names use these columns; any other fields go as JSON into
// the column "fields", where {} distinguishes an answer without fields from one whose fields are
// empty.
type fieldColumns []string

// fit reports whether the columns can hold everything that FormatFields would write.
func (o fieldColumns) fit(i Item) bool {
	return i.hasPlainID() && len(i.Fields) == len(o) && !slices.ContainsFunc(o, func(name string) bool { // which would not survive a round trip through a header
		return name != strings.TrimSpace(name) || name != printable.Line(name)
	}) &&
		!slices.ContainsFunc(i.Fields, func(f Field) bool {
			text, ok := f.text()
			return !ok || printable.Line(text) != text // rows stay on one line
		}) &&
		slices.EqualFunc(o, i.Fields, func(name string, f Field) bool { return name == f.Name })
}

func isAnswerColumn(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(csvColumns, name) || slices.Contains(csvLastColumns, name) ||
		slices.Contains(csvHintColumns, strings.TrimRight(name, "0123456789"))
}

// cells returns the last cells of a row: the column "fields" and the field columns.
func (o fieldColumns) cells(i Item) []string {
	cells := make([]string, 1+len(o))
	switch {
	case !o.fit(i):
		cells[0] = escapeJSON(FormatFields(i))
		if cells[0] == "" && len(o) > 0 {
			cells[0] = "{}"
		}
	default:
		for n, f := range i.Fields {
			cells[1+n], _ = f.text()
		}
	}
	return cells
}

// escapeJSON escapes control characters, which in JSON occur only within strings. The value stays
// the same.
func escapeJSON(text string) string {
	var b strings.Builder
	for _, r := range text {
		if shown := string(r); printable.Line(shown) == shown {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

package batch

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/parquet-go/parquet-go"

	"qhsh/engine"
	"qhsh/engine/interruptible"
	"qhsh/pluginclient"
)

// parquetRow is a row of the Parquet table: one per position, with its hints as a list, so a
// position without hints has a row too. The columns and types are those of JSON, plus position.
// Columns are null and lists empty where they do not apply. This is the only list of fields and
// columns, but for [parquetColumns].
type parquetRow struct {
	File       string        `parquet:"file,optional,dict"`
	Line       int64         `parquet:"line"`
	ID         string        `parquet:"id,optional"`
	Input      *string       `parquet:"input,optional"`
	FEN        string        `parquet:"fen,optional"`
	Moves      []string      `parquet:"moves,list"`
	Position   string        `parquet:"position,optional"` // after the moves, the same for the same position
	BM         []string      `parquet:"bm,list"`
	AM         []string      `parquet:"am,list"`
	Ops        string        `parquet:"ops,optional"`
	Fields     string        `parquet:"fields,optional"` // the input's own, as a JSON object
	Engine     string        `parquet:"engine,optional,dict"`
	Spec       string        `parquet:"spec,optional,dict"`
	Level      *int32        `parquet:"level,optional"`
	Nodes      int64         `parquet:"limit_nodes,optional"` // 0 is null
	Depth      int32         `parquet:"limit_depth,optional"`
	Time       int64         `parquet:"limit_time,optional"` // ms
	Hints      []parquetHint `parquet:"hints,list"`
	FoundNodes int64         `parquet:"found_nodes,optional"`
	FoundDepth int32         `parquet:"found_depth,optional"`
	FoundTime  int64         `parquet:"found_time,optional"` // ms
	Solved     *bool         `parquet:"solved,optional"`
	Over       string        `parquet:"over,optional,dict"`
	Error      string        `parquet:"error,optional"`
	Unscored   string        `parquet:"unscored,optional"`
}

// parquetHint is a hint, best first.
type parquetHint struct {
	Move  string   `parquet:"move,dict"`
	CP    *int32   `parquet:"cp,optional"`
	Mate  *int32   `parquet:"mate,optional"`
	Depth int32    `parquet:"depth,optional"` // 0 is null
	Nodes int64    `parquet:"nodes,optional"`
	PV    []string `parquet:"pv,list"`
	Text  string   `parquet:"text,optional"`

	SelDepth int32   `parquet:"seldepth,optional"`
	HashFull int32   `parquet:"hashfull,optional"`
	TBHits   int64   `parquet:"tbhits,optional"`
	WDL      []int32 `parquet:"wdl,list"` // thousandths of win, draw and loss; empty if they are not known
}

var parquetSchema = sync.OnceValue(func() *parquet.Schema {
	return parquet.NewSchema("answer", parquet.SchemaOf(parquetRow{}))
})

// parquetRows is the size of a row group. It is constant so that the same answers give the same
// bytes.
const parquetRows = 10_000

// parquetSink is a Sink that writes Parquet, see [parquetRow]. It buffers rows, and the file is
// readable only when complete: compression works on row groups, and the footer is at the end.
type parquetSink struct {
	w       io.Writer
	first   []parquetRow // of the first row group, until columns is set
	own     []Fields     // of first
	columns *parquetColumns
	rows    *parquet.GenericWriter[any]
}

func (p *parquetSink) Write(a Answer) error {
	row, own := toParquet(a), append(opFields(a.OtherOps()), a.Fields...)
	if p.columns != nil {
		return p.write(row, own)
	}
	p.first, p.own = append(p.first, row), append(p.own, own)
	if len(p.first) < parquetRows {
		return nil
	}
	return p.begin()
}

// begin writes the first rows, which decide the columns.
func (p *parquetSink) begin() error {
	p.columns = newParquetColumns(p.own)
	p.rows = parquet.NewGenericWriter[any](p.w, parquet.NewSchema("answer", parquet.SchemaOf(reflect.Zero(p.columns.row).Interface())),
		parquet.MaxRowsPerRowGroup(parquetRows), parquet.Compression(&parquet.Zstd), &parquet.WriterConfig{CreatedBy: "qhsh version " + pluginclient.Version})
	for i, row := range p.first {
		if err := p.write(row, p.own[i]); err != nil {
			return err
		}
	}
	p.first, p.own = nil, nil
	return nil
}

func (p *parquetSink) write(row parquetRow, own Fields) error {
	_, err := p.rows.Write([]any{p.columns.rowOf(row, own)})
	return err
}

// finish writes the buffered rows and the footer.
func (p *parquetSink) finish() error {
	if p.columns == nil {
		if err := p.begin(); err != nil {
			return err
		}
	}
	return p.rows.Close()
}

// lossMessage says how many values only the columns ops and fields have.
func (p *parquetSink) lossMessage() string {
	if p.columns == nil || p.columns.lost == 0 {
		return ""
	}
	return fmt.Sprintf("%d values of own fields are in the columns fields and ops only: the first %d answers decide which columns and types there are, up to %d columns",
		p.columns.lost, parquetRows, maxFieldColumns)
}

func toParquet(a Answer) parquetRow {
	j := toJSON(a)
	row := parquetRow{
		File: toUTF8(j.File), Line: int64(j.Line), ID: toUTF8(a.ID), Input: j.Input, FEN: j.FEN, Moves: j.Moves, BM: j.BM, AM: j.AM,
		Ops: toUTF8(j.Ops), Fields: FormatFields(a.Item), Engine: toUTF8(j.Engine), Spec: toUTF8(j.Spec), Level: toInt[int32](j.Level),
		Nodes: a.Limits.Nodes, Depth: int32(a.Limits.Depth), Time: a.Limits.Time.Milliseconds(), Over: toUTF8(j.Over),
		FoundNodes: a.Found.Nodes, FoundDepth: int32(a.Found.Depth), FoundTime: a.Found.Time.Milliseconds(),
		Solved: j.Solved, Error: toUTF8(j.Error), Unscored: toUTF8(j.Unscored),
	}
	if row.Input != nil {
		*row.Input = toUTF8(*row.Input)
	} else {
		row.Position = a.Position()
	}
	for _, h := range a.Hints {
		score := h.Score.JSON()
		hint := parquetHint{
			Move: h.Move, CP: toInt[int32](score.CP), Mate: toInt[int32](score.Mate), Depth: int32(h.Depth), Nodes: h.Nodes,
			PV: h.PV, Text: toUTF8(h.Text),
			SelDepth: int32(h.SelDepth), HashFull: int32(h.HashFull), TBHits: h.TBHits,
		}
		if h.WDL.Known() {
			hint.WDL = []int32{int32(h.WDL[0]), int32(h.WDL[1]), int32(h.WDL[2])}
		}
		row.Hints = append(row.Hints, hint)
	}
	return row
}

// answer converts a row. The answer has no Pos, and its errors are plain strings.
func (r *parquetRow) answer() (Answer, error) {
	j := jsonAnswer{
		File: r.File, Line: int(r.Line), ID: ID{Text: r.ID}, Input: r.Input, FEN: r.FEN, Moves: r.Moves, BM: r.BM, AM: r.AM, Ops: r.Ops,
		Engine: r.Engine, Spec: r.Spec, Level: toInt[int](r.Level), Over: r.Over, Error: r.Error, Unscored: r.Unscored,
		Limits: Limits{Nodes: r.Nodes, Depth: int(r.Depth), Time: time.Duration(r.Time) * time.Millisecond},
		Found:  Limits{Nodes: r.FoundNodes, Depth: int(r.FoundDepth), Time: time.Duration(r.FoundTime) * time.Millisecond},
	}
	for _, h := range r.Hints {
		hint := HintJSON{
			Move: h.Move, ScoreJSON: engine.ScoreJSON{CP: toInt[int](h.CP), Mate: toInt[int](h.Mate)}, Depth: int(h.Depth), Nodes: h.Nodes, PV: h.PV, Text: h.Text,
			Details: engine.Details{SelDepth: int(h.SelDepth), HashFull: int(h.HashFull), TBHits: h.TBHits},
		}
		for i, n := range h.WDL[:min(len(h.WDL), len(hint.WDL))] {
			hint.WDL[i] = int(n)
		}
		j.Hints = append(j.Hints, hint)
	}
	a := j.answer()
	a.After = r.Position
	return a, a.SetFields(r.Fields)
}

// toUTF8 returns text in valid UTF-8, which Parquet requires.
func toUTF8(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// toInt converts a number, if there is one. Scores and levels fit into 32 bits.
func toInt[To, From int | int32](n *From) *To {
	if n == nil {
		return nil
	}
	return new(To(*n))
}

var (
	errParquet      = errors.New("not a Parquet file of 'qhsh hints'")
	errOtherColumns = errors.New("it has other columns")
)

// ParquetAnswers returns the answers of a Parquet file that hints has written. They have no Pos,
// and their errors are plain strings. An error ends the sequence. Package parquet panics on some
// damaged files and on unexpected columns, so every call is guarded.
func ParquetAnswers(path string) iter.Seq2[Answer, error] {
	return func(yield func(Answer, error) bool) {
		file, err := interruptible.OpenRegular(path)
		if err != nil {
			yield(Answer{}, fmt.Errorf("%s: %w", path, err))
			return
		}
		defer file.Close()
		var in *parquet.GenericReader[parquetRow]
		if guard(&err, func() { in, err = openParquet(file) }); err == nil {
			defer in.Close() // it is only read
		}
		for err == nil {
			rows, n := make([]parquetRow, 16), 0 // each may have the size of a line in several columns
			guard(&err, func() { n, err = in.Read(rows) })
			for i := range rows[:n] {
				a, wrong := rows[i].answer()
				if wrong != nil {
					wrong = fmt.Errorf("%s: %w", path, wrong)
				}
				if !yield(a, wrong) || wrong != nil {
					return
				}
			}
		}
		if err != io.EOF || in == nil {
			yield(Answer{}, fmt.Errorf("%s: %w: %w", path, errParquet, err))
		}
	}
}

// guard turns a panic of do into an error.
func guard(err *error, do func()) {
	defer func() {
		if failure := recover(); failure != nil {
			*err = fmt.Errorf("%v", failure)
		}
	}()
	do()
}

func openParquet(file *os.File) (*parquet.GenericReader[parquetRow], error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if err := checkParquet(file, info.Size()); err != nil {
		return nil, err
	}
	table, err := parquet.OpenFile(file, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	for _, column := range parquetSchema().Fields() { // others are those of fields
		i := slices.IndexFunc(table.Schema().Fields(), func(f parquet.Field) bool { return f.Name() == column.Name() })
		if i < 0 || !parquet.EqualNodes(table.Schema().Fields()[i], column) {
			return nil, errOtherColumns
		}
	}
	return parquet.NewGenericReader[parquetRow](table), nil
}

package script

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine/printable"
)

var tableFunction = function("table(rows: Iterable, header: list[str] | None = None, align: str = \"\") -> str",
	`Formats rows as a text table. A row is a list, a tuple or a dict. header names the columns and selects keys of dicts; by default they are the keys of the first row. align has a letter for each column: l, r or c for left, right or centre; by default columns of numbers and scores are right-aligned. None is an empty cell.
>>> print(table([["H2-E2", 35], ["平炮", -4]], header=["move", "cp"]))
move   cp
-----  --
H2-E2  35
平炮   -4`,
	func(rows starlark.Iterable, header stringsArgument, align string) (string, error) {
		if bad := strings.Trim(align, "lrc"); bad != "" {
			return "", fmt.Errorf("align %s: want letters l, r and c", shorten(align))
		}
		g := grid{align: []byte(align)}
		if header != nil {
			g.setHeader(header)
		}
		for row := range starlark.Elements(rows) {
			if err := g.add(row); err != nil {
				return "", fmt.Errorf("row %d: %w", len(g.rows)+1, err)
			}
		}
		return g.String(), nil
	})

// A rowReader reads the rows of a table: lists, tuples and dicts.
type rowReader struct {
	keys   []starlark.Value // of dicts, one per column
	strict bool             // the keys come from a row, and later rows must not have others
	header []string         // nil: none
}

func (r *rowReader) setHeader(header []string) {
	r.header = header
	for _, name := range header {
		r.keys = append(r.keys, starlark.String(name))
	}
}

// cells returns the values of a row. The first dict defines the header if there is none.
func (r *rowReader) cells(row starlark.Value) (cells []starlark.Value, err error) {
	dict, ok := row.(*starlark.Dict)
	if !ok {
		items, ok := row.(starlark.Iterable)
		if !ok {
			return nil, fmt.Errorf("got %s, want a list, a tuple or a dict", row.Type())
		}
		return slices.Collect(starlark.Elements(items)), nil
	}
	if r.keys == nil {
		var names []string
		for _, key := range dict.Keys() {
			names = append(names, display(key))
		}
		r.setHeader(names)
		r.keys, r.strict = dict.Keys(), true
	}
	found := 0
	for _, key := range r.keys {
		v, ok, err := dict.Get(key)
		switch {
		case err != nil:
			return nil, err
		case ok:
			found++
		default:
			v = starlark.None
		}
		cells = append(cells, v)
	}
	if r.strict && found < dict.Len() {
		return nil, fmt.Errorf("keys not in the first row, %s: set header", strings.Join(r.header, ", "))
	}
	return cells, nil
}

// A grid is a table under construction.
type grid struct {
	rowReader
	align []byte // of columns; 0 of one that has only numbers so far
	rows  [][]string
}

func (g *grid) add(row starlark.Value) error {
	values, err := g.cells(row)
	if err != nil {
		return err
	}
	cells := make([]string, len(values))
	for i, v := range values {
		if i == len(g.align) {
			g.align = append(g.align, 0)
		}
		switch v.(type) {
		case starlark.NoneType:
			continue
		case starlark.Int, starlark.Float, score:
		default:
			if g.align[i] == 0 {
				g.align[i] = 'l'
			}
		}
		cells[i] = display(v)
	}
	g.rows = append(g.rows, cells)
	return nil
}

// String returns the table without a trailing newline.
func (g *grid) String() string {
	rows := g.rows
	if g.header != nil {
		rule, all := make([]string, len(g.header)), append(rows, g.header)
		for i := range rule {
			for _, row := range all {
				if i < len(row) {
					rule[i] = strings.Repeat("-", max(len(rule[i]), printable.Width.StringWidth(printable.Line(row[i]))))
				}
			}
		}
		rows = append([][]string{g.header, rule}, rows...)
	}
	align := strings.ReplaceAll(string(g.align), "\x00", "r") + "r" // of columns that have only a header
	return strings.TrimSuffix(printable.Table(rows, align), "\n")
}

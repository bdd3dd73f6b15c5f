package script

import (
	"fmt"
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
		g := grid{align: align}
		if header != nil {
			g.setHeader(header)
		}
		iter := rows.Iterate()
		defer iter.Done()
		var row starlark.Value
		for i := 1; iter.Next(&row); i++ {
			if err := g.add(row); err != nil {
				return "", fmt.Errorf("row %d: %w", i, err)
			}
		}
		return g.String(), nil
	})

// A grid is a table under construction.
type grid struct {
	header []string         // nil: none
	keys   []starlark.Value // of dicts, one per column
	strict bool             // the keys come from a row, and later rows must not have others
	align  string
	rows   [][]string
	cols   []column
}

// A column has the properties of a column.
type column struct {
	width int
	text  bool // it has a cell that is not a number
}

func (g *grid) setHeader(header []string) {
	g.header = make([]string, len(header))
	for i, name := range header {
		g.header[i] = printable.Line(name)
		g.widen(i, g.header[i])
		g.keys = append(g.keys, starlark.String(name))
	}
}

// widen makes a column wide enough for a cell.
func (g *grid) widen(i int, cell string) {
	for i >= len(g.cols) {
		g.cols = append(g.cols, column{})
	}
	g.cols[i].width = max(g.cols[i].width, printable.Width.StringWidth(cell))
}

func (g *grid) add(row starlark.Value) error {
	if dict, ok := row.(*starlark.Dict); ok {
		return g.addDict(dict)
	}
	iter := starlark.Iterate(row)
	if iter == nil {
		return fmt.Errorf("got %s, want a list, a tuple or a dict", row.Type())
	}
	defer iter.Done()
	var cells []string
	var cell starlark.Value
	for iter.Next(&cell) {
		cells = append(cells, g.cell(len(cells), cell))
	}
	g.rows = append(g.rows, cells)
	return nil
}

// addDict adds the values of the header's keys; the first dict defines the header if there is none.
func (g *grid) addDict(row *starlark.Dict) error {
	if g.keys == nil {
		var names []string
		for _, key := range row.Keys() {
			names = append(names, display(key))
		}
		g.setHeader(names)
		g.keys, g.strict = row.Keys(), true
	}
	cells := make([]string, len(g.keys))
	found := 0
	for i, key := range g.keys {
		v, ok, err := row.Get(key)
		if err != nil {
			return err
		}
		if ok {
			found++
		} else {
			v = starlark.None
		}
		cells[i] = g.cell(i, v)
	}
	if g.strict && found < row.Len() {
		return fmt.Errorf("keys not in the first row, %s: set header", strings.Join(g.header, ", "))
	}
	g.rows = append(g.rows, cells)
	return nil
}

// cell returns a value's text and updates its column.
func (g *grid) cell(i int, v starlark.Value) string {
	text := ""
	if v != starlark.None {
		text = printable.Line(display(v))
	}
	g.widen(i, text)
	switch v.(type) {
	case starlark.Int, starlark.Float, score, starlark.NoneType:
	default:
		g.cols[i].text = true
	}
	return text
}

// String returns the table without a trailing newline.
func (g *grid) String() string {
	var lines []string
	if g.header != nil {
		rule := make([]string, len(g.header))
		for i := range rule {
			rule[i] = strings.Repeat("-", g.cols[i].width)
		}
		lines = append(lines, g.line(g.header), g.line(rule))
	}
	for _, row := range g.rows {
		lines = append(lines, g.line(row))
	}
	return strings.Join(lines, "\n")
}

func (g *grid) line(cells []string) string {
	var line strings.Builder
	for i, cell := range cells {
		if i > 0 {
			line.WriteString("  ")
		}
		left, right := g.padding(i, g.cols[i].width-printable.Width.StringWidth(cell))
		line.WriteString(strings.Repeat(" ", left) + cell + strings.Repeat(" ", right))
	}
	return strings.TrimRight(line.String(), " ")
}

// padding returns the padding on both sides of a cell.
func (g *grid) padding(i, blanks int) (left, right int) {
	how := byte('r')
	switch {
	case i < len(g.align):
		how = g.align[i]
	case g.cols[i].text:
		how = 'l'
	}
	switch how {
	case 'l':
		return 0, blanks
	case 'c':
		return blanks / 2, blanks - blanks/2
	}
	return blanks, 0
}

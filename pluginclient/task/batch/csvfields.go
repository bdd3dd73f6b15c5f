package batch

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/printable"
)

// csvFields is the column of what FormatFields writes.
const csvFields = "fields"

// fieldPrefix is before the name of an own column that would be taken for another.
const fieldPrefix = csvFields + "."

// fieldColumns are the names of a table's columns for [Fields], which a header has to tell before
// their values are known. So they are those of the first answer, if it came from a table or from
// JSON whose id and values are all texts. Texts of other answers with the same names stand in these
// columns, and all other fields as JSON in the column fields; a {} there tells an answer without
// any from one whose texts are empty.
type fieldColumns []string

// newFieldColumns returns the columns of a table whose first answer is about an Item.
func newFieldColumns(i Item) fieldColumns {
	var names fieldColumns
	for _, f := range i.Fields {
		names = append(names, f.Name)
	}
	if names.fit(i) {
		return names
	}
	return nil
}

// fit reports whether the columns have room for all that FormatFields tells.
func (o fieldColumns) fit(i Item) bool {
	return i.hasPlainID() && len(i.Fields) == len(o) && !slices.ContainsFunc(o, isBadHeader) &&
		!slices.ContainsFunc(i.Fields, func(f Field) bool {
			text, ok := f.text()
			return !ok || printable.Line(text) != text // rows stay on one line
		}) &&
		slices.EqualFunc(o, i.Fields, func(name string, f Field) bool { return name == f.Name })
}

// isBadHeader reports whether a name would not read back from a header.
func isBadHeader(name string) bool {
	return name != strings.TrimSpace(name) || name != printable.Line(name)
}

// header returns the own columns as a header names them.
func (o fieldColumns) header() []string {
	var names []string
	for _, name := range o {
		if isAnswerColumn(name) || strings.HasPrefix(name, fieldPrefix) {
			name = fieldPrefix + name
		}
		names = append(names, name)
	}
	return names
}

// fieldColumn returns the own name of a column, if it is none of an answer's.
func fieldColumn(header string) (name string, ok bool) {
	if name, ok := strings.CutPrefix(header, fieldPrefix); ok {
		return name, true
	}
	return header, !isAnswerColumn(header)
}

// isAnswerColumn reports whether some table of answers has a column of that name.
func isAnswerColumn(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(csvColumns, name) || slices.Contains(csvLastColumns, name) ||
		slices.Contains(csvHintColumns, strings.TrimRight(name, "0123456789"))
}

// cells returns the last cells of a row: the column fields, and the own ones.
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

// escapeJSON escapes what a terminal would obey, which JSON has within texts alone. Their value stays
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

// read reads what cells has written.
func (o fieldColumns) read(i *Item, fields string, own []string) error {
	if fields != "" {
		return i.SetFields(fields)
	}
	for n, name := range o {
		i.Fields = append(i.Fields, TextField(name, own[n]))
	}
	return nil
}

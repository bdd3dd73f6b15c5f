package batch

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/printable"
)

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

// newFieldColumns returns the columns for a table whose first answer is about i.
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

// fit reports whether the columns can hold everything that FormatFields would write.
func (o fieldColumns) fit(i Item) bool {
	return i.hasPlainID() && len(i.Fields) == len(o) && !slices.ContainsFunc(o, isBadHeader) &&
		!slices.ContainsFunc(i.Fields, func(f Field) bool {
			text, ok := f.text()
			return !ok || printable.Line(text) != text // rows stay on one line
		}) &&
		slices.EqualFunc(o, i.Fields, func(name string, f Field) bool { return name == f.Name })
}

// isBadHeader reports whether a name would not survive a round trip through a header.
func isBadHeader(name string) bool {
	return name != strings.TrimSpace(name) || name != printable.Line(name)
}

// header returns the column names as written in the header.
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

// fieldColumn returns the field name of a column; ok is false for a column of the answer itself.
func fieldColumn(header string) (name string, ok bool) {
	if name, ok := strings.CutPrefix(header, fieldPrefix); ok {
		return name, true
	}
	return header, !isAnswerColumn(header)
}

// isAnswerColumn reports whether name is a column of an answer.
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

// read decodes what cells has written.
func (o fieldColumns) read(i *Item, fields string, own []string) error {
	if fields != "" {
		return i.SetFields(fields)
	}
	for n, name := range o {
		i.Fields = append(i.Fields, TextField(name, own[n]))
	}
	return nil
}

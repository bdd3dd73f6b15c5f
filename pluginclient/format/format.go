// Package format implements tables of output formats.
package format

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/engine/printable"
)

// A Format is an output format. W is the type of the function that writes it.
type Format[W any] struct {
	Name       string   // value of -format
	Extensions []string // file name extensions, with the dot
	Write      W
}

// A Table is a list of formats; the first is the default.
type Table[W any] []Format[W]

// ByName returns the format with the given name, or else with that extension, given without the dot.
func (t Table[W]) ByName(name string) (Format[W], bool) {
	if f, ok := t.find(func(f Format[W]) bool { return f.Name == name }); ok {
		return f, true
	}
	return t.find(func(f Format[W]) bool { return slices.Contains(f.Extensions, "."+name) })
}

// ByPath returns the format for a file name's extension.
func (t Table[W]) ByPath(path string) (Format[W], bool) {
	ext := strings.ToLower(filepath.Ext(path))
	return t.find(func(f Format[W]) bool { return slices.Contains(f.Extensions, ext) })
}

func (t Table[W]) find(match func(Format[W]) bool) (f Format[W], ok bool) {
	if i := slices.IndexFunc(t, match); i >= 0 {
		return t[i], true
	}
	return f, false
}

// NameList returns the names.
func (t Table[W]) NameList() (names []string) {
	for _, f := range t {
		names = append(names, f.Name)
	}
	return names
}

// Names returns the names as text: "json, text or svg".
func (t Table[W]) Names() string { return printable.OneOf(t.NameList()) }

// Extensions returns all extensions as text: ".json .txt .svg".
func (t Table[W]) Extensions() string {
	var all []string
	for _, f := range t {
		all = append(all, f.Extensions...)
	}
	return strings.Join(all, " ")
}

// CSV writes rows of a table, each cell on one line.
func CSV(w io.Writer, rows ...[]string) error {
	out := csv.NewWriter(w)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = printable.Line(cell)
		}
		_ = out.Write(cells) // its error is that of the Writer
	}
	out.Flush()
	return out.Error()
}

// JSONLine writes a value as a line of JSON by one call of Write, with <, > and & as they are.
func JSONLine[T any](w io.Writer, v T) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

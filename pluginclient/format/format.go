// Package format is a table of the formats in which something can be written to a file.
package format

import (
	"path/filepath"
	"slices"
	"strings"
)

// A Format is one of them. W is a function that writes.
type Format[W any] struct {
	Name       string   // as a user chooses it
	Extensions []string // of files in this format, with the dot
	Write      W
}

// A Table is all of them; the first is the default.
type Table[W any] []Format[W]

// ByName returns the format of a name.
func (t Table[W]) ByName(name string) (Format[W], bool) {
	return t.find(func(f Format[W]) bool { return f.Name == name })
}

// ByPath returns the format that a file's extension stands for.
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

// Names returns the names for a person: "json, text or svg".
func (t Table[W]) Names() string {
	text := t[0].Name
	for i, f := range t[1:] {
		if i == len(t)-2 {
			text += " or " + f.Name
			break
		}
		text += ", " + f.Name
	}
	return text
}

// Extensions returns all extensions for a person: ".json .txt .svg".
func (t Table[W]) Extensions() string {
	var all []string
	for _, f := range t {
		all = append(all, f.Extensions...)
	}
	return strings.Join(all, " ")
}

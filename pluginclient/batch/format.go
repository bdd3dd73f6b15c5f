package batch

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// A Format is a form in which answers can be written.
type Format struct {
	Name       string   // as a user chooses it
	Extensions []string // of files in this form, with the dot
	Text       string   // for a person
	New        func(w io.Writer) Sink
}

// Formats are the forms there are; the first is the default.
func Formats() []Format {
	return []Format{
		{
			Name: "json", Extensions: []string{".jsonl", ".json", ".ndjson"},
			Text: "JSON lines, an object for each position",
			New:  func(w io.Writer) Sink { return NewJSON(w) },
		},
		{
			Name: "text", Extensions: []string{".txt"},
			Text: "text for a person to read",
			New:  func(w io.Writer) Sink { return NewText(w) },
		},
	}
}

// FormatNamed is the format of a name.
func FormatNamed(name string) (Format, bool) {
	return find(func(f Format) bool { return f.Name == name })
}

// FormatOf is the format that a file's extension stands for.
func FormatOf(path string) (Format, bool) {
	ext := strings.ToLower(filepath.Ext(path))
	return find(func(f Format) bool { return slices.Contains(f.Extensions, ext) })
}

func find(match func(Format) bool) (Format, bool) {
	formats := Formats()
	if i := slices.IndexFunc(formats, match); i >= 0 {
		return formats[i], true
	}
	return Format{}, false
}

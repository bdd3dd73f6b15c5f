package batch

import (
	"io"

	"qhsh/pluginclient/form"
)

// A Format is a form in which answers can be written. Its Write is a Sink that writes
// to w.
type Format = form.Form[func(w io.Writer) Sink]

// Formats are the forms there are; the first is the default.
func Formats() form.Table[func(w io.Writer) Sink] {
	return []Format{
		{
			Name: "json", Extensions: []string{".jsonl", ".json", ".ndjson"}, // an object on each line
			Write: func(w io.Writer) Sink { return NewJSON(w) },
		},
		{
			Name: "text", Extensions: []string{".txt"},
			Write: func(w io.Writer) Sink { return NewText(w) },
		},
	}
}

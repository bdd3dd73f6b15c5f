package batch

import (
	"io"

	"qhsh/pluginclient/form"
)

// A Format is a form in which answers can be written. Its Write is a Sink that writes
// to w.
type Format = form.Form[func(w io.Writer) Sink]

// Formats are the forms there are, for up to so many hints; the first is the default.
func Formats(hints int) form.Table[func(w io.Writer) Sink] {
	return []Format{
		{
			Name: "json", Extensions: []string{".jsonl", ".json", ".ndjson"}, // an object on each line
			Write: func(w io.Writer) Sink { return NewJSON(w) },
		},
		{
			Name: "csv", Extensions: []string{".csv"},
			Write: func(w io.Writer) Sink { return NewCSV(w, hints) },
		},
		{
			Name: "epd", Extensions: []string{".epd"},
			Write: func(w io.Writer) Sink { return NewEPD(w) },
		},
		{
			Name: "text", Extensions: []string{".txt"},
			Write: func(w io.Writer) Sink { return NewText(w) },
		},
	}
}

// FinishSink has a Sink write what its form asks for even if there was no answer.
func FinishSink(sink Sink) error {
	if s, ok := sink.(interface{ finish() error }); ok {
		return s.finish()
	}
	return nil
}

// ResumeSink makes a new Sink go on behind what an earlier one of the same form has
// written, which it reads to its end. The output is then what one Sink would have
// written.
func ResumeSink(sink Sink, kept io.Reader) error {
	if s, ok := sink.(interface{ resume(kept io.Reader) error }); ok {
		return s.resume(kept)
	}
	return nil
}

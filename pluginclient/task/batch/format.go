package batch

import (
	"io"

	"qhsh/pluginclient/format"
)

// A Writer returns a Sink that writes to w. It is nil for a format that needs a file of its own:
// package store writes databases.
type Writer = func(w io.Writer) Sink

// A Format is a format in which answers can be written.
type Format = format.Format[Writer]

// Formats returns the supported formats, for up to the given number of hints; the first is the
// default.
func Formats(hints int) format.Table[Writer] {
	return []Format{
		{
			Name: "json", Extensions: []string{".jsonl", ".json", ".ndjson"}, // an object on each line
			Write: func(w io.Writer) Sink { return newJSONSink(w) },
		},
		{
			Name: "csv", Extensions: []string{".csv"},
			Write: func(w io.Writer) Sink { return newCSVSink(w, hints) },
		},
		{
			Name: "epd", Extensions: []string{".epd"},
			Write: func(w io.Writer) Sink { return newEPDSink(w) },
		},
		{
			Name: "text", Extensions: []string{".txt"},
			Write: func(w io.Writer) Sink { return &textSink{w: w} },
		},
		{
			Name: "parquet", Extensions: []string{".parquet"},
			Write: func(w io.Writer) Sink { return newParquetSink(w) },
		},
		{Name: "sqlite", Extensions: []string{".db", ".sqlite", ".sqlite3"}},
	}
}

// FinishSink writes what the format requires at the end, even if there was no answer.
func FinishSink(sink Sink) error {
	if s, ok := sink.(interface{ finish() error }); ok {
		return s.finish()
	}
	return nil
}

// LossMessage returns a message about data that the format could not hold; "" if nothing was lost.
func LossMessage(sink Sink) string {
	if s, ok := sink.(interface{ lossMessage() string }); ok {
		return s.lossMessage()
	}
	return ""
}

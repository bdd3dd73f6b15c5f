package annotate

import (
	"io"

	"qhsh/engine/record"
	"qhsh/pluginclient/format"
)

// WriteOptions are options of the formats.
type WriteOptions struct {
	Language Language
	Notation string          // name of the move notation; empty: the default
	Records  *record.Library // of the game
}

// A Sink writes annotated games.
type Sink struct {
	Write func(at GameID, a *Annotated) error
	Close func() error // writes what depends on all games; nil: nothing does
}

// A Writer returns a Sink that writes to w.
type Writer = func(w io.Writer, o WriteOptions) (Sink, error)

// A Format is an output format for annotated games.
type Format = format.Format[Writer]

// PageFormat is the name of the format that is written when all games are annotated.
const PageFormat = "html"

// Formats returns the output formats. The first is the default.
func Formats() format.Table[Writer] {
	return format.Table[Writer]{
		{Name: "pgn", Extensions: []string{".pgn", ".pdn"}, Write: func(w io.Writer, o WriteOptions) (Sink, error) {
			out, err := o.Records.NewWriter(w, record.PGN, o.Notation)
			return Sink{Write: func(_ GameID, a *Annotated) error { return out.Write(a.Record(o.Language)) }}, err
		}},
		{Name: "json", Extensions: []string{".jsonl", ".json"}, Write: func(w io.Writer, o WriteOptions) (Sink, error) { // one object per line
			return Sink{Write: func(at GameID, a *Annotated) error { return a.JSON(w, at, o.Notation) }}, nil
		}},
		{Name: "csv", Extensions: []string{".csv"}, Write: csvSink},
		{Name: PageFormat, Extensions: []string{".html", ".htm"}, Write: func(w io.Writer, o WriteOptions) (Sink, error) {
			p := reportOfGames{options: o}
			return Sink{p.add, func() error { return p.write(w) }}, nil
		}},
	}
}

package annotate

import (
	"io"

	"qhsh/engine/record"
	"qhsh/pluginclient/format"
)

// WriteOptions say how annotated games are written.
type WriteOptions struct {
	Language Language
	Notation string          // of moves, by its name; empty: the usual one
	Records  *record.Library // of the game
}

// A Sink writes an annotated game, which stands at a place.
type Sink func(at GameID, a *Annotated) error

// A Writer returns a Sink that writes to w.
type Writer = func(w io.Writer, o WriteOptions) (Sink, error)

// A Format is a format in which annotated games can be written.
type Format = format.Format[Writer]

// PageFormat is the name of the format that holds one game.
const PageFormat = "html"

// Formats returns the formats there are; the first is the default.
func Formats() format.Table[Writer] {
	return format.Table[Writer]{
		{Name: "pgn", Extensions: []string{".pgn"}, Write: writePGN},
		{Name: "json", Extensions: []string{".jsonl", ".json"}, Write: writeJSON}, // an object on each line
		{Name: PageFormat, Extensions: []string{".html", ".htm"}, Write: writePage},
	}
}

func writePGN(w io.Writer, o WriteOptions) (Sink, error) {
	out, err := o.Records.NewWriter(w, record.PGN, o.Notation)
	if err != nil {
		return nil, err
	}
	return func(_ GameID, a *Annotated) error { return out.Write(a.Record(o.Language)) }, nil
}

func writeJSON(w io.Writer, o WriteOptions) (Sink, error) {
	return func(at GameID, a *Annotated) error { return a.JSON(w, at, o.Notation) }, nil
}

func writePage(w io.Writer, o WriteOptions) (Sink, error) {
	return func(_ GameID, a *Annotated) error { return a.HTML(w, o.Language, o.Notation) }, nil
}

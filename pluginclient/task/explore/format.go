package explore

import (
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient/format"
)

// WriteOptions say how a report is written.
type WriteOptions struct {
	Games    games.Table
	Notation string // of moves; "" for that of the game's positions
}

// name returns a move in the notation.
func (o WriteOptions) name(p engine.Position, m engine.Move) string {
	return strings.Join(o.Games.MoveNames(p, []engine.Move{m}, o.Notation), "")
}

// A Writer writes a report.
type Writer = func(w io.Writer, r *Report, o WriteOptions) error

// Formats returns the output formats of reports. The first is the default.
func Formats() format.Table[Writer] {
	return format.Table[Writer]{
		{Name: "text", Extensions: []string{".txt"}, Write: WriteText},
		{Name: "json", Extensions: []string{".json", ".jsonl"}, Write: WriteJSON},
	}
}

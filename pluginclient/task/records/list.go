package records

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
)

// ListFormats returns the output formats for a list of games. The first is the default.
func ListFormats() format.Table[Writer] {
	return format.Table[Writer]{
		{Name: "text", Extensions: []string{".txt"}, Write: listText},
		{Name: "json", Extensions: []string{".jsonl", ".json"}, Write: listJSON},
		recordFormat(record.PGN),
	}
}

// listText writes a table with fixed column widths, so that rows are written as games are read. A
// row of a terminal is one line.
func listText(w io.Writer, s Style) (Sink, error) {
	const row = "%5v  %-7s  %5v  %s  %s  %s  %s"
	first, second := strings.ToLower(s.Library.PGN.First), strings.ToLower(s.Library.PGN.Second)
	rows := rowWriter{
		w: w, width: s.Width,
		header: fmt.Sprintf(row, "#", "result", "plies", cell("date", 12), cell(first, 16), cell(second, 16), "event"),
	}
	return Sink{Write: func(file string, number int, g *record.Game) error {
		first, second := players(g, s.Library)
		event := cmp.Or(g.Tags.Get("Event"), g.Tags.Get("Title"))
		if why := g.Tags.Get(record.IllegalStart); why != "" {
			event = strings.TrimSpace(event + "  illegal start: " + why)
		}
		line := fmt.Sprintf(row, number, s.Library.PGN.FormatResult(g.Result), g.Plies(),
			cell(g.Tags.Get("Date"), 12), cell(first, 16), cell(second, 16), printable.Line(event))
		return rows.write(file, line)
	}}, nil
}

// A rowWriter writes a table of games, of which each file has a line with its name.
type rowWriter struct {
	w      io.Writer
	header string // written before the first row
	width  int    // at which rows are cut; 0: not cut
	file   string // of the last row
}

func (r *rowWriter) write(file, row string) error {
	text := ""
	if r.header != "" {
		text, r.header = r.line(r.header), ""
	}
	if file != r.file {
		text += printable.Line(file) + "\n"
		r.file = file
	}
	_, err := io.WriteString(r.w, text+r.line(row))
	return err
}

func (r *rowWriter) line(row string) string {
	if r.width > 0 {
		row = printable.Width.Truncate(row, r.width, "…")
	}
	return strings.TrimRight(row, " ") + "\n"
}

// cell returns an escaped text, padded or truncated to width columns.
func cell(text string, width int) string {
	return printable.Width.FillRight(printable.Width.Truncate(printable.Line(text), width, "…"), width)
}

func listJSON(w io.Writer, s Style) (Sink, error) {
	return Sink{Write: func(file string, number int, g *record.Game) error {
		first, second := players(g, s.Library)
		return format.JSONLine(w, object{
			{"file", file},
			{"game", number},
			{strings.ToLower(s.Library.PGN.First), first},
			{strings.ToLower(s.Library.PGN.Second), second},
			{"result", s.Library.PGN.FormatResult(g.Result)},
			{"date", g.Tags.Get("Date")},
			{"event", g.Tags.Get("Event")},
			{"title", g.Tags.Get("Title")},
			{"opening", s.Games.Opening(g)},
			{"fen", g.Start.String()},
			{"illegal", g.Tags.Get(record.IllegalStart)},
			{"plies", g.Plies()},
		})
	}}, nil
}

// An object is a JSON object with a fixed order of keys, some of which depend on the game. Empty
// strings are omitted.
type object []struct {
	key   string
	value any
}

// MarshalJSON writes the keys in order.
func (o object) MarshalJSON() ([]byte, error) {
	var shown object
	for _, field := range o {
		if field.value != "" {
			shown = append(shown, field)
		}
	}
	return printable.JSONObject(len(shown), func(i int) (string, any) { return shown[i].key, shown[i].value })
}

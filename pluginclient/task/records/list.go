package records

import (
	"bytes"
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
	lastFile := ""
	hasHeader := false
	return Sink{Write: func(file string, number int, g *record.Game) error {
		if !hasHeader {
			hasHeader = true
			first, second := strings.ToLower(s.Library.PGN.First), strings.ToLower(s.Library.PGN.Second)
			header := fmt.Sprintf(row, "#", "result", "plies", cell("date", 12), cell(first, 16), cell(second, 16), "event")
			if err := writeRow(w, header, s.Width); err != nil {
				return err
			}
		}
		if file != lastFile {
			lastFile = file
			if _, err := fmt.Fprintf(w, "%s\n", printable.Line(file)); err != nil {
				return err
			}
		}
		first, second := players(g, s.Library)
		event := cmp.Or(g.Tags.Get("Event"), g.Tags.Get("Title"))
		if why := g.Tags.Get(record.IllegalStart); why != "" {
			event = strings.TrimSpace(event + "  illegal start: " + why)
		}
		line := fmt.Sprintf(row, number, s.Library.PGN.FormatResult(g.Result), g.Plies(),
			cell(g.Tags.Get("Date"), 12), cell(first, 16), cell(second, 16), printable.Line(event))
		return writeRow(w, line, s.Width)
	}}, nil
}

// writeRow writes a row, cut at a width that is not 0.
func writeRow(w io.Writer, row string, width int) error {
	if width > 0 {
		row = printable.Width.Truncate(row, width, "…")
	}
	_, err := fmt.Fprintln(w, strings.TrimRight(row, " "))
	return err
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
	var text bytes.Buffer
	text.WriteByte('{')
	for _, field := range o {
		if text, ok := field.value.(string); ok && text == "" {
			continue
		}
		if text.Len() > 1 {
			text.WriteByte(',')
		}
		if err := format.JSONLine(&text, field.key); err != nil {
			return nil, err
		}
		text.WriteByte(':')
		if err := format.JSONLine(&text, field.value); err != nil {
			return nil, err
		}
	}
	text.WriteByte('}')
	return text.Bytes(), nil
}

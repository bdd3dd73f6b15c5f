package records

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"

	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/format"
)

// ListFormats returns the formats of a list of games; the first is the default.
func ListFormats() format.Table[Writer] {
	return format.Table[Writer]{
		{Name: "text", Extensions: []string{".txt"}, Write: listText},
		{Name: "json", Extensions: []string{".jsonl", ".json"}, Write: listJSON},
		recordFormat(record.PGN),
	}
}

// listText writes a table whose columns have a width of their own, so that it comes as it
// is read.
func listText(w io.Writer, s Style) (Sink, error) {
	const row = "%5v  %-7s  %5v  %s  %s  %s  %s"
	lastFile := ""
	hasHeader := false
	return func(file string, number int, g *record.Game) error {
		if !hasHeader {
			hasHeader = true
			first, second := strings.ToLower(s.Library.PGN.First), strings.ToLower(s.Library.PGN.Second)
			if _, err := fmt.Fprintf(w, row+"\n", "#", "result", "plies", cell("date", 12), cell(first, 16), cell(second, 16), "event"); err != nil {
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
		_, err := fmt.Fprintln(w, strings.TrimRight(line, " "))
		return err
	}, nil
}

// columnWidth counts the columns of a text on a terminal. What is of either width is narrow.
var columnWidth = &runewidth.Condition{}

// cell returns a text, escaped, in so many columns.
func cell(text string, width int) string {
	return columnWidth.FillRight(columnWidth.Truncate(printable.Line(text), width, "…"), width)
}

func listJSON(w io.Writer, s Style) (Sink, error) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return func(file string, number int, g *record.Game) error {
		first, second := players(g, s.Library)
		return enc.Encode(object{
			{"file", file},
			{"game", number},
			{strings.ToLower(s.Library.PGN.First), first},
			{strings.ToLower(s.Library.PGN.Second), second},
			{"result", s.Library.PGN.FormatResult(g.Result)},
			{"date", g.Tags.Get("Date")},
			{"event", g.Tags.Get("Event")},
			{"title", g.Tags.Get("Title")},
			{"fen", g.Start.String()},
			{"illegal", g.Tags.Get(record.IllegalStart)},
			{"plies", g.Plies()},
		})
	}, nil
}

// An object is one of JSON whose keys depend on the game. Empty texts are left out.
type object []struct {
	key   string
	value any
}

// MarshalJSON writes the object in its order.
func (o object) MarshalJSON() ([]byte, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	text.WriteByte('{')
	for _, field := range o {
		if field.value == "" {
			continue
		}
		if text.Len() > 1 {
			text.WriteByte(',')
		}
		if err := enc.Encode(field.key); err != nil {
			return nil, err
		}
		text.WriteByte(':')
		if err := enc.Encode(field.value); err != nil {
			return nil, err
		}
	}
	text.WriteByte('}')
	return text.Bytes(), nil
}

package record

import (
	"bytes"
	"fmt"
	"strings"

	"qhsh/engine/record"
)

// The delimiters of the moves in a WXF file.
const (
	wxfStart = "START{"
	wxfEnd   = "}END"
)

func isWXF(head []byte) bool {
	return bytes.Contains(head, []byte(wxfStart)) && !record.HasTag(head)
}

// wxfNames are the tags for the keywords of WXF.
var wxfNames = map[string]string{
	"GAME": "Event", "EVENT": "Event", "RED": "Red", "BLACK": "Black", "DATE": "Date", "PLACE": "Site", "SITE": "Site", "ROUND": "Round",
}

// readWXF yields the games of a WXF file: lines of a word and a value, a comment between
// /* and */, and the moves between START{ and }END.
func readWXF(s *record.Source, yield func(*record.Game, error) bool) {
	text, ok := s.ReadText(record.Decode, yield)
	if !ok {
		return
	}
	line := 1
	for count := 1; ; count++ {
		head, rest, ok := strings.Cut(text, wxfStart)
		if !ok {
			if strings.Contains(head, "FORMAT") {
				yield(nil, s.LineError(count, line+strings.Count(strings.TrimRight(head, "\r\n"), "\n"), errTruncated))
			}
			return
		}
		moves, after, closed := strings.Cut(rest, wxfEnd)
		headLines := strings.Count(head, "\n")
		g, at, err := readWXFGame(s, head, moves)
		if err == nil && !closed {
			at, err = strings.Count(moves, "\n"), fmt.Errorf("missing %s", wxfEnd)
		}
		if err != nil {
			err = s.LineError(count, line+headLines+at, err)
		}
		if !yield(g, err) {
			return
		}
		line += headLines + strings.Count(moves, "\n")
		text = after
	}
}

func readWXFGame(s *record.Source, head, moves string) (g *record.Game, line int, err error) {
	var tags record.Tags
	var result, fen, remark string
	if before, rest, ok := strings.Cut(head, "/*"); ok {
		text, after, _ := strings.Cut(rest, "*/")
		head, remark = before+after, record.CleanText(text)
	}
	for l := range strings.Lines(head) {
		word, value, _ := strings.Cut(strings.TrimSpace(l), "\t")
		word = strings.ToUpper(strings.TrimSpace(word))
		value, team, _ := strings.Cut(strings.TrimSpace(value), ";")
		switch name := wxfNames[word]; {
		case word == "RESULT":
			result = value
		case word == "FEN":
			fen = value
		case name != "":
			tags.Add(name, value)
			if name == "Red" || name == "Black" {
				tags.Add(name+"Team", strings.Trim(team, "; "))
			}
		}
	}
	start, err := s.Position(fen)
	if err != nil {
		return nil, 0, err
	}
	g, line, err = s.Moves(moves, start, "")
	g.Tags = tags
	g.Root.Comment = record.JoinLines(remark, g.Root.Comment)
	if result != "" {
		g.SetResult(result)
	}
	return g, line, err
}

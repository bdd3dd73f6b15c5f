package record

import (
	"errors"
	"fmt"
	"strings"

	"qhsh/engine/lazyregexp"
	"qhsh/engine/record"
)

// The delimiters of the moves in a WXF file.
const (
	wxfStart = "START{"
	wxfEnd   = "}END"
)

// wxfNames are the tags for the keywords of WXF.
var wxfNames = map[string]string{
	"GAME": "Event", "EVENT": "Event", "RED": "Red", "BLACK": "Black", "DATE": "Date", "PLACE": "Site", "SITE": "Site", "ROUND": "Round",
	"OPENING": "Opening", "TIME": "TimeControl",
}

// readWXF yields the games of a WXF file: lines of a word and a value, which tabs or blanks separate, a
// comment between /* and */, and the moves between START{ and }END. The values of RED, BLACK and EVENT
// may have further fields after semicolons: the team or the rating, and the time control.
func readWXF(s *record.Source, text string, yield func(*record.Game, error) bool) {
	line := 1
	for count := 1; ; count++ {
		head, rest, ok := strings.Cut(text, wxfStart)
		if !ok {
			if strings.TrimSpace(head) != "" {
				yield(nil, s.LineError(count, line+strings.Count(strings.TrimRight(head, "\r\n"), "\n"), errors.New("missing "+wxfStart)))
			}
			return
		}
		moves, after, closed := strings.Cut(rest, wxfEnd)
		g, at, err := readWXFGame(s, head, moves)
		lines := strings.Count(head, "\n") + strings.Count(moves, "\n")
		if err == nil && !closed {
			at, err = lines, fmt.Errorf("missing %s", wxfEnd)
		}
		if !yield(g, s.LineError(count, line+at, err)) {
			return
		}
		line += lines
		text = after
	}
}

// wxfComment matches a comment, which the end of the head may end.
var wxfComment = lazyregexp.New(`(?s)/\*.*?(?:\*/|$)`)

// readWXFGame reads a game. line is the line of the error, from 0.
func readWXFGame(s *record.Source, head, moves string) (g *record.Game, line int, err error) {
	var errs record.Errors
	h, remark := wxfHead{}, ""
	head = wxfComment().ReplaceAllStringFunc(head, func(text string) string {
		remark = record.JoinLines(remark, record.CleanText(strings.TrimSuffix(text[2:], "*/")))
		return strings.Repeat("\n", strings.Count(text, "\n"))
	})
	lines := -1
	for l := range strings.SplitSeq(head, "\n") {
		lines++
		if err := h.read(l, lines); err != nil {
			errs.AddAt(lines, &record.DroppedError{Err: err, Fix: "the line is ignored"})
		}
	}
	start, err := s.Position(h.fen)
	if err != nil {
		return nil, h.fenLine, err
	}
	g, at, err := s.Moves(moves, start, h.fen)
	errs.AddAt(lines+at, err)
	g.Tags = h.tags
	g.Root.Comment = record.JoinLines(remark, g.Root.Comment)
	errs.AddAt(h.resultLine, g.SetResult(h.result))
	if err == nil && len(g.Tags) == 0 && g.Plies() == 0 && h.fen == "" {
		errs.AddAt(lines, errNothing)
	}
	return g, errs.Line, errs.Err()
}

type wxfHead struct {
	tags        record.Tags
	result, fen string
	fenLine     int // its index
	resultLine  int
}

// read reads a line of the head, given its index.
func (h *wxfHead) read(line string, index int) error {
	line = strings.Trim(line, " \t\r\ufeff")
	word, value := line, ""
	if end := strings.IndexAny(line, " \t:="); end >= 0 {
		word, value = line[:end], strings.TrimLeft(line[end:], " \t:=")
	}
	word = strings.ToUpper(word)
	name := wxfNames[word]
	switch field, more, _ := strings.Cut(value, ";"); {
	case line == "", word == "FORMAT":
	case word == "RESULT":
		h.result, h.resultLine = value, index
	case word == "FEN":
		h.fen, h.fenLine = value, index
	case name == "":
		return fmt.Errorf("unknown header line %.40q", line)
	case name == "Red" || name == "Black":
		h.tags.Add(name, field)
		more = strings.Trim(more, "; ")
		if strings.Trim(more, "0123456789") == "" {
			name += "Elo"
		} else {
			name += "Team"
		}
		h.tags.Add(name, more)
	case name == "Event":
		h.tags.Add(name, field)
		h.tags.Add("TimeControl", strings.Trim(more, "; "))
	default:
		h.tags.Add(name, value)
	}
	return nil
}

package record

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"qhsh/engine/record"
)

// CBF is CCBridge's XML format: a Head with texts and a FEN, and a MoveList of Move elements
// whose value is two points, file and rank from Black's side, as in "77-47". Their content is
// the comment. The first, 00-00, is the start.

// A cbfMove is a Move element.
type cbfMove struct {
	Value   string     `xml:"value,attr"`
	End     string     `xml:"end,attr"`
	Comment string     `xml:",chardata"`
	Other   []xml.Attr `xml:",any,attr"`
}

// cbfNames are the PGN tags for the elements of Head.
var cbfNames = map[string]string{
	"Name": "Title", "Contest": "Event", "Round": "Round", "Group": "Group", "Table": "Table", "Date": "Date", "Site": "Site",
	"TimeRule": "TimeControl", "Red": "Red", "RedTeam": "RedTeam", "RedTime": "RedTime", "RedRating": "RedElo",
	"Black": "Black", "BlackTeam": "BlackTeam", "BlackTime": "BlackTime", "BlackRating": "BlackElo",
	"Commentator": "Annotator", "Creator": "Author", "ECCO": "ECCO",
}

func readCBF(s *record.Source, text string, yield func(*record.Game, error) bool) {
	if at := longElement(text); at >= 0 {
		err := fmt.Errorf("element of more than %s: not a game of CBF", record.Megabytes(record.MaxLine))
		yield(nil, s.LineError(0, 1+strings.Count(text[:at], "\n"), err))
		return
	}
	r := &cbfReader{src: s, dec: xml.NewDecoder(strings.NewReader(text))}
	// The text has been converted to UTF-8, whatever encoding it declares.
	r.dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	r.read()
	yield(r.game, s.LineError(0, r.errs.Line, r.errs.First()))
}

// longElement returns the offset of a tag that ends, with the text after it, beyond the limit of a line;
// -1 if there is none. The decoder keeps far more of each.
func longElement(text string) (at int) {
	for at < len(text) {
		next := strings.IndexByte(text[at+1:], '<')
		if next < 0 {
			next = len(text) - at - 1
		}
		if next >= record.MaxLine {
			return at
		}
		at += 1 + next
	}
	return -1
}

type cbfReader struct {
	src    *record.Source
	dec    *xml.Decoder
	tags   record.Tags
	fen    string
	result string
	game   *record.Game
	*treeBuilder
	errs    record.Errors
	skipped *skippedTree // if moves that cannot be played are kept
}

// read reads the file to its end, or to what makes the rest unreadable.
func (r *cbfReader) read() {
	for ended, unreadable := false, false; !unreadable; {
		token, err := r.dec.Token()
		if err != nil {
			if r.game == nil && r.errs.First() == nil {
				r.fail(r.startGame())
			}
			switch {
			case !errors.Is(err, io.EOF):
				r.fail(err)
			case !ended:
				r.fail(errTruncated)
			}
			break
		}
		switch token := token.(type) {
		case xml.EndElement:
			ended = ended || token.Name.Local == "ChineseChessRecord"
		case xml.StartElement:
			err = r.element(token)
			r.fail(err)
			unreadable = errors.As(err, new(*xml.SyntaxError)) || errors.Is(err, errNoGame) || record.IsLimit(err)
		}
	}
	if r.skipped != nil {
		r.errs.AddAt(int(r.skipped.at), r.Current().Drop(true, r.skipped.err, r.skipped.String))
	}
}

// fail adds an error at the line that has been read, unless it is nil.
func (r *cbfReader) fail(err error) {
	line, _ := r.dec.InputPos()
	r.errs.AddAt(line, err)
}

// element reads an element, but those that contain others are read one by one.
func (r *cbfReader) element(start xml.StartElement) error {
	switch name := start.Name.Local; name {
	case "ChineseChessRecord", "Head", "MoveList":
		return nil
	case "Move":
		var m cbfMove
		if err := r.dec.DecodeElement(&m, &start); err != nil {
			return err
		}
		return r.move(m)
	default:
		var value string
		err := r.dec.DecodeElement(&value, &start)
		switch value = strings.TrimSpace(value); {
		case err != nil:
		case name == "FEN":
			r.fen = value
		case name == "RecordResult":
			r.result = value
		case cbfNames[name] != "":
			r.tags.Add(cbfNames[name], value)
		}
		return err
	}
}

var errNoGame = errors.New("no game")

func (r *cbfReader) startGame() error {
	start, err := r.src.Position(r.fen)
	if err != nil {
		return fmt.Errorf("%w: %w", errNoGame, err)
	}
	r.game = record.NewGame(start)
	r.game.Tags = r.tags
	if len(r.result) == 1 {
		r.game.Result = outcomeOf(r.result[0] - '0')
	}
	r.treeBuilder = newTreeBuilder(r.src, r.game)
	return nil
}

// move plays a move of the main line. Other attributes are errors: no files with variations are
// available to learn their meaning.
func (r *cbfReader) move(m cbfMove) error {
	if r.game == nil {
		if err := r.startGame(); err != nil {
			return err
		}
	}
	if r.errs.First() != nil {
		return nil
	}
	t := binaryMove{from: -1, comment: record.CleanText(m.Comment)}
	wellFormed := len(m.Value) == 5 && m.Value[2] == '-'
	if wellFormed {
		t.from, t.to = dhtmlPoint(m.Value), dhtmlPoint(m.Value[3:])
	}
	if r.skipped != nil {
		r.skipped.add(t.text())
		return nil
	}
	if m.Value == "00-00" {
		return r.Join(&r.Current().Comment, t.comment)
	}
	for _, attr := range m.Other {
		return fmt.Errorf("move %d: unknown attribute %s=%q: possibly a variation", r.Depth()+1, attr.Name.Local, attr.Value)
	}
	if !wellFormed {
		return fmt.Errorf("move %d: invalid move %q: use the form 77-47", r.Depth()+1, m.Value)
	}
	err := r.addMove(t)
	if err == nil || !r.lenient {
		return err
	}
	line, _ := r.dec.InputPos()
	r.skipped = &skippedTree{err: err, at: int64(line)}
	r.skipped.add(t.text())
	return nil
}

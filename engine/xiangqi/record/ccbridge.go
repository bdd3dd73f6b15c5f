package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"unicode/utf16"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

// CBR is CCBridge's format for one game: a header with UTF-16 texts in fields of fixed length, the
// board row by row from Black's side, then the moves in the same order as in XQF. The format is
// not published; this was derived from files.

const (
	cbrMagic = "CCBridge Record\x00"
	cblMagic = "CCBridgeLibrary\x00"
)

// The flags of a move.
const (
	cbrNoReply        = 1
	cbrHasAlternative = 2
	cbrHasComment     = 4
)

// A cbrLayout holds the offsets in the header of a version.
type cbrLayout struct {
	texts  []textField // each ends at a zero
	result int         // see outcomeOf
	turn   int         // 2 is Black
	board  int
	moves  int
}

// cbrLayouts are the layouts by version, which is byte 19 of a file. In the header of version 2
// there are 128 bytes more before the title, and as many before the annotator.
var cbrLayouts = map[byte]*cbrLayout{1: newCBRLayout(0), 2: newCBRLayout(128)}

func newCBRLayout(more int) *cbrLayout {
	l := &cbrLayout{result: 1820 + 2*more, turn: 1856 + 2*more, board: 1864 + 2*more, moves: 1958 + 2*more}
	for _, f := range []textField{
		{52, 128, "Title"},
		{564, 64, "Event"},
		{628, 64, "Round"},
		{692, 32, "Group"},
		{724, 32, "Table"},
		{756, 64, "Date"},
		{820, 64, "Site"},
		{884, 64, "TimeControl"},
		{948, 64, "Red"},
		{1012, 64, "RedTeam"},
		{1076, 64, "RedTime"},
		{1140, 32, "RedElo"},
		{1172, 64, "Black"},
		{1236, 64, "BlackTeam"},
		{1300, 64, "BlackTime"},
		{1364, 32, "BlackElo"},
		{1396 + more, 64, "Annotator"},
		{1524 + more, 64, "Author"},
	} {
		f.at += more
		l.texts = append(l.texts, f)
	}
	return l
}

const (
	cbrVersion = 19
	cbrID      = 20 // a GUID
)

func isCBR(head []byte) bool { return bytes.HasPrefix(head, []byte(cbrMagic)) }

// cbrHeaderTruncated reports whether a game is truncated before its moves.
func cbrHeaderTruncated(raw []byte) bool {
	if len(raw) <= cbrVersion {
		return true
	}
	layout := cbrLayouts[raw[cbrVersion]]
	return layout != nil && len(raw) < layout.moves+4
}

type cbrReader struct {
	byteReader
	nibbles bool // a point is file x 16 + rank (version 1), not a number up to 89
}

// readCBRGame reads a game at an offset of the file.
func readCBRGame(s *record.Source, raw []byte, at int64, number int) (*record.Game, error) {
	fail := func(offset int64, err error) error { return s.ByteError(number, at+offset, err) }
	if len(raw) <= cbrVersion {
		return nil, fail(int64(len(raw)), errTruncated)
	}
	layout := cbrLayouts[raw[cbrVersion]]
	switch {
	case layout == nil:
		return nil, fail(cbrVersion, fmt.Errorf("unknown version %d of CBR: only 1 and 2 are supported", raw[cbrVersion]))
	case cbrHeaderTruncated(raw):
		return nil, fail(int64(len(raw)), errors.New("unexpected end of file within the header of CBR"))
	}
	r := &cbrReader{byteReader{raw: raw, pos: layout.moves}, raw[cbrVersion] == 1}
	root, err := r.next()
	if err != nil {
		return nil, fail(int64(r.pos), err)
	}
	ahead := *r
	if first, err := ahead.next(); err == nil && first.from == first.to {
		root.hasReply = false
	}
	return r.readGame(s, root, r.next, func(first int) (*record.Game, error) {
		start, err := layout.start(s, raw, first)
		if err != nil {
			return nil, fail(int64(layout.board), err)
		}
		g := record.NewGame(start)
		for _, text := range layout.texts {
			g.Tags.Add(text.name, utf16Text(raw[text.at:][:text.size]))
		}
		g.Result = outcomeOf(raw[layout.result])
		return g, nil
	}, fail)
}

func (r *cbrReader) next() (t binaryMove, err error) {
	t.offset, t.from = int64(r.pos), -1
	b, err := r.bytes(4)
	if err != nil {
		return t, err
	}
	t.hasReply, t.hasAlternative = b[0]&cbrNoReply == 0, b[0]&cbrHasAlternative != 0
	t.from, t.to = r.point(b[2]), r.point(b[3])
	if b[0]&cbrHasComment == 0 {
		return t, nil
	}
	text, err := r.comment(0)
	t.comment = record.CleanText(utf16Text(text))
	return t, err
}

// point decodes a point; -1 if it is invalid.
func (r *cbrReader) point(b byte) int {
	if r.nibbles {
		return nibblePoint(b)
	}
	return pointOf(b%9, b/9)
}

// utf16Text decodes a text up to its end or a zero.
func utf16Text(raw []byte) string {
	units := make([]uint16, len(raw)/2)
	_, _ = binary.Decode(raw, binary.LittleEndian, units) // there are enough bytes
	if end := slices.Index(units, 0); end >= 0 {
		units = units[:end]
	}
	return string(utf16.Decode(units))
}

// start returns the start position. A piece is 16 x its side, 1 or 2, + its kind as xiangqi.Kind has
// it.
func (l *cbrLayout) start(s *record.Source, raw []byte, first int) (engine.Position, error) {
	var g grid
	for i, b := range raw[l.board : l.board+90] {
		kind, side := b&15, b>>4
		if kind < 1 || kind > 7 || side < 1 || side > 2 {
			continue
		}
		g[pointOf(byte(i%9), byte(i/9))] = xiangqi.NewPiece(xiangqi.Side(side-1), xiangqi.Kind(kind))
	}
	if g == (grid{}) {
		return nil, errors.New("empty board: a text, not a game")
	}
	return s.Position(g.position(first, raw[l.turn] == 2))
}

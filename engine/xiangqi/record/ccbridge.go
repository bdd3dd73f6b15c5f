package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf16"

	"qhsh/engine"
	"qhsh/engine/record"
)

// CBR is CCBridge's format for one game: a header with UTF-16 texts in fields of fixed length, the
// board row by row from Black's side, then the moves in the same order as in XQF. The format is
// not published; this was derived from files.

const (
	cbrMagic = "CCBridge Record\x00"
	cblMagic = "CCBridgeLibrary\x00"
)

// A cbrLayout holds the offsets in the header of a version.
type cbrLayout struct {
	texts  []cbrText
	result int // see outcomeOf
	turn   int // 2 is Black
	board  int
	moves  int
}

type cbrText struct {
	offset, length int // in bytes
	name           string
}

// The flags of a move.
const (
	cbrNoReply        = 1
	cbrHasAlternative = 2
	cbrHasComment     = 4
)

// cbrLayouts are the layouts by version, which is byte 19 of a file.
var cbrLayouts = map[byte]*cbrLayout{
	1: {
		texts: []cbrText{
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
			{1396, 64, "Annotator"},
			{1524, 64, "Author"},
		},
		result: 1820, turn: 1856, board: 1864, moves: 1958,
	},
	2: {
		texts: []cbrText{
			{180, 128, "Title"},
			{692, 64, "Event"},
			{756, 64, "Round"},
			{820, 32, "Group"},
			{852, 32, "Table"},
			{884, 64, "Date"},
			{948, 64, "Site"},
			{1012, 64, "TimeControl"},
			{1076, 64, "Red"},
			{1140, 64, "RedTeam"},
			{1204, 64, "RedTime"},
			{1268, 32, "RedElo"},
			{1300, 64, "Black"},
			{1364, 64, "BlackTeam"},
			{1428, 64, "BlackTime"},
			{1492, 32, "BlackElo"},
			{1652, 64, "Annotator"},
			{1780, 64, "Author"},
		},
		result: 2076, turn: 2112, board: 2120, moves: 2214,
	},
}

const cbrVersion = 19

func isCBR(head []byte) bool { return bytes.HasPrefix(head, []byte(cbrMagic)) }

func readCBR(s *record.Source, yield func(*record.Game, error) bool) {
	if raw, ok := s.ReadAll(yield); ok {
		yield(readCBRGame(s, raw, 0, 0))
	}
}

// cbrHeaderTruncated reports whether a game is truncated before its moves.
func cbrHeaderTruncated(raw []byte) bool {
	if len(raw) <= cbrVersion {
		return true
	}
	layout := cbrLayouts[raw[cbrVersion]]
	return layout != nil && len(raw) < layout.moves+4
}

// A cbrReader reads the moves of a game.
type cbrReader struct {
	raw     []byte
	pos     int
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
	r := &cbrReader{raw: raw, pos: layout.moves, nibbles: raw[cbrVersion] == 1}
	root, err := r.next()
	if err != nil {
		return nil, fail(int64(r.pos), err)
	}
	first, firstErr := r.next()
	none := !root.hasReply || firstErr == nil && first.from == first.to
	if none {
		first.from = -1
	}
	start, err := layout.start(s, raw, first.from)
	if err != nil {
		return nil, fail(int64(layout.board), err)
	}
	g := record.NewGame(start)
	layout.setTags(g, raw)
	g.Root.Comment = root.comment
	switch {
	case none:
		return g, nil
	case firstErr != nil:
		return g, fail(int64(r.pos), firstErr)
	}
	next := func() (binaryMove, error) {
		t, err := r.next()
		if err != nil {
			err = fail(int64(r.pos), err)
		}
		return t, err
	}
	return g, newTreeBuilder(s, g).readTree(first, next, fail)
}

func (r *cbrReader) next() (t binaryMove, err error) {
	t.offset, t.from = int64(r.pos), -1
	if len(r.raw)-r.pos < 4 {
		return t, errTruncated
	}
	b := r.raw[r.pos : r.pos+4]
	r.pos += 4
	t.hasReply, t.hasAlternative = b[0]&cbrNoReply == 0, b[0]&cbrHasAlternative != 0
	t.from, t.to = r.point(b[2]), r.point(b[3])
	if b[0]&cbrHasComment == 0 {
		return t, nil
	}
	if len(r.raw)-r.pos < 4 {
		return t, errTruncated
	}
	length := binary.LittleEndian.Uint32(r.raw[r.pos:])
	r.pos += 4
	if int64(length) > int64(len(r.raw)-r.pos) {
		return t, fmt.Errorf("comment of %d bytes, but only %d are left", length, len(r.raw)-r.pos)
	}
	t.comment = record.CleanText(utf16Text(r.raw[r.pos : r.pos+int(length)]))
	r.pos += int(length)
	return t, nil
}

// point decodes a point; -1 if it is invalid.
func (r *cbrReader) point(b byte) int {
	rank, file := int(b/9), int(b%9)
	if r.nibbles {
		rank, file = int(b&15), int(b>>4)
	}
	if rank > 9 || file > 8 {
		return -1
	}
	return (9-rank)*9 + file
}

// utf16Text decodes a text up to its end or a zero.
func utf16Text(raw []byte) string {
	var units []uint16
	for ; len(raw) >= 2; raw = raw[2:] {
		unit := binary.LittleEndian.Uint16(raw)
		if unit == 0 {
			break
		}
		units = append(units, unit)
	}
	return string(utf16.Decode(units))
}

// start returns the start position. A piece is 16 x its side, 1 or 2, + its kind, from 1 in the
// order of XQF.
func (l *cbrLayout) start(s *record.Source, raw []byte, first int) (engine.Position, error) {
	var g grid
	for i, b := range raw[l.board : l.board+90] {
		kind, side := b&15, b>>4
		if kind < 1 || kind > 7 || side < 1 || side > 2 {
			continue
		}
		letter := "RNBAKCP"[kind-1]
		if side == 2 {
			letter |= 0x20
		}
		g[(9-i/9)*9+i%9] = letter
	}
	if g == (grid{}) {
		return nil, errors.New("empty board: a text, not a game")
	}
	return s.Position(g.position(first, raw[l.turn] == 2))
}

func (l *cbrLayout) setTags(g *record.Game, raw []byte) {
	for _, text := range l.texts {
		g.Tags.Add(text.name, utf16Text(raw[text.offset:text.offset+text.length]))
	}
	g.Result = outcomeOf(raw[l.result])
}

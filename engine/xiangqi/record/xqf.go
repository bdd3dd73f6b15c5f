package record

import (
	"bytes"
	"errors"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

// XQF is the format of XQStudio. Its author published version 1.0 (0x0a), which is not encrypted:
// a header of 0x400 bytes, then the moves, each with flags for a reply and for an alternative. A
// point is file x 10 + rank, both from 0.
//
// From version 1.1 (0x0b) on, four bytes of the header are a key. It determines three numbers that
// are added to points, one that is added to the lengths of comments, and 32 bytes that are added to
// everything after the header. From 0x0c on the 32 pieces of the start are rotated as well. The
// texts of the header are never encrypted.

// Offsets in the header, and values found there.
const (
	xqfVersion       = 0x02
	xqfKeys          = 0x03
	xqfPieces        = 0x10
	xqfTurn          = 0x32
	xqfResult        = 0x33
	xqfType          = 0x40
	xqfHeader        = 0x400
	xqfLastPlain     = 0x0a // the last version without keys
	xqfLastUnrotated = 0x0b // the last version whose pieces are not rotated
	xqfFromAdd       = 0x18
	xqfToAdd         = 0x20
	xqfSetupType     = 2 // this type and higher ones have their own start position
	xqfEndgame       = 3
)

// xqfTexts are the texts of the header: a byte with the length, then the text in a field of most
// bytes.
var xqfTexts = []textField{
	{0x50, 63, "Title"},
	{0xd0, 63, "Event"},
	{0x110, 15, "Date"},
	{0x120, 15, "Site"},
	{0x130, 15, "Red"},
	{0x140, 15, "Black"},
	{0x150, 63, "TimeControl"},
	{0x190, 15, "RedTime"},
	{0x1a0, 15, "BlackTime"},
	{0x1d0, 15, "Annotator"},
	{0x1e0, 15, "Author"},
}

// An xqfKey is the key of an encrypted file: the numbers that were added to its bytes.
type xqfKey struct {
	pieces, from, to byte
	length           uint32
	stream           [32]byte
}

func newXQFKey(head []byte) (k xqfKey) {
	mask, or, seeds := head[xqfKeys], head[0x08:0x0c], head[0x0c:0x10]
	grow := func(seed byte) byte { return 54*seed*seed + 221 }
	k.pieces = grow(seeds[1]) * seeds[1]
	k.from = grow(seeds[2]) * k.pieces
	k.to = grow(seeds[3]) * k.from
	k.length = (uint32(seeds[0])<<8+uint32(seeds[1]))%32000 + 767
	for i, c := range []byte("[(C) Copyright Mr. Dong Shiwei.]") {
		k.stream[i] = c & (or[i%4] | seeds[i%4]&mask)
	}
	return k
}

// readXQF yields the only game of a file.
func readXQF(s *record.Source, raw []byte, yield func(*record.Game, error) bool) {
	if len(raw) < xqfHeader {
		yield(nil, s.ByteError(0, int64(len(raw)), errors.New("unexpected end of file within the header of XQF")))
		return
	}
	x := &xqfReader{header: raw[:xqfHeader], byteReader: byteReader{raw: raw[xqfHeader:], from: xqfHeader}}
	if x.plain = x.header[xqfVersion] <= xqfLastPlain; !x.plain {
		x.key = newXQFKey(x.header)
		for i := range x.raw {
			x.raw[i] -= x.key.stream[i%32]
		}
	}
	x.chooseEncoding(s)
	yield(x.game(s))
}

// An xqfReader reads the moves of a file, which are decrypted.
type xqfReader struct {
	header []byte
	byteReader
	plain  bool
	key    xqfKey
	decode func([]byte) string // of the file's texts
}

// xqfSample is the size in bytes of the texts that decide about the encoding.
const xqfSample = 1 << 16

// chooseEncoding finds the encoding of all texts, which together are less ambiguous.
func (x *xqfReader) chooseEncoding(s *record.Source) {
	var texts []byte
	for _, text := range xqfTexts {
		texts = append(append(texts, x.text(text)...), '\n')
	}
	x.decode = func(comment []byte) string {
		texts = append(append(texts, comment...), '\n')
		return ""
	}
	for err := error(nil); err == nil && len(texts) < xqfSample; {
		_, err = x.next()
	}
	x.decode, x.pos = s.Choose(texts), 0
}

func (x *xqfReader) game(s *record.Source) (*record.Game, error) {
	place := func(at int64, err error) error { return s.ByteError(0, at, err) }
	root, err := x.next()
	if err != nil {
		return nil, place(xqfHeader, err)
	}
	return x.readGame(s, root, x.next, func(first int) (*record.Game, error) {
		start, err := x.start(s, first)
		if err != nil {
			return nil, place(xqfPieces, err)
		}
		g := record.NewGame(start)
		for _, text := range xqfTexts {
			g.Tags.Add(text.name, x.decode(x.text(text)))
		}
		g.Result = outcomeOf(x.header[xqfResult])
		return g, nil
	}, place)
}

func (x *xqfReader) next() (t binaryMove, err error) {
	t.offset, t.from = int64(xqfHeader+x.pos), -1
	b, err := x.bytes(4)
	if err != nil {
		return t, err
	}
	flags := b[2]
	t.from = xqfPoint(b[0] - xqfFromAdd - x.key.from)
	t.to = xqfPoint(b[1] - xqfToAdd - x.key.to)
	comment := true
	if x.plain {
		t.hasReply, t.hasAlternative = flags&0xf0 != 0, flags&0x0f != 0
	} else {
		t.hasReply, t.hasAlternative, comment = flags&0x80 != 0, flags&0x40 != 0, flags&0x20 != 0
	}
	if !comment {
		return t, nil
	}
	if b, err = x.comment(x.key.length); err != nil {
		return t, err
	}
	b, _, _ = bytes.Cut(b, []byte{0})
	t.comment = record.CleanText(x.decode(b))
	return t, nil
}

// xqfPoint decodes a point; -1 if it is invalid.
func xqfPoint(b byte) int {
	if b >= 90 {
		return -1
	}
	return int(b%10)*9 + int(b/10)
}

// start returns the start position. The side to move is that of the first move. A game that starts
// at the usual position may have no pieces in the file.
func (x *xqfReader) start(s *record.Source, first int) (engine.Position, error) {
	var g grid
	for i, b := range x.header[xqfPieces : xqfPieces+len(binitPieces)] {
		slot := i
		if x.header[xqfVersion] > xqfLastUnrotated {
			slot = (i + 1 + int(x.key.pieces)) % len(binitPieces)
		}
		if sq := xqfPoint(b - x.key.pieces); sq >= 0 {
			g[sq] = xiangqi.PieceOf(binitPieces[slot])
		}
	}
	fen := g.position(first, x.header[xqfTurn] == 1)
	if _, err := xiangqi.ParseFEN(fen); err != nil && x.header[xqfType] < xqfSetupType {
		return xiangqi.Start(), nil
	}
	return s.Position(fen)
}

// text returns a text of the header, up to a zero byte.
func (x *xqfReader) text(f textField) []byte {
	text, _, _ := bytes.Cut(x.header[f.at+1:][:min(int(x.header[f.at]), f.size)], []byte{0})
	return text
}

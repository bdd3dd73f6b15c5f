package record

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"

	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

const cbrWritten = 2

func writeCBR(o *record.Output, g *record.Game) error {
	if o.Number > 1 {
		return errOneGame
	}
	_, err := o.Write(newCBR(o, g))
	return err
}

// newCBR returns a game as CBR. What CCBridge leaves undefined in its header is zero.
func newCBR(o *record.Output, g *record.Game) []byte {
	l := cbrLayouts[cbrWritten]
	head := make([]byte, l.moves)
	copy(head, cbrMagic)
	head[cbrVersion] = cbrWritten
	head[l.result] = byte(slices.Index(outcomes, g.Result))
	head[l.turn] = 1
	if startPos(g).Side() == xiangqi.Black {
		head[l.turn] = 2
	}
	for sq, piece := range gridOf(startPos(g)) {
		if piece != xiangqi.Empty {
			head[l.board+cbrPoint(sq)] = byte(piece.Side()+1)<<4 | byte(piece.Kind())
		}
	}
	copy(head[l.moves-4:], []byte{0xff, 0xff, 0xff, 0xff}) // as in CCBridge's files
	putTexts(o, g, l.texts, 2, utf16Bytes, func(f textField, raw []byte) { copy(head[f.at:], raw) })
	return appendMoves(o, g, head, appendCBRMove)
}

// appendCBRMove appends a record of the moves.
func appendCBRMove(file []byte, m binaryMove) []byte {
	var flags, from, to byte
	if !m.hasReply {
		flags |= cbrNoReply
	}
	if m.hasAlternative {
		flags |= cbrHasAlternative
	}
	comment := utf16Bytes(strings.ReplaceAll(m.comment, "\n", "\r\n"))
	if len(comment) > 0 {
		flags |= cbrHasComment
	}
	if m.from >= 0 {
		from, to = byte(cbrPoint(m.from)), byte(cbrPoint(m.to))
	}
	file = append(file, flags, 0, from, to)
	if len(comment) == 0 {
		return file
	}
	file = binary.LittleEndian.AppendUint32(file, uint32(len(comment)))
	return append(file, comment...)
}

// cbrPoint encodes a point: row by row from Black's side.
func cbrPoint(sq int) int { return (9-sq/9)*9 + sq%9 }

func utf16Bytes(text string) []byte {
	raw, _ := binary.Append(nil, binary.LittleEndian, utf16.Encode([]rune(text))) // numbers always have a form
	return raw
}

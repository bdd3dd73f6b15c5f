package record

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
)

// writeXQF writes a game as XQF 1.0, which every version of XQStudio reads, with the flags of
// variations that XQStudio added.
func writeXQF(o *record.Output, g *record.Game) error {
	if o.Number > 1 {
		return errOneGame
	}
	head := make([]byte, xqfHeader)
	copy(head, "XQ")
	head[xqfVersion] = xqfLastPlain
	slots, ok := pieceSlots(startPos(g))
	if !ok {
		return errors.New("the start has more pieces of a kind than a set")
	}
	for i, sq := range slots {
		head[xqfPieces+i] = xqfByte(sq)
	}
	if startPos(g).Side() == xiangqi.Black {
		head[xqfTurn] = 1
	}
	head[xqfResult] = byte(slices.Index(outcomes, g.Result))
	if startPos(g).String() != xiangqi.StartFEN {
		head[xqfType] = xqfEndgame
	}
	putTexts(o, g, xqfTexts, 0, gb18030, func(f textField, raw []byte) {
		head[f.at] = byte(len(raw))
		copy(head[f.at+1:], raw)
	})
	_, err := o.Write(appendMoves(o, g, head, appendXQFMove))
	return err
}

// appendXQFMove appends a record of the moves.
func appendXQFMove(file []byte, m binaryMove) []byte {
	var flags, mark byte
	if m.from < 0 { // the root, as the format's description has it
		m.from, mark = 0, 0xff
	}
	if m.hasReply {
		flags |= 0xf0
	}
	if m.hasAlternative {
		flags |= 0x0f
	}
	comment := gb18030(strings.ReplaceAll(m.comment, "\n", "\r\n"))
	file = append(file, xqfByte(m.from)+xqfFromAdd, xqfByte(m.to)+xqfToAdd, flags, mark)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(comment)))
	return append(file, comment...)
}

// xqfByte encodes a point; -1 is a piece that is not on the board.
func xqfByte(sq int) byte {
	if sq < 0 {
		return 0xff
	}
	return byte(sq%9*10 + sq/9)
}

package record

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"strings"
	"testing"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// oldCBLPieces are the pieces of a game at its beginning.
const oldCBLPieces = "\x1a\x2a\x3a\x4a\x5a\x6a\x7a\x8a\x9a\x28\x88\x17\x37\x57\x77\x97" +
	"\x11\x21\x31\x41\x51\x61\x71\x81\x91\x23\x83\x14\x34\x54\x74\x94"

// oldCBLText returns a text in GB18030 after its length.
func oldCBLText(text string) string {
	raw, err := simplifiedchinese.GB18030.NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return oldCBLNumber(len(raw)) + raw
}

func oldCBLNumber(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }

// oldCBLGame returns a game. Each of the moves is its ply, origin and target; comments has a line for each.
func oldCBLGame(pieces, event, title string, result int, moves, comments string) string {
	text := pieces + oldCBLNumber(1) + oldCBLText(event) + oldCBLNumber(1) + oldCBLText(title)
	for _, t := range []string{"", "", "上海", "1997.5.15", "吕钦", "郑乃东"} {
		text += oldCBLText(t)
	}
	text += oldCBLNumber(result)
	for _, t := range []string{"张强", "", "高峰", "", "||全局||"} {
		text += oldCBLText(t)
	}
	text += "\x01" + strings.Repeat(" ", oldCBLDates) + oldCBLNumber(len(moves)/3)
	for ; moves != ""; moves = moves[3:] {
		text += moves[:1] + "\x00" + moves[1:3] + "\x51\x24"
	}
	text += oldCBLText(strings.ReplaceAll(comments, "\n", "\r\n"))[4:]
	return oldCBLNumber(len(text)+4) + text
}

// oldCBL returns a library of games with a preface.
func oldCBL(count int, games ...string) string {
	stream := oldCBLText("专集") + oldCBLText("") + oldCBLText("") + oldCBLText("wxl") + oldCBLText("") +
		strings.Repeat(" ", oldCBLDates) + oldCBLNumber(count) + oldCBLText("前言") + strings.Join(games, "")
	var out bytes.Buffer
	out.WriteString(oldCBLMagic + oldCBLNumber(3) + oldCBLNumber(len(stream)))
	z := zlib.NewWriter(&out)
	if _, err := z.Write([]byte(stream)); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return out.String()
}

func TestOldCBL(t *testing.T) {
	const tags = " Site=上海 Date=1997.05.15 Red=吕钦 Black=郑乃东 Annotator=张强 Author=高峰 OriginalDate=1997.5.15 {全局} "
	tree := oldCBLGame(oldCBLPieces, "个人赛", "一", 3, "\x01\x77\x47\x02\x72\x42\x02\x10\x22\x03\x79\x67\x01\x26\x25", "正着\n\n甲||乙\n\n\n")
	ending := oldCBLGame("\x00\x00\x00\x00\x5a"+strings.Repeat("\x00", 10)+"\x95"+"\x00\x00\x00\x00\x41"+strings.Repeat("\x00", 11), "", "二", 4, "\x01\x84\x83", "\n")
	checkOutlines(t, library, []outlineCase{
		{
			"a tree and a position", oldCBL(2, tree, ending),
			"Event=个人赛 Title=一" + tags + "1. h2e2 {正着} (1. c3c4) 1... h7e7 (1... b9c7 {甲 乙} 2. h0g2) 1/2-1/2\n" +
				"Title=二" + tags + "1. i5i6 *\n",
		},
		{"truncated", oldCBL(2, tree[:100]), " !! game 1: byte 0x4d: unexpected end of file within the game (missing: 2 of 2 games)\n"},
	})
	whole := oldCBL(2, tree, ending)
	for i := range whole { // no panic
		titles([]byte(whole[:i]))
		titles([]byte(whole[:i] + "\xff" + whole[i+1:]))
	}
	for i := range tree {
		titles([]byte(oldCBL(1, tree[:i]+"\xff"+tree[i+1:])))
	}
}

package record

import (
	"bytes"
	"path"
	"strings"
	"testing"
)

// mxq returns a file.
func mxq(players string, moves ...string) []byte {
	var b bytes.Buffer
	texts := append([]string{"聚义堂", "2003年5月21日", players, "1700", "1650", "3", "3", "0", "50", "95", "黑方认负", "Moves"}, moves...)
	for _, text := range append(texts, "Ends", "CommentsEnd") {
		raw := gb18030(text)
		b.WriteByte(byte(len(raw)))
		b.Write(raw)
	}
	return b.Bytes()
}

func TestMXQ(t *testing.T) {
	const head = "Site=聚义堂 Date=2003.05.21 RedElo=1700 BlackElo=1650"
	const names = " Red=甲(4弦) Black=乙 OriginalDate=2003年5月21日"
	whole := string(mxq("甲(4弦)-胜-乙", "7C-4C", "7J-6H", "7A-6C"))
	const moves = " 1. h2e2 h9g7 2. h0g2 {黑方认负} "
	checkOutlines(t, library, []outlineCase{
		{"Red wins", whole, head + names + moves + "1-0\n"},
		{"Black wins", string(mxq("甲(4弦)-負-乙", "7C-4C")), head + names + " 1. h2e2 {黑方认负} 0-1\n"},
		{"a draw, no moves", string(mxq("甲(4弦)-和-乙")), head + names + " {黑方认负} 1/2-1/2\n"},
		{"other names", string(mxq("甲-乙", "7C-4C")), head + " Title=甲-乙 OriginalDate=2003年5月21日 1. h2e2 {黑方认负} *\n"},
		{"cut", whole[:len(whole)-14], head + names + moves + "1-0 !! byte 0x5d: unexpected end of file within the game\n"},
		{"cut within the header", whole[:20], " !! unknown record format, and not a list of moves\n"},
		{"illegal", strings.Replace(whole, "7J-6H", "7J-6G", 1), head + names + " 1. h2e2 {黑方认负} 1-0 !! byte 0x4e: move 1... H9-G6: illegal horse move; possible: B9-A7 B9-C7 H9-G7 H9-I7\n"},
		{"malformed", strings.Replace(whole, "7J-6H", "9J-6H", 1), head + names + " 1. h2e2 {黑方认负} 1-0 !! byte 0x4e: not a move: \"9J-6H\"\n"},
		{"comments", strings.Replace(whole, "\x0bCommentsEnd", "\x01x\x0bCommentsEnd", 1), head + names + moves + "1-0 !! byte 0x61: want only CommentsEnd after the moves\n"},
		{"more", whole + "x", head + names + moves + "1-0 !! byte 0x6b: want only CommentsEnd after the moves\n"},
	})
}

// TestMXQData: real files have a result, both players, and legal moves.
func TestMXQData(t *testing.T) {
	eachDataFile(t, []string{"formats"}, func(name, file string) {
		if path.Ext(strings.ToLower(name)) != ".mxq" {
			return
		}
		games, wrong := readFile(t, file)
		if len(games) != 1 || wrong != "" || games[0].Tags.Get("Red") == "" || games[0].Tags.Get("Black") == "" {
			t.Errorf("%s: %v %s", name, games, wrong)
		}
	})
}

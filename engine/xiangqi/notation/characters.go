package notation

import (
	"slices"

	"qhsh/engine/xiangqi"
)

// letters are the letters of the pieces in WXF and SAN, by kind.
const letters = " RHEAKCP"

// characters are those of a Chinese script: the names of pieces by side and kind, and the others.
type characters struct {
	names            [2][8]rune
	advance          rune
	front, mid, rear rune
}

var (
	simplified = characters{
		names: [2][8]rune{
			xiangqi.Red:   {0, '车', '马', '相', '仕', '帅', '炮', '兵'},
			xiangqi.Black: {0, '车', '马', '象', '士', '将', '炮', '卒'},
		}, advance: '进', front: '前', mid: '中', rear: '后',
	}
	traditional = characters{
		names: [2][8]rune{
			xiangqi.Red:   {0, '車', '馬', '相', '仕', '帥', '炮', '兵'},
			xiangqi.Black: {0, '車', '馬', '象', '士', '將', '炮', '卒'},
		}, advance: '進', front: '前', mid: '中', rear: '後',
	}
)

// digits are those of each side.
var digits = [2][10]rune{
	xiangqi.Red:   {0, '一', '二', '三', '四', '五', '六', '七', '八', '九'},
	xiangqi.Black: {0, '１', '２', '３', '４', '５', '６', '７', '８', '９'},
}

// KindOf returns the kind of piece for an upper-case letter or a Chinese character. N and B are the
// knight and bishop of UCI.
func KindOf(r rune) xiangqi.Kind {
	switch r {
	case 'R', '车', '車', '俥':
		return xiangqi.Rook
	case 'H', 'N', '马', '馬', '傌':
		return xiangqi.Horse
	case 'E', 'B', '相', '象':
		return xiangqi.Elephant
	case 'A', '仕', '士':
		return xiangqi.Advisor
	case 'K', '帅', '帥', '将', '將':
		return xiangqi.King
	case 'C', '炮', '砲', '包':
		return xiangqi.Cannon
	case 'P', '兵', '卒':
		return xiangqi.Pawn
	}
	return xiangqi.NoKind
}

// namedKind is KindOf for a name in WXF, where G is also a guard and M a minister.
func namedKind(r rune) xiangqi.Kind {
	if 'a' <= r && r <= 'z' {
		r += 'A' - 'a'
	}
	switch r {
	case 'G':
		return xiangqi.Advisor
	case 'M':
		return xiangqi.Elephant
	}
	return KindOf(r)
}

// digitOf returns the value of a digit from 1 to 9; 0 for other runes.
func digitOf(r rune) int {
	if '1' <= r && r <= '9' {
		return int(r - '0')
	}
	return slices.Index(digits[xiangqi.Red][1:], r) + 1
}

// directionOf returns the direction +, - or = for a sign or character; 0 for other runes.
func directionOf(r rune) rune {
	switch r {
	case '+', '进', '進':
		return '+'
	case '-', '退':
		return '-'
	case '=', '.', '平':
		return '='
	}
	return 0
}

// rowOf returns the row for a sign or character; 0 for other runes.
func rowOf(r rune) row {
	switch r {
	case '+', '前':
		return front
	case '中':
		return mid
	case '-', '后', '後':
		return rear
	}
	return 0
}

// foldRunes converts a text to runes, and maps full-width signs and dashes to ASCII. ok is false if the
// text is empty or too long.
func foldRunes(text string, dst *[8]rune) (n int, ok bool) {
	if len(text) > 4*len(dst) {
		return 0, false
	}
	for _, r := range text {
		if n == len(dst) {
			return 0, false
		}
		switch {
		case 0xff01 <= r && r <= 0xff5e:
			r -= 0xff01 - '!'
		case r == '–', r == '—', r == '−':
			r = '-'
		}
		dst[n] = r
		n++
	}
	return n, n > 0
}

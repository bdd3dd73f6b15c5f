// Package notation formats and parses Xiangqi moves as people and programs write them.
//
//	ICCS         H2-E2, the coordinates of two points
//	UCI          h2e2, the same as engines write it, also in UCCI
//	WXF          C2=5, the piece, its file, the direction and the target file or distance
//	Chinese      炮二平五, the same in Chinese; Black's digits are １ to ９
//	Traditional  炮二平五 in traditional characters
//	SAN          Che2, as in XBoard: the piece, its file or rank if needed, the target
//
// WXF and Chinese number files from 1 at the player's right. If two pieces of a kind are on one
// file, front or rear replaces the file. Elephants and advisors never need this: of two on a file
// only one can advance and only the other can retreat. Pawns have additional rules:
//
//   - Chinese has 前 中 后 for three on a file. Four or five on a file, and pawns on two files with
//     two or more each, are numbered 一 二 三 四 五, from the right-hand file to the left and from
//     front to rear. The older form 前七进一, the front pawn on file 7, is also parsed.
//   - WXF writes such pawns as two digits, the index from the front and the file: 25+1 is the
//     second pawn on file 5. This is the federation's rule of 2018. Its rule of 1982 is also
//     parsed: P+ P5 P- for three, ++ P+ P5 P- -- for five, and 5+ 55 5- if two files have several.
//     Where the rules contradict each other (33 with three pawns on file 3 and two on another),
//     Format avoids the ambiguous name.
//
// [Parse] accepts all of these, in any case, with half-width or full-width signs, and with any of
// the usual characters for a piece, whatever its side; in WXF also G (guard) for A and M (minister) for
// E. The signs + ++ # behind a move, for check and mate, are ignored. The board resolves ambiguities. If several
// legal moves remain, or none, the error lists the possible ones.
package notation

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// A Style is a notation of moves.
type Style uint8

// The styles; the zero Style is ICCS.
const (
	ICCS Style = iota
	UCI
	WXF
	Chinese
	Traditional
	SAN
)

var styleNames = []string{"iccs", "uci", "wxf", "chinese", "traditional", "san"}

// String returns the style's name in lower case.
func (s Style) String() string { return styleNames[s] }

// StyleOf returns the style with a name in any case; ICCS if there is none.
func StyleOf(name string) Style {
	return Style(max(0, slices.Index(styleNames, strings.ToLower(name))))
}

// Format formats a move that is legal on the board.
func Format(b *xiangqi.Board, m xiangqi.Move, s Style) string {
	switch s {
	case UCI:
		return m.UCI()
	case WXF:
		return formatWXF(b, m)
	case Chinese:
		return formatChinese(b, m, &simplified)
	case Traditional:
		return formatChinese(b, m, &traditional)
	case SAN:
		return formatSAN(b, m)
	}
	return m.ICCS()
}

// Ranks is the number of the first rank in coordinates, which cannot be told from the text.
type Ranks uint8

// Red's first rank is 0 in XBoard, UCCI and Pikafish, and 1 in Fairy-Stockfish and PyChess.
const (
	FromZero Ranks = iota
	FromOne
)

// ErrMalformed is the error of text that is not a move in any notation.
var ErrMalformed = engine.Malformed("not a move: want one such as H2-E2, C2=5 or 炮二平五")

// An Error is the error of a text that looks like a move but does not mean one legal move.
type Error struct {
	Text     string // the text
	Reason   string
	Possible []string       // moves of the same kind of piece, or of all pieces, that could have been meant; may be empty
	Moves    []xiangqi.Move // the legal moves that the text may mean, if there are several
}

func (e *Error) Error() string {
	text := e.Text + ": " + e.Reason
	if len(e.Possible) > 0 {
		text += "; possible: " + strings.Join(e.Possible, " ")
	}
	return text
}

// Choices returns Moves.
func (e *Error) Choices() []engine.Move { return engine.AppendMovesOf(nil, e.Moves) }

// Parse parses a legal move in any style, with ranks from zero. The error wraps ErrMalformed, or is
// an *Error.
func Parse(b *xiangqi.Board, text string) (xiangqi.Move, error) {
	m, _, err := FromZero.Parse(b, text)
	return m, err
}

// Parse parses a legal move in any style, and returns the style. ICCS without a dash counts as UCI.
// The style is also known if the move is illegal.
func (r Ranks) Parse(b *xiangqi.Board, text string) (xiangqi.Move, Style, error) {
	written := text
	text = strings.TrimRight(strings.TrimSpace(text), "+#＋＃") // check and mate; every move ends in a digit
	if m, ok := r.parseByRank(b, text); ok {
		return m, SAN, nil
	}
	if m, style, ok := r.parsePoints(text); ok {
		if b.Legal(m) {
			return m, style, nil
		}
		return 0, style, illegal(b, text, m, style)
	}
	var runes [8]rune
	if n, ok := foldRunes(text, &runes); ok {
		if p, ok := parsePattern(runes[:n]); ok {
			m, err := p.resolve(b, text)
			return m, p.style(runes[:n]), err
		}
		if p, ok := r.parseSAN(runes[:n]); ok {
			m, err := p.resolve(b, text)
			return m, SAN, err
		}
	}
	return 0, 0, fmt.Errorf("%s: %w", engine.Quote(strings.ToValidUTF8(strings.TrimSpace(written), "\ufffd")), ErrMalformed)
}

// parseByRank parses a legal SAN move such as E4i2, the elephant on rank 4, which also looks like
// two points.
func (r Ranks) parseByRank(b *xiangqi.Board, text string) (xiangqi.Move, bool) {
	if len(text) < 4 || text[0] < 'A' || text[0] > 'I' || (text[2] < 'a' || text[2] == 'x') && text[3] < 'a' {
		return 0, false
	}
	var runes [8]rune
	n, ok := foldRunes(text, &runes)
	if !ok {
		return 0, false
	}
	p, ok := r.parseSAN(runes[:n])
	if !ok || p.rank < 0 || p.file >= 0 {
		return 0, false
	}
	m, err := p.resolve(b, text)
	return m, err == nil
}

// parsePoints parses the coordinates of ICCS and UCI. Captures may have an x: H6xH9, while H6xh9 is SAN.
func (r Ranks) parsePoints(text string) (xiangqi.Move, Style, bool) {
	if len(text) < 4 || len(text) > 7 {
		return 0, 0, false
	}
	from, rest, ok := r.parsePoint(text)
	if !ok {
		return 0, 0, false
	}
	style := UCI
	if len(rest) > 1 && (rest[0] == '-' || rest[0] == 'x' && rest[1]&0x20 == text[0]&0x20) {
		rest, style = rest[1:], ICCS
	}
	to, rest, ok := r.parsePoint(rest)
	if !ok || rest != "" {
		return 0, 0, false
	}
	return xiangqi.NewMove(from, to), style, true
}

// parsePoint parses a point and returns the text after it.
func (r Ranks) parsePoint(text string) (sq xiangqi.Square, rest string, ok bool) {
	if len(text) < 2 {
		return 0, "", false
	}
	file := text[0] | 0x20 - 'a'
	rank, n := text[1]-'0', 2
	if rank == 1 && r == FromOne && len(text) > 2 && text[2] == '0' {
		rank, n = 10, 3
	}
	rank -= byte(r)
	return xiangqi.Square(rank*9 + file), text[n:], file < 9 && rank < 10 && text[0]&0x40 != 0
}

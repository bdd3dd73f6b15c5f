package notation

import (
	"fmt"

	"qhsh/engine/xiangqi"
)

// A sanPattern is a parsed move in SAN.
type sanPattern struct {
	kind       xiangqi.Kind
	file, rank int // of the piece, from 0; -1 if unknown
	to         xiangqi.Square
}

// parseSAN parses an optional letter, an optional file, rank or both, an optional x, and the
// target. Letters are in upper case, files in lower case.
func (r Ranks) parseSAN(text []rune) (p sanPattern, ok bool) {
	p = sanPattern{kind: xiangqi.Pawn, file: -1, rank: -1}
	if len(text) > 0 && text[0] < 0x80 && KindOf(text[0]) != xiangqi.NoKind {
		p.kind, text = KindOf(text[0]), text[1:]
	}
	rank, text := r.cutRank(text)
	file, text := cutFile(text)
	if rank < 0 || file < 0 {
		return p, false
	}
	p.to = xiangqi.Square(rank*9 + file)
	if n := len(text); n > 0 && (text[n-1] == 'x' || text[n-1] == '-') {
		text = text[:n-1]
	}
	p.rank, text = r.cutRank(text)
	p.file, text = cutFile(text)
	return p, len(text) == 0
}

// cutRank removes a rank from the end; rank counts from 0 and is -1 if there is none.
func (r Ranks) cutRank(text []rune) (rank int, rest []rune) {
	n := len(text)
	if n == 0 || text[n-1] < '0' || text[n-1] > '9' {
		return -1, text
	}
	rank, rest = int(text[n-1]-'0')-int(r), text[:n-1]
	if r == FromOne && rank < 0 {
		if n < 2 || text[n-2] != '1' {
			return -1, text
		}
		rank, rest = 9, text[:n-2]
	}
	return rank, rest
}

func cutFile(text []rune) (file int, rest []rune) {
	n := len(text)
	if n == 0 || text[n-1] < 'a' || text[n-1] > 'i' {
		return -1, text
	}
	return int(text[n-1] - 'a'), text[:n-1]
}

// resolve returns the only legal move that matches.
func (p *sanPattern) resolve(b *xiangqi.Board, text string) (xiangqi.Move, error) {
	return resolve(b, text, p.kind, func(from xiangqi.Square) (fit, xiangqi.Square) {
		if p.file >= 0 && p.file != int(from%9) || p.rank >= 0 && p.rank != int(from/9) {
			return noFit, 0
		}
		return strictFit, p.to
	}, func(named int, m xiangqi.Move) error {
		if named == 1 {
			return illegal(b, text, m, SAN)
		}
		e := &Error{Text: text, Possible: possible(b, p.kind, SAN)}
		e.Reason = fmt.Sprintf("no %v of %v can move to %v", p.kind, b.Side(), p.to)
		if b.Pieces(b.Side(), p.kind).Empty() {
			e.Reason = fmt.Sprintf("%v has no %v", b.Side(), p.kind)
		}
		return e
	})
}

// formatSAN formats a move in SAN. A pawn has no letter. File, rank or both are added if other
// pieces could move to the target.
func formatSAN(b *xiangqi.Board, m xiangqi.Move) string {
	from, to := m.From(), m.To()
	kind := b.At(from).Kind()
	var text []byte
	if kind != xiangqi.Pawn {
		text = append(text, letters[kind])
	}
	others, sameFile, sameRank := false, false, false
	for other := range b.Pieces(b.Side(), kind).All() {
		if other != from && b.Legal(xiangqi.NewMove(other, to)) {
			others = true
			sameFile = sameFile || other%9 == from%9
			sameRank = sameRank || other/9 == from/9
		}
	}
	takes := b.At(to) != xiangqi.Empty
	if others && (!sameFile || sameRank) || takes && kind == xiangqi.Pawn {
		text = append(text, 'a'+byte(from%9))
	}
	if sameFile {
		text = append(text, '0'+byte(from/9))
	}
	if takes {
		text = append(text, 'x')
	}
	return string(append(text, 'a'+byte(to%9), '0'+byte(to/9)))
}

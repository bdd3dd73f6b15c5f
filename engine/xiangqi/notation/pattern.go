package notation

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine/xiangqi"
)

// A pattern is a parsed move in WXF or Chinese: what the text says about the piece, and its target.
// Zero fields are unknown.
type pattern struct {
	kind        xiangqi.Kind
	file        int
	row         row
	nth         int  // from the front of its file
	count       int  // among all pawns on files with several
	inner       bool // with four or five pawns on the file, row means the second
	equalDigits bool // two equal digits, which may mean the middle pawn on that file
	sign        rune // + - =
	n           int
}

// parsePattern parses WXF and Chinese. Five characters begin with row and file, as in 前三兵平四.
func parsePattern(text []rune) (p pattern, ok bool) {
	if len(text) != 4 && len(text) != 5 {
		return p, false
	}
	last := len(text) - 2
	p.sign, p.n = directionOf(text[last]), digitOf(text[last+1])
	if p.sign == 0 || p.n == 0 {
		return p, false
	}
	if last == 3 {
		p.row, p.file, p.kind = rowOf(text[0]), digitOf(text[1]), namedKind(text[2])
		return p, p.row != 0 && p.file != 0 && p.kind != 0
	}
	return p, p.readName(text[0], text[1])
}

// readName parses the two signs that identify the piece.
func (p *pattern) readName(a, b rune) bool {
	p.kind = namedKind(a)
	if p.kind == 0 {
		p.kind = namedKind(b)
		if p.kind == 0 {
			return p.readPawn(a, b)
		}
		p.row, p.count, p.inner = rowOf(a), digitOf(a), a < 0x80
		return p.row != 0 || p.count != 0
	}
	p.row, p.file, p.inner = rowOf(b), digitOf(b), b < 0x80
	return p.row != 0 || p.file != 0
}

// readPawn parses a pawn without a letter: 25, 5+, ++ in WXF, 前七 in Chinese.
func (p *pattern) readPawn(a, b rune) bool {
	p.kind = xiangqi.Pawn
	first, second := digitOf(a), digitOf(b)
	switch {
	case first != 0 && second != 0:
		p.nth, p.file, p.equalDigits = first, second, first == second
	case first != 0:
		p.file, p.row = first, rowOf(b)
	case second != 0 && a > 0x7f:
		p.file, p.row = second, rowOf(a)
	default:
		p.row = rowOf(a)
		return p.row != 0 && a == b
	}
	return p.nth != 0 || p.row != 0
}

// style returns the notation of the text.
func (p pattern) style(text []rune) Style {
	for _, r := range text {
		switch r {
		case '車', '俥', '馬', '傌', '帥', '將', '進', '後':
			return Traditional
		}
	}
	if text[len(text)-2] > 0x7f {
		return Chinese
	}
	return WXF
}

// A fit is how well a piece matches a name. The best fit of a legal move determines the move.
type fit uint8

const (
	noFit    fit = iota
	noTarget     // the piece matches, but never moves like that
	looseFit     // only the file matches, and several of the kind are on it
	strictFit
)

// fits returns how well a piece matches.
func (p *pattern) fits(at piecePlace) fit {
	if p.file != 0 && p.file != at.file {
		return noFit
	}
	switch {
	case p.nth != 0:
		if p.nth == at.nth || p.equalDigits && at.severalFiles && at.onFile == 3 && at.nth == 2 {
			return strictFit
		}
		return noFit
	case p.count != 0:
		return strictIf(p.count == at.count && at.onFile > 1)
	case p.row != 0:
		return strictIf(p.fitsRow(at))
	case at.byFile() || at.kind == xiangqi.Pawn && at.onFile%2 == 1 && at.nth == at.onFile/2+1:
		return strictFit
	}
	return looseFit
}

func strictIf(fit bool) fit {
	if fit {
		return strictFit
	}
	return noFit
}

// fitsRow reports whether a piece is the front, middle or rear one. With four or five pawns on a
// file, ++ is the first and P+ the second; 前 is always the first.
func (p *pattern) fitsRow(at piecePlace) bool {
	if at.onFile < 2 {
		return false
	}
	second := 0
	if p.inner && at.onFile > 3 {
		second = 1
	}
	switch p.row {
	case front:
		return at.nth == 1+second
	case rear:
		return at.nth == at.onFile-second
	}
	return at.onFile%2 == 1 && at.nth == at.onFile/2+1
}

// target returns the point that the piece on from moves to. ok is false if it is outside the board
// or the kind of piece never moves like that.
func (p *pattern) target(from xiangqi.Square, side xiangqi.Side) (to xiangqi.Square, ok bool) {
	file, rank := fileOf(from, side), int(from/9)
	ranks := 0
	switch {
	case p.sign == '=':
		if slanted(p.kind) {
			return 0, false
		}
		file = p.n
	case slanted(p.kind):
		files := max(p.n-file, file-p.n)
		switch {
		case p.kind == xiangqi.Horse && (files == 1 || files == 2):
			ranks = 3 - files
		case p.kind == xiangqi.Elephant && files == 2, p.kind == xiangqi.Advisor && files == 1:
			ranks = files
		default:
			return 0, false
		}
		file = p.n
	default:
		ranks = p.n
	}
	if (p.sign == '+') == (side == xiangqi.Black) {
		ranks = -ranks
	}
	rank += ranks
	column := file - 1
	if side == xiangqi.Red {
		column = 9 - file
	}
	return xiangqi.Square(rank*9 + column), 0 <= rank && rank < 10
}

// resolve returns the only legal move that matches.
func (p *pattern) resolve(b *xiangqi.Board, text string) (xiangqi.Move, error) {
	side := b.Side()
	return resolve(b, text, p.kind, func(from xiangqi.Square) (fit, xiangqi.Square) {
		fits := p.fits(placeOf(b, from))
		if fits == noFit {
			return noFit, 0
		}
		to, ok := p.target(from, side)
		if !ok {
			return noTarget, 0
		}
		return fits, to
	}, func(named int, m xiangqi.Move) error { return p.noLegalMove(b, text, named, m) })
}

// resolve returns the only legal move of a kind of piece that fits best, as fits tells of the piece on a
// point with its target. none returns the error if there is none, given the number of pieces that fit,
// and an illegal move of one of them.
func resolve(b *xiangqi.Board, text string, kind xiangqi.Kind, fits func(from xiangqi.Square) (fit, xiangqi.Square), none func(named int, illegal xiangqi.Move) error) (xiangqi.Move, error) {
	var legal []xiangqi.Move
	var best fit
	named, illegalMove := 0, xiangqi.Move(0)
	for from := range b.Pieces(b.Side(), kind).All() {
		fit, to := fits(from)
		if fit == noFit {
			continue
		}
		named++
		m := xiangqi.NewMove(from, to)
		switch {
		case fit == noTarget:
		case !b.Legal(m):
			illegalMove = m
		case fit > best:
			best, legal = fit, append(legal[:0], m)
		case fit == best:
			legal = append(legal, m)
		}
	}
	switch {
	case len(legal) == 1:
		return legal[0], nil
	case len(legal) > 1:
		e := &Error{Text: text, Reason: "ambiguous move", Moves: legal}
		for _, m := range legal {
			e.Possible = append(e.Possible, m.ICCS())
		}
		return 0, e
	}
	return 0, none(named, illegalMove)
}

// noLegalMove returns the error of a pattern without a legal move.
func (p *pattern) noLegalMove(b *xiangqi.Board, text string, named int, m xiangqi.Move) error {
	style := WXF
	if strings.ContainsFunc(text, func(r rune) bool { return r > 0x7f }) {
		style = Chinese
	}
	side := b.Side()
	e := &Error{Text: text, Possible: possible(b, p.kind, style)}
	switch {
	case named == 1 && m != 0:
		e.Reason = b.Check(m).Error()
	case named > 0:
		e.Reason = fmt.Sprintf("no %v of %v can move there", p.kind, side)
	case b.Pieces(side, p.kind).Empty():
		e.Reason = fmt.Sprintf("%v has no %v", side, p.kind)
	case p.file != 0:
		e.Reason = fmt.Sprintf("%v has no such %v on file %d", side, p.kind, p.file)
	default:
		e.Reason = fmt.Sprintf("%v has no two %vs on one file", side, p.kind)
	}
	return e
}

// illegal returns the error of an illegal move in coordinates or SAN.
func illegal(b *xiangqi.Board, text string, m xiangqi.Move, s Style) error {
	kind := b.At(m.From()).Kind()
	if b.At(m.From()).Side() != b.Side() {
		kind = xiangqi.NoKind
	}
	e := &Error{Text: text, Reason: b.Check(m).Error(), Possible: possible(b, kind, s)}
	if strings.EqualFold(strings.Replace(text, "-", "", 1), m.UCI()) {
		e.Reason = strings.TrimPrefix(e.Reason, m.ICCS()+": ") // the move is in the text already
	}
	return e
}

// maxPossible is the maximum number of moves that an error lists.
const maxPossible = 20

// possible returns the legal moves of a kind of piece. If there are none, it returns all legal
// moves, unless they are too many.
func possible(b *xiangqi.Board, kind xiangqi.Kind, s Style) []string {
	all := b.AppendMoves(nil)
	moves := slices.DeleteFunc(slices.Clone(all), func(m xiangqi.Move) bool { return b.At(m.From()).Kind() != kind })
	if len(moves) == 0 && len(all) <= maxPossible {
		moves = all
	}
	var texts []string
	for _, m := range moves {
		if len(texts) == maxPossible {
			return append(texts, "...")
		}
		texts = append(texts, Format(b, m, s))
	}
	return texts
}

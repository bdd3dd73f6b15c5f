package xiangqi

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
)

// A FEN is the board from rank 9 to rank 0, the side to move, two fields unused in Xiangqi, the
// plies since the last capture and the move number. Programs differ in all but the first, so
// parsing is lenient: horses and elephants have several letters, Red to move is w or r, fields may be
// missing or a dash, and XBoard leaves out the two unused ones. Anything else is ignored or read as
// the nearest number, and Remark says so.

// StartFEN is the start position.
const StartFEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

// The letters of the kinds, in the order of Kind: of most programs, and of QHPLUGIN.
const (
	fenLetters  = " rnbakcp"
	wireLetters = " rheakcp"
)

// The maximum counters of a FEN.
const (
	maxQuiet = 9999
	maxMove  = 99999
)

// PieceOf returns the piece of a letter that ParseFEN knows; Empty if there is none.
func PieceOf(letter byte) Piece {
	side := Red
	if letter&0x20 != 0 {
		side = Black
	}
	letter |= 0x20
	switch letter {
	case 'h':
		letter = 'n'
	case 'e', 'g':
		letter = 'b'
	}
	kind := strings.IndexByte(fenLetters, letter)
	if kind < 1 {
		return Empty
	}
	return NewPiece(side, Kind(kind))
}

// Letter returns the piece's letter in a FEN, upper case for Red.
func (p Piece) Letter() byte { return letterOf(p, fenLetters) }

// ParseFEN parses a position. The letters are r, n or h, b, e or g, a, k, c and p, upper case for
// Red; the side is w, r or b in either case. Only the board is required: without a side Red is to
// move, and invalid fields after the side are no error; see Remark. The error names the invalid part
// and may be an *IllegalError.
func ParseFEN(text string) (*Position, error) {
	fields := strings.Fields(strings.TrimPrefix(text, "\ufeff"))
	if len(fields) == 0 {
		return nil, errors.New("empty FEN: want a board such as " + StartFEN[:len("rnbakabnr/9/1c5c1")] + "/...")
	}
	p := &Position{number: 1}
	if err := p.state.parseBoard(fields[0]); err != nil {
		return nil, err
	}
	if len(fields) > 1 {
		switch strings.ToLower(fields[1]) {
		case "w", "r":
		case "b":
			p.side = Black
			p.key ^= zobristSide
		default:
			return nil, fmt.Errorf("side %s: want w, r or b", engine.Quote(fields[1]))
		}
	}
	p.parseRest(fields[min(2, len(fields)):])
	if err := p.state.checkPieces(); err != nil {
		return nil, err
	}
	p.state.inCheck()
	if err := p.state.checkTurn(); err != nil {
		return nil, &IllegalError{Position: p, Reason: err.Error()}
	}
	return p, nil
}

// An IllegalError is the error of a FEN in which the side not to move is in check, or the kings
// face each other. Such a position cannot occur in a game, but a diagram may show it, and records
// may begin with it.
type IllegalError struct {
	// Position can be shown and written but must not be searched. A king cannot be captured on it.
	Position *Position
	Reason   string
}

func (e *IllegalError) Error() string { return e.Reason }

// Illegal returns the Position. It implements engine.IllegalPosition.
func (e *IllegalError) Illegal() engine.Position { return e.Position }

// parseBoard sets up an empty state.
func (s *state) parseBoard(text string) error {
	ranks := strings.SplitN(text, "/", 12)
	switch n := len(ranks); {
	case n == 1:
		return errors.New("1 rank instead of 10")
	case n > 11:
		return errors.New("more than 11 ranks instead of 10")
	case n != 10:
		return fmt.Errorf("%d ranks instead of 10", n)
	}
	for i, rank := range ranks {
		if err := s.parseRank(9-i, rank); err != nil {
			return fmt.Errorf("rank %d%w", 9-i, err)
		}
	}
	return nil
}

// parseRank parses one rank. Its errors are appended to the name of the rank.
func (s *state) parseRank(rank int, text string) error {
	file := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		piece := PieceOf(c)
		switch {
		case '1' <= c && c <= '9':
			file += int(c - '0')
		case piece == Empty:
			place := ""
			if file < 9 { // on the board
				place = ", file " + string(rune('A'+file))
			}
			_, n := utf8.DecodeRuneInString(text[i:])
			return fmt.Errorf("%s: unknown letter %s", place, engine.Quote(text[i:i+n]))
		default:
			if file < 9 {
				s.put(piece, Square(rank*9+file))
			}
			file++
		}
	}
	if file == 1 {
		return errors.New(": 1 file instead of 9")
	}
	if file != 9 {
		return fmt.Errorf(": %d files instead of 9", file)
	}
	return nil
}

// parseRest parses the fields after the side.
func (p *Position) parseRest(fields []string) {
	if len(fields) == 2 && isNumber(fields[0]) && isNumber(fields[1]) {
		fields = []string{"-", "-", fields[0], fields[1]}
	}
	for i, field := range fields[:min(len(fields), 5)] {
		switch {
		case field == "-":
		case i == 2:
			p.quiet = int32(p.parseCounter("halfmove clock", field, 0, maxQuiet))
		case i == 3:
			p.number = p.parseCounter("move number", field, 1, maxMove)
		default:
			p.remarks = append(p.remarks, fmt.Sprintf("field %d of the FEN is ignored: %s", i+3, engine.Quote(field)))
		}
	}
}

// isNumber reports whether a field consists of digits.
func isNumber(field string) bool { return strings.Trim(field, "0123456789") == "" }

// parseCounter returns the number from low to high that is nearest to a field, or low if the field
// is not a number.
func (p *Position) parseCounter(name, field string, low, high int) int {
	n := low
	if isNumber(field) {
		n, _ = strconv.Atoi(field) // the maximum int if it is too large
	}
	read := max(low, min(n, high))
	if read != n || !isNumber(field) {
		p.remarks = append(p.remarks, fmt.Sprintf("%s %s is read as %d: want %d to %d", name, engine.Quote(field), read, low, high))
	}
	return read
}

// Remark returns what was odd about the FEN that the game began from, and which limits on plies
// without a capture have been exceeded. It implements engine.Remarker.
func (p *Position) Remark() string {
	remarks := p.remarks
	if text := p.exceededLimits(); text != "" {
		remarks = append(slices.Clip(remarks), text)
	}
	return strings.Join(remarks, "; ")
}

// FEN returns the position with all six fields, in the letters rnbakcp and the sides w and b.
// Counters are limited to what ParseFEN accepts.
func (p *Position) FEN() string {
	quiet := strconv.Itoa(min(int(p.quiet), maxQuiet))
	return board(&p.squares, p.side, fenLetters) + " - - " + quiet + " " + strconv.Itoa(p.MoveNumber())
}

// WireFEN returns the board and the side only, in the letters rheakcp and the sides w and b, as in
// the QHPLUGIN protocol.
func (p *Position) WireFEN() string { return board(&p.squares, p.side, wireLetters) }

// BoardFEN returns the first two fields of a FEN, of any board.
func BoardFEN(squares *[90]Piece, side Side) string { return board(squares, side, fenLetters) }

// board returns the first two fields of a FEN.
func board(squares *[90]Piece, side Side, letters string) string {
	var text []byte
	for rank := 9; rank >= 0; rank-- {
		gap := byte('0')
		for _, piece := range squares[rank*9 : rank*9+9] {
			if piece == Empty {
				gap++
				continue
			}
			if gap > '0' {
				text = append(text, gap)
				gap = '0'
			}
			text = append(text, letterOf(piece, letters))
		}
		if gap > '0' {
			text = append(text, gap)
		}
		text = append(text, '/')
	}
	text[len(text)-1] = ' '
	return string(append(text, "wb"[side]))
}

// letterOf returns the letter of a piece, upper case for Red.
func letterOf(p Piece, letters string) byte {
	letter := letters[p.Kind()]
	if p.Side() == Red {
		return letter - 'a' + 'A'
	}
	return letter
}

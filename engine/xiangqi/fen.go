package xiangqi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
)

// A FEN is the board from rank 9 to rank 0, the side to move, two fields unused in Xiangqi, the
// plies since the last capture and the move number. Programs differ in all but the first, so
// parsing is lenient: horses and elephants have several letters, Red to move is w or r, and missing
// or invalid fields are ignored. That includes the operations of an EPD.

// StartFEN is the start position.
const StartFEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

// The letters of the kinds, in the order of Kind: of most programs, and of QHPLUGIN.
const (
	fenLetters  = " rnbakcp"
	wireLetters = " rheakcp"
)

// The maximum counters of a FEN; larger values count as missing.
const (
	maxQuiet = 9999
	maxMove  = 99999
)

// kindOf returns the kind of a letter of either case.
func kindOf(letter byte) Kind {
	switch letter | 0x20 {
	case 'h':
		letter = 'n'
	case 'e', 'g':
		letter = 'b'
	}
	if letter == ' ' {
		return NoKind
	}
	return Kind(max(0, strings.IndexByte(fenLetters, letter|0x20)))
}

// ParseFEN parses a position. The letters are r, n or h, b, e or g, a, k, c and p, upper case for
// Red; the side is w, r or b in either case. Only the board is required: without a side Red is to
// move, and missing or invalid fields after the side are ignored. The error names the invalid part
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
		if err := p.state.parseSide(fields[1]); err != nil {
			return nil, err
		}
	}
	if len(fields) > 4 {
		p.quiet = int32(counter(fields[4], 0, maxQuiet, 0))
	}
	if len(fields) > 5 {
		p.number = counter(fields[5], 1, maxMove, 1)
	}
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
	if len(ranks) != 10 {
		return errRanks(len(ranks))
	}
	for i, rank := range ranks {
		if err := s.parseRank(9-i, rank); err != nil {
			return fmt.Errorf("rank %d%w", 9-i, err)
		}
	}
	return nil
}

func errRanks(n int) error {
	switch {
	case n == 1:
		return errors.New("1 rank instead of 10")
	case n > 11:
		return errors.New("more than 11 ranks instead of 10")
	}
	return fmt.Errorf("%d ranks instead of 10", n)
}

// parseRank parses one rank. Its errors are appended to the name of the rank.
func (s *state) parseRank(rank int, text string) error {
	file := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		kind := kindOf(c)
		switch {
		case '1' <= c && c <= '9':
			file += int(c - '0')
		case kind == NoKind:
			return fmt.Errorf("%s: unknown letter %s", fileName(file), quote(firstRune(text[i:])))
		default:
			side := Red
			if c&0x20 != 0 {
				side = Black
			}
			if file < 9 {
				s.put(NewPiece(side, kind), Square(rank*9+file))
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

// fileName returns the file of an error in a rank, if it is on the board.
func fileName(file int) string {
	if file > 8 {
		return ""
	}
	return ", file " + string(rune('A'+file))
}

func firstRune(text string) string {
	_, n := utf8.DecodeRuneInString(text)
	return text[:n]
}

func (s *state) parseSide(text string) error {
	switch strings.ToLower(text) {
	case "w", "r":
	case "b":
		s.side = Black
		s.key ^= zobristSide
	default:
		return fmt.Errorf("side %s: want w, r or b", quote(text))
	}
	return nil
}

// counter parses a number from low to high; it returns none for anything else.
func counter(text string, low, high, none int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high || text[0] == '+' {
		return none
	}
	return n
}

// quote quotes text for a message, cut at 40 bytes, without control characters.
func quote(text string) string {
	const most = 40
	if len(text) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "..."
	}
	return strconv.QuoteToGraphic(text)
}

// FEN returns the position with all six fields, in the letters rnbakcp and the sides w and b.
// Counters are limited to what ParseFEN accepts.
func (p *Position) FEN() string {
	quiet, number := min(int(p.quiet), maxQuiet), min(p.number, maxMove)
	return p.board(fenLetters) + " - - " + strconv.Itoa(quiet) + " " + strconv.Itoa(number)
}

// WireFEN returns the board and the side only, in the letters rheakcp and the sides w and b, as in
// the QHPLUGIN protocol.
func (p *Position) WireFEN() string { return p.board(wireLetters) }

// board returns the first two fields of a FEN.
func (s *state) board(letters string) string {
	var text []byte
	for rank := 9; rank >= 0; rank-- {
		gap := byte('0')
		for _, piece := range s.squares[rank*9 : rank*9+9] {
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
	return string(append(text, "wb"[s.side]))
}

// letterOf returns the letter of a piece, upper case for Red.
func letterOf(p Piece, letters string) byte {
	letter := letters[p.Kind()]
	if p.Side() == Red {
		return letter - 'a' + 'A'
	}
	return letter
}

package xiangqi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
)

// A FEN is the board from rank 9 to rank 0, the side to move, two fields that say
// nothing in Xiangqi, the plies since the last capture and the number of the move.
// Hosts and books differ in all but the first of these, so reading is lenient where
// nothing is lost: horses and elephants have two letters each, Red to move is w or
// r, and fields that are missing or make no sense count as missing. That covers the
// operations of an EPD.

// StartFEN is the position that a game begins from.
const StartFEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

// The letters of the kinds, in the order of Kind: those of most programs, and those
// of QHPLUGIN.
const (
	fenLetters  = " rnbakcp"
	wireLetters = " rheakcp"
)

// The counters of a FEN are kept up to these values; beyond, they count as missing.
const (
	maxQuiet = 9999
	maxMove  = 99999
)

// kindOf returns the kind that a letter of either case stands for.
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

// ParseFEN reads a position. The letters are r, n or h, b, e or g, a, k, c and p,
// upper case for Red; the side is w, r or b in either case. Only the board is
// required: without a side Red is to move, and fields beyond the side that are
// missing or odd are ignored. The error names the place that is wrong; input that
// it quotes is cut short. It may be an *IllegalError.
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

// An IllegalError is the error of a FEN in which the side that is not to move has left its king to
// be taken, or the kings face each other. No game comes to such a position, but a diagram may
// show it, and records may begin with it.
type IllegalError struct {
	// Position can be shown and written. A king cannot be taken on it either: the moves are those
	// behind which the game goes on by the rules. It is not for a search.
	Position *Position
	Reason   string
}

func (e *IllegalError) Error() string { return e.Reason }

// Illegal returns the Position: it makes the error an engine.IllegalPosition.
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

// parseRank reads one rank. Its errors go on where the name of the rank ends.
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

// fileName tells the file where a rank went wrong, if it still has one.
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

// counter reads a number from low to high. Anything else is the number none.
func counter(text string, low, high, none int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high || text[0] == '+' {
		return none
	}
	return n
}

// quote returns text in quotation marks for a message, cut at 40 bytes and with nothing
// in it that a terminal would obey.
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

// FEN returns the position with all six fields, in the letters rnbakcp and the sides w
// and b. Counters that ParseFEN would not take stay at the last value it does.
func (p *Position) FEN() string {
	quiet, number := min(int(p.quiet), maxQuiet), min(p.number, maxMove)
	return p.board(fenLetters) + " - - " + strconv.Itoa(quiet) + " " + strconv.Itoa(number)
}

// WireFEN returns the board and the side alone, in the letters rheakcp and the sides w
// and b, as the QHPLUGIN protocol has them.
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

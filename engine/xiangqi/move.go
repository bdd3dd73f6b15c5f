package xiangqi

import (
	"fmt"

	"qhsh/engine"
)

// String returns the point's name: the file A to I and the rank 0 to 9, as in "H2".
func (sq Square) String() string {
	if sq >= 90 {
		return "??"
	}
	return string([]byte{'A' + byte(sq%9), '0' + byte(sq/9)})
}

func (k Kind) String() string {
	return [8]string{"none", "rook", "horse", "elephant", "advisor", "king", "cannon", "pawn"}[k&7]
}

// ICCS returns the move as "H2-E2".
func (m Move) ICCS() string { return m.From().String() + "-" + m.To().String() }

// UCI returns the move as "h2e2".
func (m Move) UCI() string {
	from, to := m.From().String(), m.To().String()
	return string([]byte{from[0] | 0x20, from[1], to[0] | 0x20, to[1]})
}

// String returns the move in ICCS.
func (m Move) String() string { return m.ICCS() }

// ErrMalformed is the error of text that is not a move at all.
var ErrMalformed = engine.Malformed("want two points such as H2-E2")

// ParseMove parses "H2-E2" or "H2E2" in any case, without checking legality. The error wraps
// ErrMalformed.
func ParseMove(text string) (Move, error) {
	name := text
	if len(name) == 5 && name[2] == '-' {
		name = name[:2] + name[3:]
	}
	if len(name) != 4 {
		return 0, fmt.Errorf("move %s: %w", engine.Quote(text), ErrMalformed)
	}
	from, ok := parseSquare(name[0], name[1])
	to, ok2 := parseSquare(name[2], name[3])
	if !ok || !ok2 {
		return 0, fmt.Errorf("move %s: %w", engine.Quote(text), ErrMalformed)
	}
	return NewMove(from, to), nil
}

// ParseSquare reads a point, "H2" or "h2".
func ParseSquare(text string) (Square, error) {
	if len(text) == 2 {
		if sq, ok := parseSquare(text[0], text[1]); ok {
			return sq, nil
		}
	}
	return 0, fmt.Errorf(`point %s: want a file and a rank, such as "H2"`, engine.Quote(text))
}

func parseSquare(file, rank byte) (Square, bool) {
	file = file | 0x20 - 'a'
	rank -= '0'
	return Square(rank*9 + file), file < 9 && rank < 10
}

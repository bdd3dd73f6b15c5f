package qchess

import (
	"slices"
	"strings"
)

// A Kind is a kind of piece.
type Kind uint8

// The kinds. Unknown is a second kind that has not been revealed.
const (
	Unknown Kind = iota
	Pawn
	Rook
	Knight
	Bishop
	Queen
	King
)

var kindNames = []string{"unknown", "pawn", "rook", "knight", "bishop", "queen", "king"}

// String returns the kind's name as in the protocol, such as "pawn".
func (k Kind) String() string { return kindNames[k] }

// kindByName returns the kind with a name; Unknown if there is none.
func kindByName(name string) Kind { return Kind(max(0, slices.Index(kindNames, name))) }

// kindLetters are the letters of the kinds in position texts.
const kindLetters = "?prnbqk"

func (k Kind) letter() byte { return kindLetters[k] }

func kindOf(letter byte) (Kind, bool) {
	i := strings.IndexByte(kindLetters, letter)
	return Kind(max(0, i)), i >= 0
}

// A Square is row x 8 + column, both from 0 at the top left.
type Square int8

// NoSquare is the square of a captured piece.
const NoSquare Square = -1

// SquareAt returns the square in a column and row, each from 0 to 7.
func SquareAt(x, y int) Square { return Square(y<<3 | x) }

func (s Square) X() int { return int(s & 7) }

func (s Square) Y() int { return int(s >> 3) }

// odd reports whether pieces go into superposition on the square.
func (s Square) odd() bool { return (s.X()+s.Y())&1 == 1 }

func (s Square) bit() uint64 { return 1 << s }

// String returns the column and the row, such as "36".
func (s Square) String() string {
	if s == NoSquare {
		return "-"
	}
	return string([]byte{'0' + byte(s.X()), '0' + byte(s.Y())})
}

func parseSquare(text string) (Square, bool) {
	if len(text) != 2 || text[0] < '0' || text[0] > '7' || text[1] < '0' || text[1] > '7' {
		return NoSquare, false
	}
	return SquareAt(int(text[0]-'0'), int(text[1]-'0')), true
}

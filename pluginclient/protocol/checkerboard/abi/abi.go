// Package abi is the memory of the CheckerBoard API: boards, moves and numbers as an engine's
// library and its caller share them. All of it is int, which has 32 bits on every system that the
// API is for.
package abi

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"qhsh/engine/checkers"
)

// What stands on a square of a Board, and whose turn it is.
const (
	White = 1
	Black = 2
	Man   = 4
	King  = 8
)

// The values that getmove returns, from the mover's view. Engines are often wrong about them.
const (
	Draw    = 0
	Win     = 1
	Loss    = 2
	Unknown = 3
)

// The sizes of the buffers that callers and engines agree on.
const (
	StatusSize  = 1024 // str of getmove
	CommandSize = 256
	ReplySize   = 1024
)

// A Board is indexed [x][y].
type Board [8][8]int32

// Color is a colour in numbers.
func Color(c checkers.Colour) int32 {
	if c == checkers.White {
		return White
	}
	return Black
}

// ColourOf reads a number.
func ColourOf(n int32) (checkers.Colour, bool) {
	switch n {
	case White:
		return checkers.White, true
	case Black:
		return checkers.Black, true
	}
	return 0, false
}

// BoardOf writes a board as the API has it.
func BoardOf(b *checkers.Board) (board Board) {
	for _, c := range [...]checkers.Colour{checkers.Black, checkers.White} {
		for _, s := range b.Pieces(c).Squares() {
			x, y := s.XY()
			board[x][y] = pieceAt(b, s)
		}
	}
	return board
}

func pieceAt(b *checkers.Board, s checkers.Square) int32 {
	kind := int32(Man)
	if (b.Kings(checkers.Black) | b.Kings(checkers.White)).Has(s) {
		kind = King
	}
	if b.Pieces(checkers.White).Has(s) {
		return White | kind
	}
	return Black | kind
}

// Read is the board in a variant with a side to move. The error names a square that has no piece of
// the game.
func (b *Board) Read(v checkers.Variant, turn checkers.Colour) (checkers.Board, error) {
	var side [2]checkers.Set
	var kings checkers.Set
	for x, column := range b {
		for y, piece := range column {
			if piece == 0 {
				continue
			}
			s, dark := checkers.SquareXY(x, y)
			c, ok := ColourOf(piece & 3)
			kind := piece &^ 3
			if !dark || !ok || kind != Man && kind != King {
				return checkers.Board{}, fmt.Errorf("%d at (%d, %d) is no piece", piece, x, y)
			}
			side[c] |= checkers.One(s)
			if kind == King {
				kings |= checkers.One(s)
			}
		}
	}
	return checkers.With(v, side[checkers.Black], side[checkers.White], kings, turn), nil
}

// A Coor is a place on a Board.
type Coor struct{ X, Y int32 }

// maxPath is how many captures a Move has room for.
const maxPath = 12

// A Move is the struct CBmove. Path is used from 1 on: the landings, the last of which is To. Del
// and DelPiece are used from 0 on.
type Move struct {
	Jumps, NewPiece, OldPiece int32
	From, To                  Coor
	Path, Del                 [maxPath]Coor
	DelPiece                  [maxPath]int32
}

func coor(s checkers.Square) Coor {
	x, y := s.XY()
	return Coor{int32(x), int32(y)}
}

// MoveOf fills a CBmove for a legal move.
func MoveOf(b *checkers.Board, m checkers.Move) (move Move) {
	after := *b
	after.Do(m)
	way := b.CapturePath(m)
	move.Jumps = int32(len(way.Captured))
	move.OldPiece, move.NewPiece = pieceAt(b, m.From()), pieceAt(&after, m.To())
	move.From, move.To = coor(m.From()), coor(m.To())
	for i, s := range way.Landings {
		if i+1 < maxPath {
			move.Path[i+1] = coor(s)
		}
	}
	for i, s := range way.Captured {
		if i < maxPath {
			move.Del[i], move.DelPiece[i] = coor(s), pieceAt(b, s)
		}
	}
	return move
}

// ErrMove is wrapped by the errors of a CBmove that is no move.
var ErrMove = errors.New("no move of the position")

// Read finds the legal move that a CBmove is: its ends and the squares of what it captures count.
func (move *Move) Read(b *checkers.Board) (checkers.Move, error) {
	from, ok1 := checkers.SquareXY(int(move.From.X), int(move.From.Y))
	to, ok2 := checkers.SquareXY(int(move.To.X), int(move.To.Y))
	if !ok1 || !ok2 || move.Jumps < 0 || move.Jumps > maxPath {
		return 0, fmt.Errorf("%w: %v to %v with %d jumps", ErrMove, move.From, move.To, move.Jumps)
	}
	var captured checkers.Set
	for _, at := range move.Del[:move.Jumps] {
		s, ok := checkers.SquareXY(int(at.X), int(at.Y))
		if !ok {
			return 0, fmt.Errorf("%w: it captures at %v", ErrMove, at)
		}
		captured |= checkers.One(s)
	}
	m := checkers.NewMove(from, to, captured)
	if slices.Contains(b.AppendMoves(nil), m) {
		return m, nil
	}
	v := b.Variant()
	return 0, fmt.Errorf("%w: %d to %d with %d captures", ErrMove, v.Number(from), v.Number(to), captured.Len())
}

// moveInts is how many numbers a Move has.
const moveInts = 3 + 4 + 5*maxPath

// ints are the numbers of a Board or a Move in the order of memory.
func (b *Board) ints() []int32   { return (*[64]int32)(unsafe.Pointer(b))[:] }
func (move *Move) ints() []int32 { return (*[moveInts]int32)(unsafe.Pointer(move))[:] }

// Wire returns the numbers of a Board with commas between them.
func (b *Board) Wire() string { return formatInts(b.ints()) }

// Wire returns the numbers of a Move with commas between them.
func (move *Move) Wire() string { return formatInts(move.ints()) }

// ParseBoard reads what Board.Wire returns.
func ParseBoard(text string) (b Board, err error) {
	err = parseInts(text, b.ints())
	return b, err
}

// ParseMove reads what Move.Wire returns.
func ParseMove(text string) (move Move, err error) {
	err = parseInts(text, move.ints())
	return move, err
}

// Fill sets every number of a Move.
func (move *Move) Fill(n int32) {
	for i := range move.ints() {
		move.ints()[i] = n
	}
}

func formatInts(list []int32) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(int(n))
	}
	return strings.Join(words, ",")
}

func parseInts(text string, list []int32) error {
	words := strings.Split(text, ",")
	if len(words) != len(list) {
		return fmt.Errorf("%d numbers: want %d", len(words), len(list))
	}
	for i, word := range words {
		n, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return fmt.Errorf("%q: want a number", word)
		}
		list[i] = int32(n)
	}
	return nil
}

// Text is the text in a buffer up to its NUL, or all of it, as [Sanitize] leaves it.
func Text(buffer []byte) string {
	if end := bytes.IndexByte(buffer, 0); end >= 0 {
		buffer = buffer[:end]
	}
	return Sanitize(string(buffer))
}

// Sanitize makes a line of an engine's text: line ends are "\n", other control characters blanks, and
// bytes that are no UTF-8 question marks.
func Sanitize(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", `\n`)
	return strings.TrimRight(strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return '?'
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, text), " ")
}

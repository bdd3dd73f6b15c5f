// Package abi is the memory of the CheckerBoard API: boards, moves and numbers as an engine's
// library and its caller share them. All of it is int, which has 32 bits on every system that the
// API is for.
package abi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

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
	for _, legal := range b.AppendMoves(nil) {
		if legal == m {
			return m, nil
		}
	}
	v := b.Variant()
	return 0, fmt.Errorf("%w: %d to %d with %d captures", ErrMove, v.Number(from), v.Number(to), captured.Len())
}

// The numbers of a Board and a Move, for a wire.

// Ints are the numbers of a Board in the order of memory.
func (b *Board) Ints() []int32 {
	list := make([]int32, 0, 64)
	for _, column := range b {
		list = append(list, column[:]...)
	}
	return list
}

// ParseBoard reads 64 numbers with commas between them.
func ParseBoard(text string) (b Board, err error) {
	numbers, err := parseInts(text, 64)
	for i, n := range numbers {
		b[i/8][i%8] = n
	}
	return b, err
}

// moveInts is how many numbers a Move has.
const moveInts = 3 + 4 + 5*maxPath

// MoveSize is the size of a CBmove in bytes.
const MoveSize = 4 * moveInts

// Ints are the numbers of a Move in the order of memory.
func (move *Move) Ints() []int32 {
	list := []int32{move.Jumps, move.NewPiece, move.OldPiece, move.From.X, move.From.Y, move.To.X, move.To.Y}
	for _, places := range [...]*[maxPath]Coor{&move.Path, &move.Del} {
		for _, at := range places {
			list = append(list, at.X, at.Y)
		}
	}
	return append(list, move.DelPiece[:]...)
}

// ParseMove reads the numbers of a Move with commas between them.
func ParseMove(text string) (move Move, err error) {
	n, err := parseInts(text, moveInts)
	if err != nil {
		return move, err
	}
	move.Jumps, move.NewPiece, move.OldPiece = n[0], n[1], n[2]
	move.From, move.To = Coor{n[3], n[4]}, Coor{n[5], n[6]}
	for i := range maxPath {
		move.Path[i] = Coor{n[7+2*i], n[8+2*i]}
		move.Del[i] = Coor{n[7+2*maxPath+2*i], n[8+2*maxPath+2*i]}
		move.DelPiece[i] = n[7+4*maxPath+i]
	}
	return move, nil
}

// FormatInts writes numbers with commas between them.
func FormatInts(list []int32) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(int(n))
	}
	return strings.Join(words, ",")
}

func parseInts(text string, want int) ([]int32, error) {
	words := strings.Split(text, ",")
	if len(words) != want {
		return nil, fmt.Errorf("%d numbers: want %d", len(words), want)
	}
	list := make([]int32, want)
	for i, word := range words {
		n, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("%q: want a number", word)
		}
		list[i] = int32(n)
	}
	return list, nil
}

package games

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// material counts pieces on a board.
type material [16]int8

func xiangqiMaterial(text string) (func(engine.Position) bool, error) {
	letters, atLeast := strings.CutSuffix(text, "+")
	var want material
	for _, letter := range letters {
		piece := pieceOf(letter)
		if piece == xiangqi.Empty {
			return nil, fmt.Errorf("material %q: %q is no piece: want letters such as RPkaabb", text, letter)
		}
		want[piece]++
	}
	for _, side := range []xiangqi.Side{xiangqi.Red, xiangqi.Black} {
		want[xiangqi.NewPiece(side, xiangqi.King)] = 1
	}
	return func(p engine.Position) bool {
		have := materialOf(xiangqiOf(p))
		if !atLeast {
			return have == want
		}
		for piece, n := range want {
			if have[piece] < n {
				return false
			}
		}
		return true
	}, nil
}

// pieceOf returns the piece of a letter in a FEN; Empty if there is none.
func pieceOf(letter rune) xiangqi.Piece {
	if letter >= utf8.RuneSelf {
		return xiangqi.Empty
	}
	return xiangqi.PieceOf(byte(letter))
}

func materialOf(p *xiangqi.Position) (m material) {
	for sq := range xiangqi.Square(90) {
		if piece := p.At(sq); piece != xiangqi.Empty {
			m[piece]++
		}
	}
	return m
}

// A pointTest reports whether a piece, or Empty, may be on a point; nil allows everything.
type pointTest func(xiangqi.Piece) bool

func xiangqiPattern(text string, mirror bool) (func(engine.Position) bool, error) {
	var tests [90]pointTest
	ranks := strings.Split(text, "/")
	if len(ranks) != 10 {
		return nil, fmt.Errorf("pattern %q: %d ranks instead of 10", text, len(ranks))
	}
	for i, rank := range ranks {
		files, err := readRank(rank)
		if err != nil {
			return nil, fmt.Errorf("pattern: rank %q: %w", rank, err)
		}
		copy(tests[(9-i)*9:], files[:])
	}
	same := func(sq xiangqi.Square) xiangqi.Square { return sq }
	return func(p engine.Position) bool {
		pos := xiangqiOf(p)
		return matchesAt(pos, &tests, same) || mirror && matchesAt(pos, &tests, xiangqi.Square.Mirrored)
	}, nil
}

// matchesAt reports whether the pieces of a board pass the tests of the points that at returns.
func matchesAt(p *xiangqi.Position, tests *[90]pointTest, at func(xiangqi.Square) xiangqi.Square) bool {
	for sq := range xiangqi.Square(90) {
		if test := tests[sq]; test != nil && !test(p.At(at(sq))) {
			return false
		}
	}
	return true
}

// readRank reads a rank of a pattern.
func readRank(rank string) (tests [9]pointTest, err error) {
	file := 0
	put := func(n int, test pointTest) {
		for range n {
			if file < len(tests) {
				tests[file] = test
			}
			file++
		}
	}
	for _, c := range rank {
		switch {
		case c == '?':
			put(1, nil)
		case c == '*':
			put(max(0, len(tests)-file), nil)
		case c == '+' || c == '-':
			side := xiangqi.Red
			if c == '-' {
				side = xiangqi.Black
			}
			put(1, func(p xiangqi.Piece) bool { return p != xiangqi.Empty && p.Side() == side })
		case '1' <= c && c <= '9':
			put(int(c-'0'), func(p xiangqi.Piece) bool { return p == xiangqi.Empty })
		default:
			piece := pieceOf(c)
			if piece == xiangqi.Empty {
				return tests, fmt.Errorf("%q is none of the letters of pieces, 1 to 9, ?, *, + and -", c)
			}
			put(1, func(p xiangqi.Piece) bool { return p == piece })
		}
	}
	if file != len(tests) {
		err = fmt.Errorf("%d points instead of %d", file, len(tests))
	}
	return tests, err
}

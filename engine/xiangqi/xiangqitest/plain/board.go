// Package plain implements the rules of Xiangqi as simply as possible, on boards of letters, to
// test package xiangqi and its search. It shares no code with them: it tries all moves, and looks
// through all boards of a game.
//
// The repetition rules are those that the comments of package xiangqi define and justify (ruleset.go,
// chase.go).
package plain

import (
	"fmt"
	"slices"
	"strings"
)

// A Board holds FEN letters, '.' for an empty point; indexed by rank x 9 + file.
type Board struct {
	at  [90]byte
	red bool // Red is to move
}

// A Move goes from one point to another.
type Move struct{ From, To int }

// Parse reads the first two fields of a FEN as package xiangqi writes it.
func Parse(fen string) (*Board, error) {
	fields := append(strings.Fields(fen), "", "")
	b := &Board{red: fields[1] == "w"}
	ranks := strings.Split(fields[0], "/")
	if len(ranks) != 10 || !b.red && fields[1] != "b" {
		return nil, fmt.Errorf("unexpected FEN %q", fen)
	}
	for i, rank := range ranks {
		for digit := '1'; digit <= '9'; digit++ {
			rank = strings.ReplaceAll(rank, string(digit), strings.Repeat(".", int(digit-'0')))
		}
		if len(rank) != 9 {
			return nil, fmt.Errorf("unexpected rank %q in FEN %q", ranks[i], fen)
		}
		copy(b.at[(9-i)*9:], rank)
	}
	return b, nil
}

func isRed(c byte) bool { return 'A' <= c && c <= 'Z' }
func lower(c byte) byte { return c | 0x20 }

// holds reports whether a piece of a side stands on a point.
func (b *Board) holds(point int, red bool) bool {
	return b.at[point] != '.' && isRed(b.at[point]) == red
}

func inPalace(red bool, rank, file int) bool {
	return file >= 3 && file <= 5 && (red && rank <= 2 || !red && rank >= 7)
}

// reaches reports whether the piece on one point may move to or capture on another, ignoring the
// safety of its king.
func (b *Board) reaches(m Move) bool {
	piece, red := b.at[m.From], isRed(b.at[m.From])
	if b.holds(m.To, red) {
		return false
	}
	r0, f0, r1, f1 := m.From/9, m.From%9, m.To/9, m.To%9
	dr, df := r1-r0, f1-f0
	ar, af := max(dr, -dr), max(df, -df)
	switch lower(piece) {
	case 'k':
		return ar+af == 1 && inPalace(red, r1, f1)
	case 'a':
		return ar == 1 && af == 1 && inPalace(red, r1, f1)
	case 'b':
		return ar == 2 && af == 2 && (r1 <= 4) == red && b.at[(r0+dr/2)*9+f0+df/2] == '.'
	case 'n':
		if ar == 2 && af == 1 {
			return b.at[(r0+dr/2)*9+f0] == '.'
		}
		return ar == 1 && af == 2 && b.at[r0*9+f0+df/2] == '.'
	case 'r':
		return ar*af == 0 && b.countBetween(m) == 0
	case 'c':
		if ar*af != 0 {
			return false
		}
		if b.at[m.To] == '.' {
			return b.countBetween(m) == 0
		}
		return b.countBetween(m) == 1
	case 'p':
		if red {
			return dr == 1 && df == 0 || r0 >= 5 && dr == 0 && af == 1
		}
		return dr == -1 && df == 0 || r0 <= 4 && dr == 0 && af == 1
	}
	return false
}

// countBetween counts the pieces between two points of a rank or file.
func (b *Board) countBetween(m Move) (n int) {
	step := 1
	if m.From%9 == m.To%9 {
		step = 9
	}
	for point := min(m.From, m.To) + step; point < max(m.From, m.To); point += step {
		if b.at[point] != '.' {
			n++
		}
	}
	return n
}

// attackers returns the points of the pieces that attack a side's king. Kings that face each other
// do.
func (b *Board) attackers(red bool) (points []int) {
	king := slices.IndexFunc(b.at[:], func(c byte) bool { return lower(c) == 'k' && isRed(c) == red })
	for point := range b.at {
		m := Move{point, king}
		faces := lower(b.at[point]) == 'k' && point%9 == king%9 && b.countBetween(m) == 0
		if b.holds(point, !red) && (faces || b.reaches(m)) {
			points = append(points, point)
		}
	}
	return points
}

// InCheck reports whether the side to move is in check.
func (b *Board) InCheck() bool { return len(b.attackers(b.red)) > 0 }

// After returns the board after a move.
func (b *Board) After(m Move) *Board {
	next := *b
	next.at[m.To], next.at[m.From] = b.at[m.From], '.'
	next.red = !b.red
	return &next
}

// Passed returns the board with the other side to move.
func (b *Board) Passed() *Board {
	next := *b
	next.red = !b.red
	return &next
}

// At returns the letter on a point, '.' if it is empty.
func (b *Board) At(point int) byte { return b.at[point] }

// legal reports whether a piece of either side may make a move. Attacks on its king from the points
// that are ignored are allowed.
func (b *Board) legal(m Move, ignored []int) bool {
	return b.reaches(m) && !slices.ContainsFunc(b.After(m).attackers(isRed(b.at[m.From])), func(point int) bool {
		return !slices.Contains(ignored, point)
	})
}

// Moves returns the legal moves, sorted.
func (b *Board) Moves() []Move { return b.movesTo(func(int) bool { return true }) }

// Captures returns those of Moves that capture.
func (b *Board) Captures() []Move { return b.movesTo(func(to int) bool { return b.at[to] != '.' }) }

func (b *Board) movesTo(isWanted func(point int) bool) (moves []Move) {
	for from := range b.at {
		for to := 0; b.holds(from, b.red) && to < len(b.at); to++ {
			if m := (Move{from, to}); isWanted(to) && b.legal(m, nil) {
				moves = append(moves, m)
			}
		}
	}
	return moves
}

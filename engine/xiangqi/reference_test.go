package xiangqi

import "sort"

// The reference implements the rules of the game as simply as possible, on a board of letters, to
// test the fast move generator. It shares no code with it.

// refBoard holds FEN letters, '.' for an empty point; indexed by rank and file.
type refBoard struct {
	at  [10][9]byte
	red bool // Red is to move
}

func newRefBoard(p *Position) *refBoard {
	const letters = ".RNBAKCP.rnbakcp"
	b := &refBoard{red: p.Turn() == 0}
	for rank := range 10 {
		for file := range 9 {
			b.at[rank][file] = letters[p.At(Square(rank*9+file))]
		}
	}
	return b
}

func isRed(c byte) bool   { return 'A' <= c && c <= 'Z' }
func isBlack(c byte) bool { return 'a' <= c && c <= 'z' }
func lower(c byte) byte   { return c | 0x20 }

func inPalace(red bool, rank, file int) bool {
	if file < 3 || file > 5 {
		return false
	}
	if red {
		return rank <= 2
	}
	return rank >= 7
}

// reaches reports whether the piece on one point may move to or capture on another, ignoring the
// safety of its king. The target must not hold a piece of the same side.
func (b *refBoard) reaches(r0, f0, r1, f1 int) bool {
	piece, red := b.at[r0][f0], isRed(b.at[r0][f0])
	dr, df := r1-r0, f1-f0
	ar, af := max(dr, -dr), max(df, -df)
	switch lower(piece) {
	case 'k':
		return ar+af == 1 && inPalace(red, r1, f1)
	case 'a':
		return ar == 1 && af == 1 && inPalace(red, r1, f1)
	case 'b':
		return ar == 2 && af == 2 && (r1 <= 4) == red && b.at[r0+dr/2][f0+df/2] == '.'
	case 'n':
		if ar == 2 && af == 1 {
			return b.at[r0+dr/2][f0] == '.'
		}
		return ar == 1 && af == 2 && b.at[r0][f0+df/2] == '.'
	case 'r':
		return ar*af == 0 && b.countBetween(r0, f0, r1, f1) == 0
	case 'c':
		if ar*af != 0 {
			return false
		}
		if b.at[r1][f1] == '.' {
			return b.countBetween(r0, f0, r1, f1) == 0
		}
		return b.countBetween(r0, f0, r1, f1) == 1
	case 'p':
		if red {
			return dr == 1 && df == 0 || r0 >= 5 && dr == 0 && af == 1
		}
		return dr == -1 && df == 0 || r0 <= 4 && dr == 0 && af == 1
	}
	return false
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func (b *refBoard) countBetween(r0, f0, r1, f1 int) (n int) {
	dr, df := sign(r1-r0), sign(f1-f0)
	for r, f := r0+dr, f0+df; r != r1 || f != f1; r, f = r+dr, f+df {
		if b.at[r][f] != '.' {
			n++
		}
	}
	return n
}

// kingAttacked reports whether a side's king is in check or faces the other king.
func (b *refBoard) kingAttacked(red bool) bool {
	var rank, file int
	var rank2, file2 int
	for r := range 10 {
		for f := range 9 {
			if lower(b.at[r][f]) != 'k' {
				continue
			}
			if isRed(b.at[r][f]) == red {
				rank, file = r, f
			} else {
				rank2, file2 = r, f
			}
		}
	}
	if file2 == file && b.countBetween(rank, file, rank2, file) == 0 {
		return true
	}
	for r := range 10 {
		for f := range 9 {
			c := b.at[r][f]
			if c != '.' && isRed(c) != red && b.reaches(r, f, rank, file) {
				return true
			}
		}
	}
	return false
}

// after returns the board after a move.
func (b *refBoard) after(m Move) *refBoard {
	next := *b
	from, to := int(m.From()), int(m.To())
	next.at[to/9][to%9] = b.at[from/9][from%9]
	next.at[from/9][from%9] = '.'
	next.red = !b.red
	return &next
}

// moves returns the legal moves, sorted.
func (b *refBoard) moves() (moves []Move) {
	for from := range 90 {
		for to := range 90 {
			c, d := b.at[from/9][from%9], b.at[to/9][to%9]
			mine, theirs := isRed, isBlack
			if !b.red {
				mine, theirs = isBlack, isRed
			}
			if !mine(c) || d != '.' && !theirs(d) || from == to {
				continue
			}
			if !b.reaches(from/9, from%9, to/9, to%9) {
				continue
			}
			m := NewMove(Square(from), Square(to))
			if !b.after(m).kingAttacked(b.red) {
				moves = append(moves, m)
			}
		}
	}
	sort.Slice(moves, func(i, j int) bool { return moves[i] < moves[j] })
	return moves
}

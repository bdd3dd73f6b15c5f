package quoridor

import (
	"math/bits"

	"qhsh/engine"
)

// freeCentres returns the centres around which a wall of each kind would neither cross nor overlap
// another.
func (b *Board) freeCentres() (horizontal, vertical [MaxSize - 1]uint32) {
	last := b.size - 2
	all := uint32(1)<<(b.size-1) - 1
	for r := 0; r <= last; r++ {
		open := all &^ (b.horizontal[r] | b.vertical[r])
		horizontal[r] = open &^ (b.horizontal[r]<<1 | b.horizontal[r]>>1)
		vertical[r] = open
		if r > 0 {
			vertical[r] &^= b.vertical[r-1]
		}
		if r < last {
			vertical[r] &^= b.vertical[r+1]
		}
	}
	return horizontal, vertical
}

// BuiltWalls returns the walls on the board, horizontal ones first, as actions of Black: the builder is
// not known.
func (b *Board) BuiltWalls() []Action {
	return appendCentres(appendCentres(nil, b.horizontal[:b.size-1], Black, Horizontal), b.vertical[:b.size-1], Black, Vertical)
}

// joiningCentres returns the centres of a row around which a wall of each kind would join two
// obstacles. Only such a wall can block a path.
func (b *Board) joiningCentres(r int) (horizontal, vertical uint32) {
	// In terms of corners, the centre (r, c) is the corner (r+1, c+1).
	middle := b.touched[r+1]
	horizontal = majority(middle, middle>>1, middle>>2)
	vertical = majority(b.touched[r]>>1, middle>>1, b.touched[r+2]>>1)
	return horizontal, vertical
}

// majority returns the bits that are set in at least two of three.
func majority(a, b, c uint32) uint32 { return a&b | b&c | a&c }

// legalWalls returns the centres around which a wall of each kind can be built. Shortest paths of
// both sides may be given.
func (b *Board) legalWalls(paths *[2]Path) (horizontal, vertical [MaxSize - 1]uint32) {
	horizontal, vertical = b.freeCentres()
	var joinH, joinV [MaxSize - 1]uint32 // the free ones around which a wall would join two obstacles
	var all uint32
	for r := range b.size - 1 {
		h, v := b.joiningCentres(r)
		joinH[r], joinV[r] = h&horizontal[r], v&vertical[r]
		all |= joinH[r] | joinV[r]
	}
	if all == 0 {
		return horizontal, vertical
	}
	if paths == nil {
		paths = &[2]Path{b.ShortestPath(Black), b.ShortestPath(White)}
	}
	trial := *b
	for r := range b.size - 1 {
		cutH := paths[Black].horizontal[r] | paths[White].horizontal[r]
		cutV := paths[Black].vertical[r] | paths[White].vertical[r]
		horizontal[r] &^= trial.blockingCentres(Horizontal, r, joinH[r]&cutH, paths)
		vertical[r] &^= trial.blockingCentres(Vertical, r, joinV[r]&cutV, paths)
	}
	return horizontal, vertical
}

// blockingCentres returns the suspects around which a wall leaves a pawn without a path to its goal row.
func (b *Board) blockingCentres(kind Kind, r int, suspects uint32, paths *[2]Path) (barring uint32) {
	for ; suspects != 0; suspects &= suspects - 1 {
		c := bits.TrailingZeros32(suspects)
		b.toggleSteps(kind, r, c)
		for side := range paths {
			cut := paths[side].horizontal[r]
			if kind == Vertical {
				cut = paths[side].vertical[r]
			}
			turn := engine.Turn(side)
			if cut>>c&1 != 0 && !b.reaches(b.pawns[turn], b.Goal(turn)) {
				barring |= 1 << c
				break
			}
		}
		b.toggleSteps(kind, r, c)
	}
	return barring
}

func (b *Board) checkWall(a Action) string {
	r, c := a.Cell().Row()-1, a.Cell().Col()
	if r < 0 || r >= b.size-1 || c >= b.size-1 {
		return "no wall can be built there"
	}
	if b.left[a.Side()] <= 0 {
		return "no walls left"
	}
	horizontal, vertical := b.freeCentres()
	joinH, joinV := b.joiningCentres(r)
	free, joins := horizontal[r], joinH
	if a.Kind() == Vertical {
		free, joins = vertical[r], joinV
	}
	if free>>c&1 == 0 {
		return "another wall is in the way"
	}
	if joins>>c&1 == 0 {
		return ""
	}
	trial := *b
	trial.toggleSteps(a.Kind(), r, c)
	for _, side := range [...]engine.Turn{Black, White} {
		if !trial.reaches(b.pawns[side], b.Goal(side)) {
			return ColourName(side) + " would have no way to the goal row"
		}
	}
	return ""
}

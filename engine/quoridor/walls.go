package quoridor

import (
	"math/bits"

	"qhsh/engine"
)

// free returns the centres around which a wall of each kind would neither cross another nor
// lie on half of one.
func (b *Board) free() (horizontal, vertical [MaxSize - 1]uint32) {
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

// AppendBuiltWalls appends the walls that stand, horizontal ones first, as if Black had built
// them: who has is not known.
func (b *Board) AppendBuiltWalls(to []Action) []Action {
	to = appendCentres(to, b.horizontal[:b.size-1], Black, Horizontal)
	return appendCentres(to, b.vertical[:b.size-1], Black, Vertical)
}

// joins returns the centres of a row around which a wall of each kind would join two things
// that stand already. Only such a wall can bar a way: what bars one is a line of walls
// from edge to edge, or around.
func (b *Board) joins(r int) (horizontal, vertical uint32) {
	// In terms of corners, the centre (r, c) is the corner (r+1, c+1).
	middle := b.touched[r+1]
	horizontal = two(middle, middle>>1, middle>>2)
	vertical = two(b.touched[r]>>1, middle>>1, b.touched[r+2]>>1)
	return horizontal, vertical
}

// two returns the bits that are set in at least two of three.
func two(a, b, c uint32) uint32 { return a&b | b&c | a&c }

// legalWalls returns the centres around which a wall of each kind can be built, by a side
// that has one. A shortest way of each side may be known; nil: it is looked for if need be.
func (b *Board) legalWalls(ways *[2]Path) (horizontal, vertical [MaxSize - 1]uint32) {
	horizontal, vertical = b.free()
	joinH, joinV, any := b.suspects(&horizontal, &vertical)
	if !any {
		return horizontal, vertical
	}
	if ways == nil {
		ways = &[2]Path{b.ShortestPath(Black), b.ShortestPath(White)}
	}
	trial := *b
	for r := range b.size - 1 {
		cutH := ways[Black].horizontal[r] | ways[White].horizontal[r]
		cutV := ways[Black].vertical[r] | ways[White].vertical[r]
		horizontal[r] &^= trial.barring(Horizontal, r, joinH[r]&cutH, ways)
		vertical[r] &^= trial.barring(Vertical, r, joinV[r]&cutV, ways)
	}
	return horizontal, vertical
}

// suspects returns the free centres around which a wall would join something.
func (b *Board) suspects(freeH, freeV *[MaxSize - 1]uint32) (horizontal, vertical [MaxSize - 1]uint32, any bool) {
	var all uint32
	for r := range b.size - 1 {
		h, v := b.joins(r)
		horizontal[r], vertical[r] = h&freeH[r], v&freeV[r]
		all |= horizontal[r] | vertical[r]
	}
	return horizontal, vertical, all != 0
}

// barring returns those centres of a row around which a wall bars a way.
func (b *Board) barring(kind Kind, r int, suspects uint32, ways *[2]Path) (barring uint32) {
	for ; suspects != 0; suspects &= suspects - 1 {
		if c := bits.TrailingZeros32(suspects); b.bars(kind, r, c, ways) {
			barring |= 1 << c
		}
	}
	return barring
}

// bars reports whether a wall around a centre leaves a pawn without a way to its goal row.
// The wall is built for the time being.
func (b *Board) bars(kind Kind, r, c int, ways *[2]Path) bool {
	b.bar(kind, r, c)
	defer b.bar(kind, r, c)
	for side := range ways {
		cut := ways[side].horizontal[r]
		if kind == Vertical {
			cut = ways[side].vertical[r]
		}
		turn := engine.Turn(side)
		if cut>>c&1 != 0 && !b.reaches(b.pawns[turn], b.Goal(turn)) {
			return true
		}
	}
	return false
}

func (b *Board) checkWall(a Action) string {
	r, c := a.Cell().Row()-1, a.Cell().Col()
	if r < 0 || r >= b.size-1 || c >= b.size-1 {
		return "no wall has its centre there"
	}
	if b.left[a.Side()] <= 0 {
		return "no wall is left"
	}
	horizontal, vertical := b.free()
	free, joins := horizontal[r], uint32(0)
	if joins, _ = b.joins(r); a.Kind() == Vertical {
		free = vertical[r]
		_, joins = b.joins(r)
	}
	if free>>c&1 == 0 {
		return "another wall is in the way"
	}
	if joins>>c&1 == 0 {
		return ""
	}
	trial := *b
	trial.bar(a.Kind(), r, c)
	for _, side := range [...]engine.Turn{Black, White} {
		if !trial.reaches(b.pawns[side], b.Goal(side)) {
			return ColourName(side) + " would have no way to the goal row"
		}
	}
	return ""
}

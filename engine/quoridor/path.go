package quoridor

import "qhsh/engine"

// reaches tells whether there is a way from a cell to a row, pawns not being in the way.
// What has been reached spreads row by row, upwards and downwards in turn, until nothing
// is added.
func (b *Board) reaches(from Cell, goal int) bool {
	var seen [MaxSize]uint32
	b.spread(&seen[from.Row()], 1<<from.Col(), from.Row())
	for changed := true; changed; {
		changed = false
		for r := 0; r < b.size; r++ {
			reached := seen[r]
			if r > 0 {
				reached |= seen[r-1] &^ b.above[r-1]
			}
			changed = b.spread(&seen[r], reached, r) || changed
		}
		for r := b.size - 2; r >= 0; r-- {
			changed = b.spread(&seen[r], seen[r]|seen[r+1]&^b.above[r], r) || changed
		}
		if seen[goal] != 0 {
			return true
		}
	}
	return false
}

// spread puts what has been reached of a row, and all that can be reached from there
// within the row, into seen, and tells whether that is new.
func (b *Board) spread(seen *uint32, reached uint32, r int) bool {
	if reached == *seen {
		return false
	}
	open := ^b.beside[r] & (1<<(b.size-1) - 1) // bit c: between c and c+1
	right, left := open<<1, open
	up, down := reached, reached
	for shift := 1; shift < b.size; shift <<= 1 { // Kogge-Stone
		up |= right & (up << shift)
		right &= right << shift
		down |= left & (down >> shift)
		left &= left >> shift
	}
	*seen = up | down
	return true
}

// A Way is a shortest way of a pawn to its goal row: its length, and the centres around
// which a wall would cut it, as Board has them.
type Way struct {
	steps                int // -1 if there is none
	horizontal, vertical [MaxSize - 1]uint32
}

// Distance is the number of steps of a shortest way from a side's pawn to its goal row,
// pawns not being in the way; -1 if there is none.
func (b *Board) Distance(side engine.Turn) int {
	goal := b.Goal(side)
	var seen, edge [MaxSize]uint32
	at := b.pawns[side]
	seen[at.Row()] = 1 << at.Col()
	edge[at.Row()] = 1 << at.Col()
	low, high := at.Row(), at.Row()
	for steps := 0; ; steps++ {
		if edge[goal] != 0 {
			return steps
		}
		low, high = max(low-1, 0), min(high+1, b.size-1)
		if !b.widen(&seen, &edge, low, high) {
			return -1
		}
	}
}

// widen makes edge the cells one step beyond it that have not been seen, within the rows
// low to high, and tells whether there are any.
func (b *Board) widen(seen, edge *[MaxSize]uint32, low, high int) bool {
	var any, below uint32 // below: the edge of the row below, before it was widened
	if low > 0 {
		below = edge[low-1]
	}
	for r := low; r <= high; r++ {
		old := edge[r]
		open := ^b.beside[r] & (1<<(b.size-1) - 1)
		next := (old&open)<<1 | old>>1&open
		if r > 0 {
			next |= below &^ b.above[r-1]
		}
		if r < b.size-1 {
			next |= edge[r+1] &^ b.above[r]
		}
		next &^= seen[r]
		seen[r] |= next
		edge[r], below = next, old
		any |= next
	}
	return any != 0
}

// Steps is how many there are.
func (w *Way) Steps() int { return w.steps }

// Cuts tells whether a wall lies across the way.
func (w *Way) Cuts(wall Action) bool {
	at := wall.Cell()
	rows := &w.horizontal
	if wall.Kind() == Vertical {
		rows = &w.vertical
	}
	return rows[at.Row()-1]>>at.Col()&1 != 0
}

// Shortest is a shortest way of a side's pawn to its goal row, pawns not being in the
// way.
func (b *Board) Shortest(side engine.Turn) Way {
	var came [MaxSize << 5]uint8 // 1 + the direction from which a cell was entered
	var queue [MaxSize * MaxSize]Cell
	start, goal := b.pawns[side], b.Goal(side)
	queue[0] = start
	came[start] = 1 + 4
	for head, tail := 0, 1; head < tail; head++ {
		at := queue[head]
		if at.Row() == goal {
			return b.trace(at, &came)
		}
		for d := up; d <= left; d++ {
			if next, ok := b.step(at, d); ok && came[next] == 0 {
				came[next] = 1 + uint8(d)
				queue[tail] = next
				tail++
			}
		}
	}
	return Way{steps: -1}
}

// trace walks back to the start.
func (b *Board) trace(at Cell, came *[MaxSize << 5]uint8) (w Way) {
	for came[at] != 1+4 {
		d := direction(came[at] - 1)
		switch row, col := at.Row(), at.Col(); d {
		case up:
			at -= 32
			w.crossesRow(row-1, col)
		case down:
			at += 32
			w.crossesRow(row, col)
		case right:
			at--
			w.crossesColumn(row, col-1)
		case left:
			at++
			w.crossesColumn(row, col)
		}
		w.steps++
	}
	last := uint32(1)<<(b.size-1) - 1 // centres end before the last column, and row
	for r := range b.size - 1 {
		w.horizontal[r] &= last
	}
	return w
}

// crossesRow: the way steps between the rows r and r+1 in column c.
func (w *Way) crossesRow(r, c int) { w.horizontal[r] |= 3 << c >> 1 }

// crossesColumn: the way steps between the columns c and c+1 in row r.
func (w *Way) crossesColumn(r, c int) {
	if r > 0 {
		w.vertical[r-1] |= 1 << c
	}
	if r < len(w.vertical) {
		w.vertical[r] |= 1 << c
	}
}

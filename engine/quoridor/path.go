package quoridor

import (
	"math/bits"

	"qhsh/engine"
)

// reaches reports whether there is a path from a cell to a row, ignoring pawns. The reached set
// spreads row by row, upwards and downwards in turn, until nothing is added.
func (b *Board) reaches(from Cell, goal int) bool {
	var seen [MaxSize]uint32
	b.spread(&seen[from.Row()], 1<<from.Col(), from.Row())
	for changed := true; changed; {
		changed = false
		for r := 0; r < b.size; r++ {
			reached := seen[r]
			if r > 0 {
				reached |= seen[r-1] &^ b.blockedUp[r-1]
			}
			changed = b.spread(&seen[r], reached, r) || changed
		}
		for r := b.size - 2; r >= 0; r-- {
			changed = b.spread(&seen[r], seen[r]|seen[r+1]&^b.blockedUp[r], r) || changed
		}
		if seen[goal] != 0 {
			return true
		}
	}
	return false
}

// spread adds to seen the reached cells of a row and all cells that can be reached from them within
// the row, and reports whether any is new.
func (b *Board) spread(seen *uint32, reached uint32, r int) bool {
	if reached == *seen {
		return false
	}
	open := ^b.blockedRight[r] & (1<<(b.size-1) - 1) // bit c: between c and c+1
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

// A Path is a shortest path of a pawn to its goal row: its length, and the centres of walls that
// would block it.
type Path struct {
	Steps                int // -1 if there is none
	horizontal, vertical [MaxSize - 1]uint32
}

// Distance returns the length of a shortest path of a side's pawn to its goal row, ignoring pawns;
// -1 if there is none.
func (b *Board) Distance(side engine.Turn) int {
	var seen layer
	var layers [2]layer // the last one and the next, in turn
	at, goal := b.pawns[side], b.Goal(side)
	low, high := at.Row(), at.Row()
	seen[low] = 1 << at.Col()
	layers[0][low] = seen[low]
	for steps := 0; ; steps++ {
		from, to := &layers[steps&1], &layers[steps&1^1]
		if from[goal] != 0 {
			return steps
		}
		low, high = max(low-1, 0), min(high+1, b.size-1)
		if !b.next(&seen, from, to, low, high) {
			return -1
		}
	}
}

// BlockedBy reports whether a wall blocks the path.
func (w *Path) BlockedBy(wall Action) bool {
	at := wall.Cell()
	rows := &w.horizontal
	if wall.Kind() == Vertical {
		rows = &w.vertical
	}
	return rows[at.Row()-1]>>at.Col()&1 != 0
}

// usualLayers is enough for the paths of usual games.
const usualLayers = 64

// layer are the cells that are a number of steps away, in rows.
type layer [MaxSize]uint32

// ShortestPath returns a shortest path of a side's pawn to its goal row, ignoring pawns.
func (b *Board) ShortestPath(side engine.Turn) Path {
	layers := make([]layer, 1, usualLayers)
	var seen layer
	at, goal := b.pawns[side], b.Goal(side)
	low, high := at.Row(), at.Row()
	seen[low] = 1 << at.Col()
	layers[0][low] = seen[low]
	for steps := 0; ; steps++ {
		if layers[steps][goal] != 0 {
			return b.trace(layers, goal)
		}
		layers = append(layers, layer{})
		low, high = max(low-1, 0), min(high+1, b.size-1)
		if !b.next(&seen, &layers[steps], &layers[steps+1], low, high) {
			return Path{Steps: -1}
		}
	}
}

// next makes to the cells one step beyond a layer that have not been seen, within the rows low
// to high, and reports whether there are any.
func (b *Board) next(seen, from, to *layer, low, high int) bool {
	var any uint32
	for r := low; r <= high; r++ {
		open := ^b.blockedRight[r] & (1<<(b.size-1) - 1)
		next := (from[r]&open)<<1 | from[r]>>1&open
		if r > 0 {
			next |= from[r-1] &^ b.blockedUp[r-1]
		}
		if r < b.size-1 {
			next |= from[r+1] &^ b.blockedUp[r]
		}
		next &^= seen[r]
		seen[r] |= next
		to[r] = next
		any |= next
	}
	return any != 0
}

// trace walks back from the goal row through the layers to the pawn.
func (b *Board) trace(layers []layer, goal int) (w Path) {
	w.Steps = len(layers) - 1
	at := cellAt(goal, bits.TrailingZeros32(layers[w.Steps][goal]))
	for k := w.Steps - 1; k >= 0; k-- {
		for d := up; d <= left; d++ {
			if next, ok := b.step(at, d); ok && layers[k][next.Row()]>>next.Col()&1 != 0 {
				w.markStep(at, d)
				at = next
				break
			}
		}
	}
	for r := range b.size - 1 { // without the centres beyond the last column
		w.horizontal[r] &= uint32(1)<<(b.size-1) - 1
	}
	return w
}

// markStep: the way steps from a cell in a direction, or comes from there.
func (w *Path) markStep(at Cell, d direction) {
	row, col := at.Row(), at.Col()
	switch d { // the step between this cell and the one above it, or on its right
	case down:
		row--
	case left:
		col--
	}
	if d == up || d == down {
		w.horizontal[row] |= 3 << col >> 1
		return
	}
	if row > 0 {
		w.vertical[row-1] |= 1 << col
	}
	if row < len(w.vertical) {
		w.vertical[row] |= 1 << col
	}
}

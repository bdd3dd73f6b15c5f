package search

import (
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// A correction is the correction history: how far searches have recently found the static
// evaluation to be off in positions with the same pawns, defenders or attackers, or after the same two
// moves. It is indexed by side to move and the low bits of a key of those pieces or moves.
type correction [correctionKeys][2][correctionSize]int16

const (
	correctionSize = 1 << 13
	correctionMax  = 1024
	correctionUnit = 24 // units of an entry per centipawn
)

// The groups of pieces.
const (
	pawns = iota
	guards
	attackers
	groups
)

var groupOf = [8]uint8{
	xiangqi.Pawn: pawns, xiangqi.Advisor: guards, xiangqi.Elephant: guards, xiangqi.King: guards,
	xiangqi.Rook: attackers, xiangqi.Horse: attackers, xiangqi.Cannon: attackers,
}

// lastMoves is the index of the key of the last two moves, behind those of the groups.
const (
	lastMoves      = groups
	correctionKeys = groups + 1
)

// nodeKeys has a key for each group of pieces, and one for the last two moves: its low half is of both,
// its high half of the last one.
type nodeKeys [correctionKeys]uint32

// keyOf has a number for each piece on each point, the same on every machine.
var keyOf = makeKeys()

func makeKeys() (table [16][90]uint32) {
	x := uint64(0x2545F4914F6CDD1D)
	for p := range table {
		for sq := range table[p] {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			if p != 0 {
				table[p][sq] = uint32(x >> 32)
			}
		}
	}
	return table
}

// newKeys returns the keys of a board.
func newKeys(b *xiangqi.Board) (k nodeKeys) {
	for sq := range xiangqi.Square(90) {
		p := b.At(sq)
		k[groupOf[p.Kind()&7]] ^= keyOf[p&15][sq]
	}
	return k
}

// after returns the keys after a move.
func (k nodeKeys) after(piece, taken xiangqi.Piece, m xiangqi.Move) nodeKeys {
	k[groupOf[piece.Kind()&7]] ^= keyOf[piece&15][m.From()] ^ keyOf[piece&15][m.To()]
	k[groupOf[taken.Kind()&7]] ^= keyOf[taken&15][m.To()]
	k[lastMoves] = k[lastMoves]>>16 ^ keyOf[piece&15][m.To()]
	return k
}

// afterPass returns the keys after a null move.
func (k nodeKeys) afterPass() nodeKeys {
	k[lastMoves] >>= 16
	return k
}

// apply returns the static evaluation v with the correction added.
func (c *correction) apply(v int, s xiangqi.Side, k []uint32) int {
	sum := 0
	for g := range k {
		sum += int(c[g][s][k[g]%correctionSize])
	}
	return max(-eval.Limit, min(eval.Limit, v+sum/correctionUnit))
}

// update records that a search of the given depth found the evaluation to be off by evalError.
func (c *correction) update(evalError, depth int, s xiangqi.Side, k []uint32) {
	bonus := max(-correctionMax/4, min(correctionMax/4, evalError*depth/4))
	for g := range k {
		entry := &c[g][s][k[g]%correctionSize]
		v := int(*entry)
		*entry = int16(v + bonus - v*max(bonus, -bonus)/correctionMax)
	}
}

package xiangqi

import "math/bits"

// Rooks and cannons move along ranks and files. Their targets depend only on the occupancy of the
// line, so they are looked up: the nine bits of a rank are adjacent in one half of the board; the
// ten of a file are nine apart, and one multiplication per half gathers five of them. Another one
// spreads the result.

const (
	fileMask   = 1 | 1<<9 | 1<<18 | 1<<27 | 1<<36 // file A of a half
	fileGather = 1<<32 | 1<<24 | 1<<16 | 1<<8 | 1 // bit 9i to bit 32+i
	fileSpread = 1 | 1<<8 | 1<<16 | 1<<24 | 1<<32 // bit i to bit 9i
	rankBits   = 1<<9 - 1
)

// The line tables give what a rook or a cannon at a place of a line (the first
// index) reaches under an occupancy of that line (the second): the empty points it
// slides to, and the pieces it takes, of either side.
var (
	rookOnRank   = makeRankTable(rookReach)
	rookOnFile   = makeFileTable(rookReach)
	cannonOnRank = makeRankTable(cannonReach)
	cannonOnFile = makeFileTable(cannonReach)
)

func makeRankTable(reach func(at, length int, occ uint16) uint16) *[16][512]uint16 {
	table := new([16][512]uint16)
	for at := range 9 {
		for occ := range table[at] {
			table[at][occ] = reach(at, 9, uint16(occ))
		}
	}
	return table
}

func makeFileTable(reach func(at, length int, occ uint16) uint16) *[16][1024]uint16 {
	table := new([16][1024]uint16)
	for at := range 10 {
		for occ := range table[at] {
			table[at][occ] = reach(at, 10, uint16(occ))
		}
	}
	return table
}

// rookReach returns the points up to and including the first piece each way.
func rookReach(at, length int, occ uint16) (to uint16) {
	for _, step := range [2]int{-1, 1} {
		for i := at + step; 0 <= i && i < length; i += step {
			to |= 1 << i
			if occ>>i&1 != 0 {
				break
			}
		}
	}
	return to
}

// cannonReach returns the points before the first piece each way, and the second piece.
func cannonReach(at, length int, occ uint16) (to uint16) {
	for _, step := range [2]int{-1, 1} {
		pieces := 0
		for i := at + step; 0 <= i && i < length && pieces < 2; i += step {
			taken := int(occ >> i & 1)
			pieces += taken
			if pieces == 2*taken {
				to |= 1 << i
			}
		}
	}
	return to
}

// A place is a point's location for the line tables.
type place struct {
	file, rank uint8
	shift      uint8 // of its rank within its half
}

var places = func() (table [90]place) {
	for sq := range table {
		table[sq] = place{uint8(sq % 9), uint8(sq / 9), uint8(sq % halfSize / 9 * 9)}
	}
	return table
}()

// upper returns all ones for a point in the upper half and zero for one in the lower.
func upper(sq Square) uint64 { return uint64(int64(halfSize-1-int64(sq)) >> 63) }

// rankOf returns the occupancy of a point's rank.
func rankOf(sq Square, p place, occ Bitboard) uint64 {
	up := upper(sq)
	return (occ.lo&^up | occ.hi&up) >> (p.shift & 63) & rankBits
}

// fileOf returns the occupancy of a point's file, rank 0 in the lowest bit.
func fileOf(p place, occ Bitboard) uint64 {
	lo := occ.lo >> (p.file & 63) & fileMask * fileGather >> 32 & 31
	hi := occ.hi >> (p.file & 63) & fileMask * fileGather >> 32 & 31
	return lo | hi<<5
}

// onLines puts the bits of a point's rank and file back on the board.
func onLines(sq Square, p place, rank, file uint64) Bitboard {
	up := upper(sq)
	rank <<= p.shift & 63
	lo := file & 31 * fileSpread & fileMask << (p.file & 63)
	hi := file >> 5 * fileSpread & fileMask << (p.file & 63)
	return Bitboard{lo | rank&^up, hi | rank&up}
}

// rookTargets returns the targets of a rook with occupancy occ, including pieces of either side.
func rookTargets(sq Square, occ Bitboard) Bitboard {
	p := places[sq]
	rank := rookOnRank[p.file&15][rankOf(sq, p, occ)]
	file := rookOnFile[p.rank&15][fileOf(p, occ)]
	return onLines(sq, p, uint64(rank), uint64(file))
}

// cannonTargets returns the targets of a cannon with occupancy occ: empty points, and pieces of
// either side behind a screen.
func cannonTargets(sq Square, occ Bitboard) Bitboard {
	p := places[sq]
	rank := cannonOnRank[p.file&15][rankOf(sq, p, occ)]
	file := cannonOnFile[p.rank&15][fileOf(p, occ)]
	return onLines(sq, p, uint64(rank), uint64(file))
}

// lineTargets returns rookTargets and cannonTargets of a point.
func lineTargets(sq Square, occ Bitboard) (rook, cannon Bitboard) {
	p := places[sq]
	rank, file := rankOf(sq, p, occ), fileOf(p, occ)
	rook = onLines(sq, p, uint64(rookOnRank[p.file&15][rank]), uint64(rookOnFile[p.rank&15][file]))
	cannon = onLines(sq, p, uint64(cannonOnRank[p.file&15][rank]), uint64(cannonOnFile[p.rank&15][file]))
	return rook, cannon
}

// crosses has the points on the rank and the file of a point, except itself.
var crosses = func() (table [90]Bitboard) {
	for sq := range table {
		table[sq] = rookTargets(Square(sq), Bitboard{})
	}
	return table
}()

// between is filled for the points of the palaces.
var between = func() *[90][90]Bitboard {
	table := new([90][90]Bitboard)
	for king := range palaces[Red].Or(palaces[Black]).All() {
		for sq := range crosses[king].All() {
			table[king][sq] = pointsBetween(king, sq)
		}
	}
	return table
}()

// pointsBetween returns the points strictly between any two points of one rank or file.
func pointsBetween(a, b Square) (set Bitboard) {
	step := Square(9)
	if places[a].rank == places[b].rank {
		step = 1
	}
	for sq := min(a, b) + step; sq < max(a, b); sq += step {
		set = set.Or(points[sq])
	}
	return set
}

// gather4 gathers the four bits of a pattern around a point. The pattern's lowest bit is at point
// base, which may be negative; mask has the pattern's points, and magic moves them to the top four
// bits.
func gather4(occ, mask Bitboard, base int8, magic uint64) uint64 {
	window := bits.RotateLeft64(occ.lo&mask.lo, -int(base)) | bits.RotateLeft64(occ.hi&mask.hi, halfSize-int(base))
	return window * magic >> 60
}

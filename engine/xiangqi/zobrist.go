package xiangqi

// The keys of positions are Zobrist hashes: one random number for each piece on
// each point, and one for Black being to move, joined by exclusive or. The numbers
// come from a fixed seed, so that a key is the same on every machine.

var zobrist, zobristSide = makeZobrist()

// makeZobrist draws the numbers. Those of the empty point stay zero.
func makeZobrist() (*[16][90]uint64, uint64) {
	table := new([16][90]uint64)
	random := splitmix(0x7168_7368_2d31) // "qhsh-1"
	for _, side := range [2]Side{Red, Black} {
		for kind := Rook; kind <= Pawn; kind++ {
			for sq := range table[0] {
				table[NewPiece(side, kind)][sq] = random.next()
			}
		}
	}
	return table, random.next()
}

// splitmix is Steele, Lea and Flood's generator SplitMix64.
type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

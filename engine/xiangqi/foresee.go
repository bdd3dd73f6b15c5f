package xiangqi

// A position may be about to come back: one move of the side to move would repeat it.
// Whether such a move exists is seen without trying any. The moves of the other side
// since then must cancel out, and those of the side to move must come to one step of one
// piece; so the keys of the two positions differ by the numbers of that piece on two
// points. Which differences are a step is looked up in a cuckoo table, after Marcel van
// Kervinck, "The design and implementation of the Rookie 2.0 chess playing program":
// each difference has two places in it, and stands in one of them.

// Return is a legal move that brings back a position that stood before since the last
// capture or Pass; ok is false if there is none. It costs next to nothing where there is
// none.
func (b *Board) Return() (m Move, ok bool) {
	last := len(b.history)
	if b.since < 3 {
		return 0, false
	}
	others := b.key ^ b.history[last-1].key ^ zobristSide
	for back := 3; back <= int(b.since); back += 2 {
		then := b.history[last-back].key
		others ^= b.history[last-back+1].key ^ then ^ zobristSide
		if others != 0 {
			continue
		}
		if m, ok := b.stepOf(b.key ^ then ^ zobristSide); ok {
			return m, true
		}
	}
	return 0, false
}

// stepOf is the legal move to an empty point that changes the key of the pieces by so
// much.
func (b *Board) stepOf(difference uint64) (Move, bool) {
	m := retreats.find(difference)
	if m == 0 {
		return 0, false
	}
	if p := b.squares[m.From()]; p == Empty || p.Side() != b.side {
		m = NewMove(m.To(), m.From())
	}
	ok := b.squares[m.From()] != Empty && b.squares[m.To()] == Empty && b.legal(m)
	return m, ok
}

// A cuckooTable holds the steps that can be taken back, one of the two directions each,
// by what they change in a key.
type cuckooTable struct {
	keys  [cuckooSize]uint64
	moves [cuckooSize]Move
}

// cuckooSize is more than twice the number of steps, so that all find a place.
const cuckooSize = 1 << 13

var retreats = makeRetreats()

// makeRetreats lists every step between two points that a piece can go both ways. On
// the way a piece may stand; so lines are those of an empty board.
func makeRetreats() *cuckooTable {
	t := new(cuckooTable)
	for _, side := range [2]Side{Red, Black} {
		for kind := Rook; kind <= Pawn; kind++ {
			p := NewPiece(side, kind)
			for from := range Square(90) {
				for to := range retreatsOf(p, from).All() {
					if from < to {
						t.insert(zobrist[p][from]^zobrist[p][to], NewMove(from, to))
					}
				}
			}
		}
	}
	return t
}

// retreatsOf is where a piece on a point of an empty board can go and come back from.
func retreatsOf(p Piece, from Square) Bitboard {
	switch side := p.Side(); p.Kind() {
	case Rook, Cannon:
		return crosses[from]
	case Horse:
		return HorseTargets(from, Bitboard{})
	case Elephant:
		return among(from, elephantHomes[side], ElephantTargets(from, Bitboard{}))
	case Advisor:
		return among(from, advisorHomes[side], advisorSteps[from])
	case King:
		return among(from, palaces[side], kingSteps[from])
	case Pawn:
		return among(from, pawnHomes[side], pawnSteps[side][from]).And(pawnSources[side][from])
	}
	return Bitboard{}
}

// among is targets within homes, if from is one of them.
func among(from Square, homes, targets Bitboard) Bitboard {
	if !homes.Has(from) {
		return Bitboard{}
	}
	return targets.And(homes)
}

// places are the two places of a difference.
func (t *cuckooTable) places(key uint64) [2]uint64 {
	return [2]uint64{key % cuckooSize, key >> 16 % cuckooSize}
}

// insert puts a step into one of its places; whoever stands there moves on to its other
// one.
func (t *cuckooTable) insert(key uint64, m Move) {
	at := t.places(key)[0]
	for {
		t.keys[at], key = key, t.keys[at]
		t.moves[at], m = m, t.moves[at]
		if m == 0 {
			return
		}
		both := t.places(key)
		at ^= both[0] ^ both[1]
	}
}

// find is the step with this difference, or 0.
func (t *cuckooTable) find(key uint64) Move {
	for _, at := range t.places(key) {
		if t.keys[at] == key {
			return t.moves[at]
		}
	}
	return 0
}

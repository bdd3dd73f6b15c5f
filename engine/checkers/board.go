package checkers

// A Board is a state of the game without its history. It is a value: assigning it copies it. The
// zero Board is none; [NewBoard] and [ParseBoard] make one.
type Board struct {
	side    [2]Set // the pieces of each colour
	kings   Set    // of both
	key     uint64
	turn    Colour
	variant Variant
}

// NewBoard is the board that a game begins from.
func NewBoard(v Variant) Board {
	b := Board{variant: v, turn: variantTable[v].firstColour}
	b.side[Black] = 0xff | 0xf<<9
	b.side[White] = 0xf<<22 | 0xff<<27
	b.key = b.hash()
	return b
}

// Variant is the rules that are played.
func (b *Board) Variant() Variant { return b.variant }

// Turn is whose turn it is.
func (b *Board) Turn() Colour { return b.turn }

// Men are a colour's men.
func (b *Board) Men(c Colour) Set { return b.side[c] &^ b.kings }

// Kings are a colour's kings.
func (b *Board) Kings(c Colour) Set { return b.side[c] & b.kings }

// Pieces are a colour's pieces.
func (b *Board) Pieces(c Colour) Set { return b.side[c] }

// Empty are the squares without a piece.
func (b *Board) Empty() Set { return allSquares &^ (b.side[Black] | b.side[White]) }

// Key is equal for boards that are equal.
func (b *Board) Key() uint64 { return b.key }

// SamePieces reports whether the pieces stand alike, whoever's turn it is.
func (b *Board) SamePieces(other *Board) bool { return b.side == other.side && b.kings == other.kings }

// With returns the board with the pieces and the turn given. Nothing is checked.
func With(v Variant, black, white, kings Set, turn Colour) Board {
	b := Board{side: [2]Set{Black: black, White: white}, kings: kings, turn: turn, variant: v}
	b.key = b.hash()
	return b
}

// Do plays a legal move.
func (b *Board) Do(m Move) {
	from, to, captured := m.From(), m.To(), m.Captured()
	c := b.turn
	king := b.kings.Has(from)
	b.key ^= pieceKey(c, king, from)
	b.side[c] &^= One(from)
	b.kings &^= One(from)
	if captured != 0 {
		for left := captured; left != 0; left &= left - 1 {
			s := left.First()
			b.key ^= pieceKey(c.Other(), b.kings.Has(s), s)
		}
		b.side[c.Other()] &^= captured
		b.kings &^= captured
	}
	king = king || b.promotes(c, to, captured)
	b.side[c] |= One(to)
	if king {
		b.kings |= One(to)
	}
	b.key ^= pieceKey(c, king, to) ^ turnKey
	b.turn = c.Other()
}

// promotes reports whether a man that ends on a square with these captures becomes a king. A Russian
// man that passed the last row has captured a piece of the row before it, and no other man has:
// that piece can only be jumped toward the last row or away from it.
func (b *Board) promotes(c Colour, to Square, captured Set) bool {
	if lastRow[c].Has(to) {
		return true
	}
	return captured&beforeLast[c] != 0 && variantTable[b.variant].promotion == promoteAndContinue
}

// IsIrreversible reports whether a move cannot be taken back: it captures, or a man moves.
func (b *Board) IsIrreversible(m Move) bool {
	return m.Captured() != 0 || !b.kings.Has(m.From())
}

// The parts of the hash key.

const turnKey = 0x9e3779b97f4a7c15

// pieceKeys are by colour, kind and square.
var pieceKeys = func() (keys [2][2][35]uint64) {
	for c := range keys {
		for kind := range keys[c] {
			for s := range keys[c][kind] {
				keys[c][kind][s] = mix(uint64(c<<16 | kind<<8 | s))
			}
		}
	}
	return keys
}()

func pieceKey(c Colour, king bool, s Square) uint64 {
	if king {
		return pieceKeys[c][1][s]
	}
	return pieceKeys[c][0][s]
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x = (x + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hash is the key from scratch.
func (b *Board) hash() uint64 {
	key := mix(1<<20 | uint64(b.variant))
	if b.turn == White {
		key ^= turnKey
	}
	for _, c := range [...]Colour{Black, White} {
		for _, s := range b.side[c].Squares() {
			key ^= pieceKey(c, b.kings.Has(s), s)
		}
	}
	return key
}

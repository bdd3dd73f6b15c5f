package checkers

// A Board is a game position without its history. It is a value: assigning it copies it. The zero
// Board is invalid; use [NewBoard] or [ParseBoard].
type Board struct {
	side    [2]Set // the pieces of each colour
	kings   Set    // of both colours
	key     uint64
	turn    Colour
	variant Variant
}

// NewBoard returns the board at the start of a game.
func NewBoard(v Variant) Board {
	b := Board{variant: v, turn: variantTable[v].firstColour}
	b.side[Black] = 0xff | 0xf<<9
	b.side[White] = 0xf<<22 | 0xff<<27
	b.key = b.hash()
	return b
}

// Variant returns the variant of the rules.
func (b *Board) Variant() Variant { return b.variant }

// Turn returns the colour to move.
func (b *Board) Turn() Colour { return b.turn }

func (b *Board) Men(c Colour) Set { return b.side[c] &^ b.kings }

func (b *Board) Kings(c Colour) Set { return b.side[c] & b.kings }

// Pieces returns the men and kings of a colour.
func (b *Board) Pieces(c Colour) Set { return b.side[c] }

// Empty returns the empty squares.
func (b *Board) Empty() Set { return allSquares &^ (b.side[Black] | b.side[White]) }

// Key returns a hash of the board; equal boards have equal keys.
func (b *Board) Key() uint64 { return b.key }

// With returns a board with the given pieces. It is not validated.
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

// promotes reports whether a man that ends on a square becomes a king. A Russian man that passed
// the last row while capturing has captured a piece on the row before it: such a piece can only be
// jumped towards the last row or away from it, so no other man captures one.
func (b *Board) promotes(c Colour, to Square, captured Set) bool {
	if lastRow[c].Has(to) {
		return true
	}
	return captured&beforeLast[c] != 0 && variantTable[b.variant].promotion == promoteAndContinue
}

// IsIrreversible reports whether a move cannot be taken back by later moves: it captures, or moves
// a man.
func (b *Board) IsIrreversible(m Move) bool {
	return m.Captured() != 0 || !b.kings.Has(m.From())
}

// Zobrist keys.

const turnKey = 0x9e3779b97f4a7c15

// pieceKeys are indexed by colour, kind and square.
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

func mix(x uint64) uint64 {
	x = (x + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hash computes the key from the pieces.
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

package endings

import (
	"fmt"
	"strings"

	"qhsh/engine/xiangqi"
)

// A Material is how many men of each kind the sides have, by [xiangqi.Piece].
type Material [16]uint8

// maxMen bounds the men of a material: what is larger cannot be computed.
const maxMen = 14

// attackers are the kinds of men that can cross the river, and kinds all of them, in the order of a material's text.
var (
	attackers = [...]xiangqi.Kind{xiangqi.Rook, xiangqi.Horse, xiangqi.Cannon, xiangqi.Pawn}
	kinds     = [...]xiangqi.Kind{xiangqi.King, xiangqi.Rook, xiangqi.Horse, xiangqi.Cannon, xiangqi.Pawn, xiangqi.Advisor, xiangqi.Elephant}
)

// ParseMaterial reads Red's men and then Black's in letters of FEN, each side's from its king on, in
// any case: KRKAA is a rook against two advisors.
func ParseMaterial(text string) (m Material, err error) {
	side := -1
	for i := range len(text) {
		kind := xiangqi.PieceOf(text[i]).Kind()
		if kind == xiangqi.King {
			side++
		}
		switch {
		case kind == xiangqi.NoKind:
			return m, fmt.Errorf("material %q: %q is no piece: want letters such as KRKAA", text, text[i])
		case side < 0 || side > 1:
			return m, fmt.Errorf("material %q: want Red's men and then Black's, each from its king on, such as KRKAA", text)
		}
		m[xiangqi.NewPiece(xiangqi.Side(side), kind)]++
	}
	if side != 1 {
		return m, fmt.Errorf("material %q: want Red's men and then Black's, each from its king on, such as KRKAA", text)
	}
	for p, n := range m {
		if most := xiangqi.Most(xiangqi.Piece(p).Kind()); int(n) > most {
			return m, fmt.Errorf("material %q: %d of %q: at most %d", text, n, xiangqi.Piece(p).Letter(), most)
		}
	}
	if m.men() > maxMen {
		return m, fmt.Errorf("material %q: %d men: at most %d", text, m.men(), maxMen)
	}
	return m, nil
}

// String returns the text that ParseMaterial reads.
func (m Material) String() string {
	var b strings.Builder
	for _, side := range sides {
		for _, kind := range kinds {
			for range m[xiangqi.NewPiece(side, kind)] {
				b.WriteByte(xiangqi.NewPiece(xiangqi.Red, kind).Letter())
			}
		}
	}
	return b.String()
}

var sides = [...]xiangqi.Side{xiangqi.Red, xiangqi.Black}

// men returns the number of men.
func (m Material) men() (n int) {
	for _, count := range m {
		n += int(count)
	}
	return n
}

// MaterialOf returns the material on a board.
func MaterialOf(b *xiangqi.Board) (m Material) {
	for _, side := range sides {
		for _, kind := range kinds {
			m[xiangqi.NewPiece(side, kind)] = uint8(b.Pieces(side, kind).Count())
		}
	}
	return m
}

// attackersOf returns the number of a side's men that can cross the river.
func (m Material) attackersOf(s xiangqi.Side) (n int) {
	for _, kind := range attackers {
		n += int(m[xiangqi.NewPiece(s, kind)])
	}
	return n
}

// swapped returns the material with the colours exchanged.
func (m Material) swapped() (s Material) {
	for p, n := range m {
		s[p^8] = n
	}
	return s
}

// standard returns the one of m and m.swapped that has a table, and whether it is the latter: Red has
// more attackers, or else what comes first in the order of pieces.
func (m Material) standard() (Material, bool) {
	s := m.swapped()
	if red, black := m.attackersOf(xiangqi.Red), m.attackersOf(xiangqi.Black); red != black {
		if red < black {
			return s, true
		}
		return m, false
	}
	for p := range 8 {
		if m[p] != s[p] {
			if m[p] < s[p] {
				return s, true
			}
			return m, false
		}
	}
	return m, false
}

// Standard returns the material as its table has it: that, or with the colours exchanged.
func (m Material) Standard() Material {
	m, _ = m.standard()
	return m
}

// without returns the material without one man.
func (m Material) without(p xiangqi.Piece) Material {
	m[p]--
	return m
}

// parts returns the standard materials that one capture leads to.
func (m Material) parts() (parts []Material) {
	for p, n := range m {
		if n > 0 && xiangqi.Piece(p).Kind() != xiangqi.King {
			part, _ := m.without(xiangqi.Piece(p)).standard()
			parts = append(parts, part)
		}
	}
	return parts
}

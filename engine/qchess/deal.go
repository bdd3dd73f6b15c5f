package qchess

import (
	"math/rand/v2"

	"qhsh/engine"
)

// Deal draws the unknown second kinds, consistently with the revealed ones. At the start it draws
// them like the server, in the same order.
func (b *Board) Deal(source *rand.Rand) {
	for _, side := range []engine.Turn{Black, White} {
		shown := b.Shown(side)
		for slot := range sidePieces {
			p := &b.pieces[number(side, slot)]
			if slot == kingSlot || shown[slot] != Unknown {
				continue
			}
			kind := drawKind(shown.Prior()[slot], source.Float64())
			shown[slot] = kind
			if p.At != NoSquare && p.Kinds[1] == Unknown {
				p.Hidden = kind
			}
		}
	}
}

// drawKind returns the kind at a point between 0 and 1 of the cumulative distribution odds.
func drawKind(odds [King]float64, at float64) (kind Kind) {
	for k := Pawn; k < King; k++ {
		if odds[k] == 0 {
			continue
		}
		kind = k
		if at -= odds[k]; at < 0 {
			break
		}
	}
	return kind
}

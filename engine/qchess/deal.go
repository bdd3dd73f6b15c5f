package qchess

import (
	"math/rand/v2"

	"qhsh/engine"
)

// Deal draws the unknown second kinds, consistently with the revealed ones. At the start it draws
// them like the server, in the same order.
func (b *Board) Deal(source *rand.Rand) {
	b.hide(b.drawSeconds(source))
}

// drawSeconds returns the second kinds of both sides: the revealed ones, and the others drawn
// consistently with them.
func (b *Board) drawSeconds(source *rand.Rand) (seconds [2]Shown) {
	for _, side := range []engine.Turn{Black, White} {
		shown := b.Shown(side)
		for slot := range sidePieces {
			if slot != kingSlot && shown[slot] == Unknown {
				shown[slot] = drawKind(shown.Prior()[slot], source.Float64())
			}
		}
		seconds[side] = shown
	}
	return seconds
}

// hide sets the hidden kinds of the pieces on the board.
func (b *Board) hide(seconds [2]Shown) {
	for i := range b.pieces {
		p, side := &b.pieces[i], sideOf(int8(i))
		if p.At != NoSquare && p.Kinds[1] == Unknown {
			p.Hidden = seconds[side][i%sidePieces]
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

package search

import (
	"math/bits"

	"qhsh/engine"
	"qhsh/engine/qchess"
)

// Values are hundredths of a pawn, for the side to move.
const (
	win          = 10000.0
	winThreshold = 0.99 * win // the minimum value of a won position
)

// kindValue is the value of each kind.
var kindValue = [qchess.King + 1]float64{
	qchess.Pawn: 100, qchess.Rook: 500, qchess.Knight: 300, qchess.Bishop: 320, qchess.Queen: 900, qchess.King: win,
}

// kindCount is how many kinds a second kind may be, and the king.
const kindCount = int(qchess.King) + 1

// kindOdds are the probabilities of a piece's kinds when it is selected.
type kindOdds [kindCount]float64

// attackInfo has the squares that each piece attacks as each kind, and with which probability.
type attackInfo struct {
	chances  [2][16]kindOdds
	value    [2][16]float64 // expected value of a piece
	attacks  [2][16][kindCount]uint64
	defended [2][64]float64 // highest probability with which one piece of a side attacks a square
}

// analyse fills in an attackInfo.
func (w *worker) analyse(b *qchess.Board, l *attackInfo) {
	for side := range engine.Turn(2) {
		l.defended[side] = [64]float64{}
		b.EachPiece(side, func(slot int, p *qchess.Piece) {
			c := &l.chances[side][slot]
			w.setKindOdds(side, slot, p, c, &l.value[side][slot])
			w.setAttacks(b, l, side, slot, p)
		})
	}
}

// setKindOdds sets the kind probabilities and the value of a piece.
func (w *worker) setKindOdds(side engine.Turn, slot int, p *qchess.Piece, c *kindOdds, value *float64) {
	*c = kindOdds{}
	second := kindValue[p.Kinds[1]]
	c[p.Kinds[0]] = 0.5
	if p.Kinds[1] != qchess.Unknown {
		c[p.Kinds[1]] += 0.5
	} else {
		for k := qchess.Pawn; k < qchess.King; k++ {
			c[k] += w.priors[side][slot][k] / 2
		}
		second = w.hiddenValue[side][slot]
	}
	*value = (kindValue[p.Kinds[0]] + second) / 2
	if now := p.Kind(); now != qchess.Unknown {
		*c = kindOdds{}
		c[now] = 1
		*value = (*value*2 + kindValue[now]) / 3
	}
}

func (w *worker) setAttacks(b *qchess.Board, l *attackInfo, side engine.Turn, slot int, p *qchess.Piece) {
	var odds [64]float64
	var all uint64
	for k, chance := range l.chances[side][slot] {
		if chance == 0 {
			continue
		}
		set := b.Attacks(side, qchess.Kind(k), p.At)
		l.attacks[side][slot][k] = set
		all |= set
		for ; set != 0; set &= set - 1 {
			odds[bits.TrailingZeros64(set)] += chance
		}
	}
	for ; all != 0; all &= all - 1 {
		at := bits.TrailingZeros64(all)
		l.defended[side][at] = max(l.defended[side][at], odds[at])
	}
}

// material returns the material balance for the side to move, with a bonus for closeness to the
// enemy king.
func (w *worker) material(b *qchess.Board, l *attackInfo) float64 {
	sum := 0.0
	for side := range engine.Turn(2) {
		total := 0.0
		enemy := b.King(side.Other())
		b.EachPiece(side, func(slot int, p *qchess.Piece) {
			if p.Kinds[0] == qchess.King {
				return
			}
			total += l.value[side][slot] + proximity(p.At, enemy)
		})
		if side == b.Turn() {
			sum += total
		} else {
			sum -= total
		}
	}
	return sum
}

// proximity returns a bonus for closeness to a square.
func proximity(at, target qchess.Square) float64 {
	if target == qchess.NoSquare {
		return 0
	}
	dx, dy := at.X()-target.X(), at.Y()-target.Y()
	return 4 * float64(7-max(dx, -dx, dy, -dy))
}

// captureGain returns the expected gain of the side to move from capturing with a piece: for each
// kind that it may become, the best capture or none. Defended pieces count less.
func (l *attackInfo) captureGain(b *qchess.Board, slot int) (sum float64) {
	side := b.Turn()
	enemies := b.Occupied(side.Other())
	for k, chance := range l.chances[side][slot] {
		if chance == 0 {
			continue
		}
		best := 0.0
		for set := l.attacks[side][slot][k] & enemies; set != 0; set &= set - 1 {
			at := qchess.Square(bits.TrailingZeros64(set))
			value := l.value[side.Other()][b.Slot(at)]
			if value < win/2 {
				value -= l.defended[side.Other()][at] * l.value[side][slot]
			}
			best = max(best, value)
		}
		sum += chance * best
	}
	return sum
}

// staticEval returns the material balance plus the best expected capture.
func (w *worker) staticEval(b *qchess.Board, l *attackInfo) float64 {
	most := 0.0
	b.EachPiece(b.Turn(), func(slot int, _ *qchess.Piece) {
		most = max(most, l.captureGain(b, slot))
	})
	return w.material(b, l) + most
}

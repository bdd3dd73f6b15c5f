package search

import (
	"math/bits"

	"qhsh/engine"
	"qhsh/engine/qchess"
)

// Values are hundredths of a pawn, for the side to move.
const (
	win  = 10000.0
	sure = 0.99 * win // from here on it is as good as won
)

// worth is the value of each kind.
var worth = [qchess.King + 1]float64{
	qchess.Pawn: 100, qchess.Rook: 500, qchess.Knight: 300, qchess.Bishop: 320, qchess.Queen: 900, qchess.King: win,
}

// kinds is how many kinds a second kind may be, and the king.
const kinds = int(qchess.King) + 1

// chances are the probabilities of the kinds that a piece shows when it is selected.
type chances [kinds]float64

// A look is what is seen of a position: which squares each piece attacks with each kind, and with
// which probability.
type look struct {
	chances [2][16]chances
	value   [2][16]float64 // of a piece, whatever it shows
	attacks [2][16][kinds]uint64
	guarded [2][64]float64 // the most that one piece of a side attacks a square with
}

// see fills in a look.
func (w *worker) see(b *qchess.Board, l *look) {
	for side := range engine.Turn(2) {
		l.guarded[side] = [64]float64{}
		b.Each(side, func(slot int, p *qchess.Piece) {
			c := &l.chances[side][slot]
			w.chancesOf(side, slot, p, c, &l.value[side][slot])
			w.attacksOf(b, l, side, slot, p)
		})
	}
}

// chancesOf tells what a piece may show, and what it is worth.
func (w *worker) chancesOf(side engine.Turn, slot int, p *qchess.Piece, c *chances, value *float64) {
	*c = chances{}
	second := worth[p.Kinds[1]]
	c[p.Kinds[0]] = 0.5
	if p.Kinds[1] != qchess.Unknown {
		c[p.Kinds[1]] += 0.5
	} else {
		for k := qchess.Pawn; k < qchess.King; k++ {
			c[k] += w.priors[side][slot][k] / 2
		}
		second = w.second[side][slot]
	}
	*value = (worth[p.Kinds[0]] + second) / 2
	if now := p.Kind(); now != qchess.Unknown {
		*c = chances{}
		c[now] = 1
		*value = (*value*2 + worth[now]) / 3
	}
}

// attacksOf tells what a piece attacks.
func (w *worker) attacksOf(b *qchess.Board, l *look, side engine.Turn, slot int, p *qchess.Piece) {
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
		l.guarded[side][at] = max(l.guarded[side][at], odds[at])
	}
}

// balance is what the pieces of the side to move are worth, less those of the other side, with a
// little for standing close to the other king.
func (w *worker) balance(b *qchess.Board, l *look) float64 {
	sum := 0.0
	for side := range engine.Turn(2) {
		total := 0.0
		enemy := b.King(side.Other())
		b.Each(side, func(slot int, p *qchess.Piece) {
			if p.Kinds[0] == qchess.King {
				return
			}
			total += l.value[side][slot] + closeness(p.At, enemy)
		})
		if side == b.Turn() {
			sum += total
		} else {
			sum -= total
		}
	}
	return sum
}

// closeness is a little for standing close to a square.
func closeness(at, target qchess.Square) float64 {
	if target == qchess.NoSquare {
		return 0
	}
	dx, dy := at.X()-target.X(), at.Y()-target.Y()
	return 4 * float64(7-max(dx, -dx, dy, -dy))
}

// gain is what the side to move can expect to win by a capture with a piece: of each kind that it
// may show the best capture, or none. What guards the captured piece counts against it.
func (l *look) gain(b *qchess.Board, slot int) (sum float64, best [kinds]float64) {
	side := b.Turn()
	enemies := b.Taken(side.Other())
	for k, chance := range l.chances[side][slot] {
		if chance == 0 {
			continue
		}
		for set := l.attacks[side][slot][k] & enemies; set != 0; set &= set - 1 {
			at := qchess.Square(bits.TrailingZeros64(set))
			value := l.value[side.Other()][b.Slot(at)]
			if value < win/2 {
				value -= l.guarded[side.Other()][at] * l.value[side][slot]
			}
			best[k] = max(best[k], value)
		}
		sum += chance * best[k]
	}
	return sum, best
}

// static is the balance, with the capture that is worth most.
func (w *worker) static(b *qchess.Board, l *look) float64 {
	most := 0.0
	b.Each(b.Turn(), func(slot int, _ *qchess.Piece) {
		sum, _ := l.gain(b, slot)
		most = max(most, sum)
	})
	return w.balance(b, l) + most
}

package endings

import "qhsh/engine/xiangqi"

// A step is a move of a man of a placement, and the man that it takes, -1 for none.
type step struct {
	man, taken int
	to         xiangqi.Square
}

// rook sees along a file as a king does.
var rook = xiangqi.NewPiece(xiangqi.Red, xiangqi.Rook)

// attacked reports whether a side's king is attacked, or faces the other one.
func (p *placement) attacked(side xiangqi.Side) bool {
	var kings [2]xiangqi.Square
	for i := range p.n {
		if p.men[i].piece.Kind() == xiangqi.King {
			kings[p.men[i].piece.Side()] = p.men[i].at
		}
	}
	if kings[0]%9 == kings[1]%9 && xiangqi.Reach(rook, kings[0], p.occ).Has(kings[1]) {
		return true
	}
	for i := p.n - 1; i >= 0 && !kindIsGuard[p.men[i].piece.Kind()]; i-- {
		if m := p.men[i]; m.piece.Side() != side && xiangqi.Reach(m.piece, m.at, p.occ).Has(kings[side]) {
			return true
		}
	}
	return false
}

// legal calls f with the legal moves of a side and the placements after them, until it returns false. f must
// not keep the placement.
func (p *placement) legal(side xiangqi.Side, f func(s step, after *placement) bool) {
	own := xiangqi.Bitboard{}
	for i := range p.n {
		if m := p.men[i]; m.piece.Side() == side {
			own = own.Or(xiangqi.SquareBB(m.at))
		}
	}
	var after placement
	for i := range p.n {
		m := p.men[i]
		if m.piece.Side() != side {
			continue
		}
		for set := xiangqi.Reach(m.piece, m.at, p.occ).AndNot(own); !set.Empty(); {
			s := step{man: i, taken: -1}
			s.to, set = set.Next()
			if p.occ.Has(s.to) {
				for s.taken = 0; p.men[s.taken].at != s.to; {
					s.taken++
				}
				if p.men[s.taken].piece.Kind() == xiangqi.King {
					continue
				}
			}
			if after = p.after(s); !after.attacked(side) && !f(s, &after) {
				return
			}
		}
	}
}

// after returns the placement after a move.
func (p *placement) after(s step) placement {
	next := *p
	next.move(s.man, s.to)
	if s.taken >= 0 {
		next.remove(s.taken)
		next.occ = next.occ.Or(xiangqi.SquareBB(s.to))
	}
	return next
}

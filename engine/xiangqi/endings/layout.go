package endings

import (
	"fmt"
	"sync"

	"qhsh/engine/xiangqi"
)

// A layout numbers the positions of a material, whoever is to move: by the way in which Red's guards
// stand, without mirror images, the way of Black's, and the points of the attackers, of which those
// that are alike are in ascending order. Some numbers have two men on one point.
type layout struct {
	material Material
	guards   [2]*guardSet
	groups   []group
	size     int
	men      []xiangqi.Piece // in the order of a placement
	groupOf  [16]int8        // of an attacker
	lack     bool            // neither side has attackers, so that the game is over
}

// A group is the attackers of a side of one kind.
type group struct {
	piece   xiangqi.Piece
	count   int
	points  []xiangqi.Square // where they can stand
	ordinal [90]int          // of a point in points
	size    int              // choices of count points
}

// maxSize bounds the positions of a table for one side to move: each needs four bytes while it is made,
// or six (capture.go).
const maxSize = 1 << 30

// layouts has the layout of each standard material that has been asked for.
var layouts sync.Map

// layoutOf returns the layout of a standard material.
func layoutOf(m Material) (*layout, error) {
	if l, ok := layouts.Load(m); ok {
		return l.(*layout), nil
	}
	l := &layout{material: m, lack: m.attackersOf(xiangqi.Red)+m.attackersOf(xiangqi.Black) == 0}
	for _, side := range sides {
		advisors, elephants := m[xiangqi.NewPiece(side, xiangqi.Advisor)], m[xiangqi.NewPiece(side, xiangqi.Elephant)]
		l.guards[side] = guardSets[advisors][elephants]()
		for _, kind := range [...]xiangqi.Kind{xiangqi.King, xiangqi.Advisor, xiangqi.Elephant} {
			for range m[xiangqi.NewPiece(side, kind)] {
				l.men = append(l.men, xiangqi.NewPiece(side, kind))
			}
		}
	}
	l.size = l.guards[xiangqi.Red].folded * len(l.guards[xiangqi.Black].ways)
	for _, side := range sides {
		for _, kind := range attackers {
			piece := xiangqi.NewPiece(side, kind)
			if m[piece] == 0 {
				continue
			}
			g := group{piece: piece, count: int(m[piece])}
			for at := range xiangqi.Home(side, kind).All() {
				g.ordinal[at] = len(g.points)
				g.points = append(g.points, at)
			}
			g.size = binomial[len(g.points)][g.count]
			l.groupOf[piece] = int8(len(l.groups))
			l.groups = append(l.groups, g)
			for range g.count {
				l.men = append(l.men, piece)
			}
			if l.size > maxSize/g.size {
				return nil, fmt.Errorf("%v has too many positions", m)
			}
			l.size *= g.size
		}
	}
	layouts.Store(m, l)
	return l, nil
}

// binomial has the choices of k of n points.
var binomial = func() (table [91][6]int) {
	for n := range table {
		table[n][0] = 1
		for k := 1; k < 6 && n > 0; k++ {
			table[n][k] = table[n-1][k-1] + table[n-1][k]
		}
	}
	return table
}()

// A man is a piece on a point.
type man struct {
	piece xiangqi.Piece
	at    xiangqi.Square
}

// A placement is where the men of a material stand.
type placement struct {
	men [maxMen]man
	n   int
	occ xiangqi.Bitboard
}

func (p *placement) add(m man) {
	p.men[p.n] = m
	p.n++
	p.occ = p.occ.Or(xiangqi.SquareBB(m.at))
}

// remove takes a man away; the others keep their order.
func (p *placement) remove(i int) {
	p.occ = p.occ.AndNot(xiangqi.SquareBB(p.men[i].at))
	copy(p.men[i:], p.men[i+1:p.n])
	p.n--
}

// move moves a man to an empty point.
func (p *placement) move(i int, to xiangqi.Square) {
	p.occ = p.occ.AndNot(xiangqi.SquareBB(p.men[i].at)).Or(xiangqi.SquareBB(to))
	p.men[i].at = to
}

// at returns the placement with a number, and whether no two men stand on one point.
func (l *layout) at(number int) (p placement, ok bool) {
	var choices [8]int
	for i := len(l.groups) - 1; i >= 0; i-- {
		choices[i] = number % l.groups[i].size
		number /= l.groups[i].size
	}
	blacks := len(l.guards[xiangqi.Black].ways)
	red, black := &l.guards[xiangqi.Red].ways[number/blacks], &l.guards[xiangqi.Black].ways[number%blacks]
	for i := 0; p.n < len(l.men) && kindIsGuard[l.men[p.n].Kind()]; i++ {
		if l.men[p.n].Side() == xiangqi.Red {
			p.add(man{l.men[p.n], red.at[i]})
			continue
		}
		if l.men[p.n].Kind() == xiangqi.King {
			i = 0
		}
		p.add(man{l.men[p.n], black.at[i].Turned()})
	}
	for i := range l.groups {
		g := &l.groups[i]
		choice, below := choices[i], len(g.points)
		start := p.n
		p.n += g.count
		for k := g.count; k > 0; k-- { // the largest first
			n := k - 1
			for n+1 < below && binomial[n+1][k] <= choice {
				n++
			}
			choice -= binomial[n][k]
			below = n
			p.men[start+k-1] = man{g.piece, g.points[n]}
			p.occ = p.occ.Or(xiangqi.SquareBB(g.points[n]))
		}
	}
	return p, p.occ.Count() == p.n
}

var kindIsGuard = [8]bool{xiangqi.King: true, xiangqi.Advisor: true, xiangqi.Elephant: true}

// number returns a placement's number. swap says that the men are of the swapped material, so that the
// colours have to be exchanged. The number is that of the mirror image if imaged: the only one of the two
// that there is, or, if the way of Red's guards is symmetric, the one that mirror asks for.
func (l *layout) number(p *placement, swap, mirror bool) (number int, symmetric, imaged bool) {
	var code [2]int
	var points [8][5]int
	var count [8]int
	for i := range p.n {
		m := p.men[i]
		if swap {
			m = man{m.piece ^ 8, m.at.Turned()}
		}
		side := m.piece.Side()
		home := m.at
		if side == xiangqi.Black {
			home = m.at.Turned()
		}
		switch m.piece.Kind() {
		case xiangqi.King:
			code[side] += place[home].king
		case xiangqi.Advisor:
			code[side] += place[home].advisor
		case xiangqi.Elephant:
			code[side] += place[home].elephant
		default:
			g := l.groupOf[m.piece] & 7
			points[g][count[g]] = int(m.at)
			count[g]++
		}
	}
	red, black := int(l.guards[0].number[code[0]]), int(l.guards[1].number[code[1]])
	image := int(l.guards[0].mirror[red])
	symmetric = red == image
	if imaged = mirror; max(red, image) >= l.guards[0].folded { // one of them has no number
		imaged = red >= l.guards[0].folded
	}
	if imaged {
		red, black = image, int(l.guards[1].mirror[black])
	}
	number = red*len(l.guards[1].ways) + black
	for i := range l.groups {
		g := &l.groups[i&7]
		choice, set := 0, points[i&7][:g.count]
		for k := range set {
			at := xiangqi.Square(set[k])
			if imaged {
				at = at.Mirrored()
			}
			set[k] = g.ordinal[at]
			for j := k; j > 0 && set[j] < set[j-1]; j-- {
				set[j], set[j-1] = set[j-1], set[j]
			}
		}
		for k, n := range set {
			choice += binomial[n][k+1]
		}
		number = number*g.size + choice
	}
	return number, symmetric, imaged
}

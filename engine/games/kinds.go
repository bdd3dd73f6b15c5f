package games

import "qhsh/engine"

// A KindLister is a Row of a game whose pieces have several kinds, of which chance draws one when
// a piece is selected.
type KindLister interface {
	// Kinds returns the pieces on the board, as both sides know them.
	Kinds(engine.Position) []PieceKinds
}

// PieceKinds are the kinds of a piece.
type PieceKinds struct {
	Point string
	Side  engine.Turn
	Kinds []string   // "" if unknown
	Now   string     // the current kind; "" in superposition
	Odds  []KindOdds // what it may become when it is selected, with a sum of 1
}

// KindOdds is a kind with its probability.
type KindOdds struct {
	Kind string
	Odds float64
}

// add adds to the probability of a kind.
func (p *PieceKinds) add(kind string, odds float64) {
	for i := range p.Odds {
		if p.Odds[i].Kind == kind {
			p.Odds[i].Odds += odds
			return
		}
	}
	p.Odds = append(p.Odds, KindOdds{kind, odds})
}

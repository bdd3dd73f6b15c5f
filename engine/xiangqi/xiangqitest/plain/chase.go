package plain

import "slices"

// Chases returns the captures with which a side threatens to gain, sorted. A side in check must
// answer it first, so legality is judged without the checking pieces.
func (b *Board) Chases(red bool) (chases []Move) {
	checking := b.attackers(b.red)
	for from := range b.at {
		for to := range b.at {
			if m := (Move{from, to}); b.holds(from, red) && b.holds(to, !red) && b.legal(m, checking) && b.gains(m, checking) {
				chases = append(chases, m)
			}
		}
	}
	return chases
}

// gains reports whether a legal capture is one that makes a chase.
func (b *Board) gains(m Move, checking []int) bool {
	hunter, victim := lower(b.at[m.From]), lower(b.at[m.To])
	crossed := (m.To >= 45) == isRed(b.at[m.To]) // as a pawn, the victim would have crossed the river
	switch {
	case hunter == 'k', hunter == 'p', victim == 'k', victim == 'p' && !crossed:
		return false
	case victim == 'r' && (hunter == 'n' || hunter == 'c'):
		return true
	case (victim == 'r' || victim == 'c' || victim == 'n') && (hunter == 'a' || hunter == 'b'):
		return true
	case hunter == victim && b.legal(Move{m.To, m.From}, checking):
		return false
	}
	_, legal := b.protectors(m, checking)
	return !legal
}

// protectors reports whether any piece could recapture after a capture, and whether one could legally.
func (b *Board) protectors(m Move, checking []int) (anyPiece, legal bool) {
	after := b.After(m)
	for from := range b.at {
		recapture := Move{from, m.To}
		if after.holds(from, !isRed(b.at[m.From])) && after.reaches(recapture) {
			anyPiece = true
			legal = legal || after.legal(recapture, checking)
		}
	}
	return anyPiece, legal
}

// A Deed is what a move does.
type Deed struct {
	Check  bool
	Threat bool  // by the Chinese rules: to mate with the next move
	Chased []int // points of the pieces that it chases, sorted
	CutOff []int // points of the pieces that it chases only because it cuts off their protectors, sorted
}

// Deed returns what a move of the game does by the rule set of this name.
func (g *Game) Deed(i int, rules string) (d Deed) {
	before, after, m := g.boards[i], g.boards[i+1], g.moves[i]
	was, checking := before.Chases(before.red), before.attackers(before.red)
	for _, c := range after.Chases(before.red) {
		old := c // the same capture before the move
		if c.From == m.To {
			old.From = m.From
		}
		protected, legally := after.protectors(c, after.attackers(after.red))
		switch {
		case rules == "chinese" || rules == "computer": // new is a chase of a piece that was not chased
			if !slices.ContainsFunc(was, func(w Move) bool { return w.To == c.To }) {
				d.Chased = append(d.Chased, c.To)
			}
		case !before.reaches(old), rules == "wxf" && !before.legal(old, checking):
			d.Chased = append(d.Chased, c.To)
		case slices.Contains(was, old):
		case protected && !legally:
			d.Chased = append(d.Chased, c.To) // the protectors are pinned now
		case rules == "wxf":
			d.CutOff = append(d.CutOff, c.To)
		}
	}
	slices.Sort(d.Chased)
	d.Chased = slices.Compact(d.Chased)
	d.CutOff = slices.DeleteFunc(d.CutOff, func(point int) bool { return slices.Contains(d.Chased, point) })
	slices.Sort(d.CutOff)
	d.CutOff = slices.Compact(d.CutOff)
	d.Check = g.checks[i+1]
	d.Threat = rules == "chinese" && !d.Check && after.threatensMate()
	return d
}

// threatensMate reports whether the side that is not to move could mate if it were.
func (b *Board) threatensMate() bool {
	passed := b.Passed()
	return slices.ContainsFunc(passed.Moves(), func(m Move) bool {
		next := passed.After(m)
		return next.InCheck() && len(next.Moves()) == 0
	})
}

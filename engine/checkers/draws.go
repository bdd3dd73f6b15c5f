package checkers

import (
	"fmt"

	"qhsh/engine"
)

// A drawRule ends a game that one side could win, but does not: when enough moves of each side have
// been made in a row after which it applied.
type drawRule struct {
	name    string // in the result, such as "two against one"
	moves   int    // of each side, without a capture or a promotion, by which the balance changes
	quiet   bool   // nor may one move a man
	applies func(b *Board) bool
}

// longDiagonal has the squares of Russia's main road, a1-h8.
var longDiagonal = func() (s Set) {
	for _, n := range []int{4, 8, 11, 15, 18, 22, 25, 29} {
		at, _ := Russian.Square(n)
		s |= One(at)
	}
	return s
}()

// The rules of each variant, the more special first: the 40-move rule of the American Checker Federation,
// which Italy has, too; Spain's 50 moves; in Russia and Brazil those of the FMJD's section 64 (7.2.4 to
// 7.2.9), where Brazil's federation gives kings 20 moves and Russia's 15.
var (
	section64 = []drawRule{
		{"main road", 5, false, onMainRoad},
		{"two against one", 5, false, func(b *Board) bool { return againstKing(b, 2, 2, false) }},
		{"three kings against one", 15, true, func(b *Board) bool { return againstKing(b, 3, 12, true) }},
		{"equal kings", 30, false, func(b *Board) bool { return equalKings(b, 4, 5) }},
		{"equal kings", 60, false, func(b *Board) bool { return equalKings(b, 6, 7) }},
	}
	drawRules = [numVariants][]drawRule{
		English: {moveLimit(40)}, Italian: {moveLimit(40)}, Spanish: {moveLimit(50)},
		Russian:   append(section64[:len(section64):len(section64)], moveLimit(15)),
		Brazilian: append(section64[:len(section64):len(section64)], moveLimit(20)),
	}
)

// moveLimit returns the rule about moves of kings in any position.
func moveLimit(moves int) drawRule {
	return drawRule{"", moves, true, func(*Board) bool { return true }}
}

// draw returns the draw by a rule that ends the game at p; Ongoing if there is none.
func (p *Position) draw() engine.Result {
	for _, r := range drawRules[p.board.variant] {
		plies := p.balancePlies
		if r.quiet {
			plies = p.quietPlies
		}
		if plies < 2*r.moves || !r.appliedThroughout(p) {
			continue
		}
		reason := fmt.Sprintf("%d-move limit", r.moves)
		if r.name != "" {
			reason = fmt.Sprintf("%s, %d moves", r.name, r.moves)
		}
		return engine.Result{Outcome: engine.Draw, Reason: reason}
	}
	return engine.Result{}
}

// appliedThroughout reports whether the rule applies at p and at the positions before it that it counts. Only
// where pieces stand can have changed meanwhile.
func (r drawRule) appliedThroughout(p *Position) bool {
	for n := 2 * r.moves; r.applies(&p.board); n-- {
		if n == 0 {
			return true
		}
		p = p.previous
	}
	return false
}

// loneKing returns the colour of a king that is alone; ok is false if there is none, or two.
func loneKing(b *Board) (c Colour, ok bool) {
	for _, c := range [...]Colour{Black, White} {
		if b.side[c].Len() == 1 && b.side[c]&b.kings != 0 && b.side[c.Other()].Len() > 1 {
			return c, true
		}
	}
	return 0, false
}

// againstKing reports whether a lone king has as many pieces against it, at least one of which is a king, or
// all if kings is set.
func againstKing(b *Board, least, most int, kings bool) bool {
	c, ok := loneKing(b)
	if !ok {
		return false
	}
	others, crowned := b.side[c.Other()].Len(), b.Kings(c.Other()).Len()
	return least <= others && others <= most && crowned > 0 && (!kings || crowned == others)
}

// onMainRoad reports whether a lone king alone holds the long diagonal against two or three pieces.
func onMainRoad(b *Board) bool {
	c, _ := loneKing(b)
	return againstKing(b, 2, 3, false) && b.side[c]&longDiagonal != 0 && b.side[c.Other()]&longDiagonal == 0
}

// equalKings reports whether both sides have as many pieces, within a range, and as many kings.
func equalKings(b *Board, least, most int) bool {
	pieces, kings := b.side[Black].Len(), b.Kings(Black).Len()
	return least <= pieces && pieces <= most && kings > 0 && b.side[White].Len() == pieces && b.Kings(White).Len() == kings
}

package xiangqi

import (
	"fmt"

	"qhsh/engine"
)

// A game that leads nowhere is a draw: when too long nothing has been taken, and when
// neither side has a piece left to attack with.
//
// The Asian rules, and those of the WXF after them, want 50 moves of each side without a
// capture, the Chinese and the Computer rules 60. But for the Chinese, a side's checks
// beyond its tenth, and the replies to them, do not count, so that checking is no way to
// reach the limit.

// drawn is the draw of a game that is not over otherwise, or no result.
func (r RuleSet) drawn(p *Position) engine.Result {
	c := r.code()
	switch {
	case int(p.quiet) >= c.quiet && p.quietPlies(c.freeChecks) >= c.quiet:
		return engine.Result{Outcome: engine.Draw, Reason: fmt.Sprintf("%d-move limit", c.quiet/2)}
	case p.unarmed() || c.loneCannons && p.harmless():
		return engine.Result{Outcome: engine.Draw, Reason: "lack of attackers"}
	}
	return engine.Result{}
}

// quietPlies are the plies since the last capture that count, where each side's checks
// count up to a number; 0: all count. Of plies before the history nothing is known but
// their number; they count.
func (p *Position) quietPlies(free int) int {
	counted := int(p.quiet)
	if free == 0 {
		return counted
	}
	var checks [2]int // still to come, from here back
	first := p
	for ; first.before != nil && first.quiet > 0; first = first.before {
		if first.InCheck() {
			checks[first.side^1]++
		}
	}
	for ; p != first; p = p.before {
		gives, answers := p.InCheck(), p.before.InCheck()
		if gives && checks[p.side^1] > free || answers && checks[p.side] > free {
			counted--
		}
		if gives {
			checks[p.side^1]--
		}
	}
	return counted
}

// unarmed tells whether neither side has a rook, a horse, a cannon or a pawn.
func (s *state) unarmed() bool {
	attackers := s.both(Rook).Or(s.both(Horse)).Or(s.both(Cannon)).Or(s.both(Pawn))
	return attackers.Empty()
}

// harmless tells whether nothing but cannons is left to attack with, and too little to
// jump over: a cannon of one side, or one of each.
func (s *state) harmless() bool {
	if !s.both(Rook).Or(s.both(Horse)).Or(s.both(Pawn)).Empty() {
		return false
	}
	count := func(side Side, k Kind) int { return s.pieces[NewPiece(side, k)].Count() }
	red, black := count(Red, Cannon), count(Black, Cannon)
	if red+black == 2 && red == black {
		return s.both(Advisor).Empty()
	}
	if red+black != 1 {
		return false
	}
	us := Red
	if black == 1 {
		us = Black
	}
	if count(us, Advisor) > 0 {
		return false
	}
	return count(us^1, Advisor) < 2 || count(us, Elephant) == 0
}

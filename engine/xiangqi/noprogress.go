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

// drawWithoutProgress returns the draw of a game that is not over otherwise, or no result.
func (r RuleSet) drawWithoutProgress(p *Position) engine.Result {
	switch limit := r.QuietPlies(); {
	case int(p.quiet) >= limit && p.Board().QuietLimit(r):
		return engine.Result{Outcome: engine.Draw, Reason: fmt.Sprintf("%d-move limit", limit/2)}
	case p.lacksAttackers(r):
		return engine.Result{Outcome: engine.Draw, Reason: "lack of attackers"}
	}
	return engine.Result{}
}

// QuietLimit reports whether by a rule set too long nothing has been taken. It does not
// look whether the game is over otherwise.
func (b *Board) QuietLimit(r RuleSet) bool {
	c := r.definition()
	return int(b.quiet) >= c.quiet && b.quietPlies(c.freeChecks) >= c.quiet
}

// LacksAttackers reports whether by a rule set too little is left to attack with for
// either side to win. It does not look whether the game is over otherwise.
func (b *Board) LacksAttackers(r RuleSet) bool { return b.lacksAttackers(r) }

func (s *state) lacksAttackers(r RuleSet) bool {
	return s.noAttackers() || r.definition().loneCannons && s.loneCannonDraw()
}

// QuietPlies returns the number of plies without a capture that are a draw.
func (r RuleSet) QuietPlies() int { return r.definition().quiet }

// quietPlies returns the plies since the last capture that count, where each side's checks
// count up to a number; 0: all count. Of plies before the history nothing is known but
// their number; they count.
func (b *Board) quietPlies(free int) int {
	counted := int(b.quiet)
	if free == 0 {
		return counted
	}
	plies := min(counted, len(b.history))
	var checks [2]int // still to come, from here back
	for back := range plies {
		if b.wasInCheck(back) {
			checks[b.side^Side(back&1)^1]++
		}
	}
	for back := range plies {
		side := b.side ^ Side(back&1)
		gives, answers := b.wasInCheck(back), b.wasInCheck(back+1)
		if gives && checks[side^1] > free || answers && checks[side] > free {
			counted--
		}
		if gives {
			checks[side^1]--
		}
	}
	return counted
}

// wasInCheck reports whether the side to move was in check so many plies ago.
func (b *Board) wasInCheck(back int) bool {
	if back == 0 {
		return b.inCheck()
	}
	return b.history[len(b.history)-back].check == checkYes
}

// noAttackers reports whether neither side has a rook, a horse, a cannon or a pawn.
func (s *state) noAttackers() bool {
	attackers := s.both(Rook).Or(s.both(Horse)).Or(s.both(Cannon)).Or(s.both(Pawn))
	return attackers.Empty()
}

// loneCannonDraw reports whether nothing but cannons is left to attack with, and too little to
// jump over: a cannon of one side, or one of each.
func (s *state) loneCannonDraw() bool {
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

package xiangqi

import (
	"fmt"

	"qhsh/engine"
)

// A game without progress is a draw: no capture for too long, or no attackers left on either side.
//
// The limit is 50 moves of each side without a capture by the Asian and WXF rules, and 60 by the
// Chinese and Computer rules. Except by the Chinese rules, a side's checks beyond its tenth, and
// the replies to them, do not count.

// drawWithoutProgress returns the draw of a game that is not over otherwise, or no result.
func (r RuleSet) drawWithoutProgress(p *Position) engine.Result {
	switch limit := r.QuietPlies(); {
	case int(p.quiet) >= limit && p.Board().QuietLimit(r):
		return engine.Result{Outcome: engine.Draw, Reason: fmt.Sprintf("%d-move limit", limit/2)}
	case p.LacksAttackers(r):
		return engine.Result{Outcome: engine.Draw, Reason: "lack of attackers"}
	}
	return engine.Result{}
}

// QuietLimit reports whether the limit of plies without a capture is reached under a rule set. It
// ignores other results.
func (b *Board) QuietLimit(r RuleSet) bool {
	c := r.definition()
	return int(b.quiet) >= c.quiet && b.quietPlies(c.freeChecks) >= c.quiet
}

// LacksAttackers reports whether under a rule set neither side has enough attackers to win. It
// ignores other results.
func (s *state) LacksAttackers(r RuleSet) bool {
	attackers := s.both(Rook).Or(s.both(Horse)).Or(s.both(Cannon)).Or(s.both(Pawn))
	return attackers.Empty() || r.definition().loneCannons && s.loneCannonDraw()
}

// QuietPlies returns the number of plies without a capture that make a draw.
func (r RuleSet) QuietPlies() int { return r.definition().quiet }

// exceededLimits says which rule sets' limits on plies without a capture have been exceeded.
func (p *Position) exceededLimits() string {
	text, last := "", 0
	for _, r := range RuleSets() {
		limit := r.QuietPlies()
		switch {
		case int(p.quiet) <= limit || p.Board().quietPlies(r.definition().freeChecks) <= limit:
			continue
		case last == 0:
			text = fmt.Sprintf("%d plies without a capture: a draw at %d (%v", p.quiet, limit, r)
		case limit == last:
			text += ", " + r.String()
		default:
			text += fmt.Sprintf(") or %d (%v", limit, r)
		}
		last = limit
	}
	if text != "" {
		text += ")"
	}
	return text
}

// quietPlies returns the plies since the last capture, of which only the first free checks of each
// side count; 0: all. Plies before the history all count.
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

// wasInCheck reports whether the side to move was in check back plies ago.
func (b *Board) wasInCheck(back int) bool {
	if back == 0 {
		return b.inCheck()
	}
	return b.history[len(b.history)-back].check == checkYes
}

// loneCannonDraw reports whether the only attackers are cannons, one of a side or one of each, with
// too few screens.
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

package enginetest

import (
	"cmp"
	"slices"

	"pgregory.net/rapid"

	"qhsh/engine"
)

// ProofMoves is the longest mate that ProveMates proves.
const ProofMoves = 3

// ProveMates tests by trying all moves that every mate of up to three moves in an answer is one. A
// line that is mated must be so after its move, and if it is the best line, after every move that is
// not banned.
func ProveMates(t rapid.TB, pos engine.Position, ban []engine.Move, answer []engine.Line) {
	t.Helper()
	ProveMatesBy(t, pos, ban, answer, nil)
}

// ProveMatesBy is ProveMates for games that end by a rule that may depend on their history, which is slower; nil:
// by Result alone.
func ProveMatesBy(t rapid.TB, pos engine.Position, ban []engine.Move, answer []engine.Line, rule func(engine.Position) engine.Result) {
	t.Helper()
	for i, line := range answer {
		n, ok := line.Score.Mate()
		if !ok || max(n, -n) > ProofMoves {
			continue
		}
		moves, winner, turns := []engine.Move{line.Move()}, pos.Turn(), 2*n-2
		if n <= 0 {
			winner, turns = pos.Turn().Other(), -2*n-1
			if i == 0 {
				moves = engine.Without(pos.Moves(), ban)
			}
		}
		p := prover{winner: winner, rule: rule}
		if rule == nil {
			p.rule, p.known = engine.Position.Result, map[proofKey]bool{}
		}
		for _, m := range moves {
			if next, err := pos.Play(m); err != nil || !p.wins(next, pos.Turn(), turns) {
				t.Fatalf("%v: line %d, %s, claims %v, but after %s it is no mate (%v)",
					pos, i+1, pos.Format(line.Move()), line.Score, pos.Format(m), err)
			}
		}
	}
}

// A prover finds out by trying all moves whether a side wins.
type prover struct {
	winner engine.Turn
	rule   func(engine.Position) engine.Result
	known  map[proofKey]bool // nil if the rule depends on the history
}

type proofKey struct {
	position uint64
	mover    engine.Turn
	turns    int
}

// wins reports whether the winner can force a win within the turn of the mover and so many more.
func (p *prover) wins(pos engine.Position, mover engine.Turn, turns int) (won bool) {
	if result := p.rule(pos); result.Over() {
		return result.Outcome == engine.Win(p.winner)
	}
	if turn := pos.Turn(); turn != engine.Chance && turn != mover {
		mover, turns = turn, turns-1
	}
	if turns < 0 {
		return false
	}
	key := proofKey{pos.Key(), mover, turns}
	if won, ok := p.known[key]; ok {
		return won
	}
	if p.known != nil {
		defer func() { p.known[key] = won }()
	}
	type reply struct {
		pos   engine.Position
		moves int
	}
	var replies []reply
	for _, m := range pos.Moves() {
		next, err := pos.Play(m)
		if err != nil {
			return false
		}
		if pos.Turn() != p.winner {
			if !p.wins(next, mover, turns) {
				return false
			}
			continue
		}
		replies = append(replies, reply{next, len(next.Moves())})
	}
	// The move that leaves the fewest replies is the likeliest to win.
	slices.SortStableFunc(replies, func(a, b reply) int { return cmp.Compare(a.moves, b.moves) })
	return pos.Turn() != p.winner || slices.ContainsFunc(replies, func(r reply) bool { return p.wins(r.pos, mover, turns) })
}

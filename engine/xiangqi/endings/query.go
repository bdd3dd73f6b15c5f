package endings

import (
	"cmp"
	"slices"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// An Answer says what a position is worth for the side to move, without its history.
type Answer struct {
	Value string `json:"value"` // "win", "draw" or "loss"
	// Plies is the number of plies to mate or stalemate if both sides play the best moves, nil where
	// there is none.
	Plies *int `json:"dtm,omitempty"`
	// ByRule means a win or a loss without mate: the loser can only go on by checking for ever.
	ByRule bool `json:"byRule,omitempty"`
	// Cursed means that the win takes more plies than are left before the game is a draw because nothing is
	// captured; it is not certain unless there is a capture on the way.
	Cursed bool `json:"cursed,omitempty"`
	// Disputed is "win" or "loss" where a rule set may count a draw as that, since it forbids a repetition
	// other than perpetual check.
	Disputed string `json:"disputed,omitempty"`
	// Moves are those that keep the value: of a win the fastest first, of a loss only those that last longest.
	Moves []engine.Move `json:"-"`
}

// Result returns the result of a position with a side to move, if it is certain, or no result.
func (a Answer) Result(mover engine.Turn) engine.Result {
	certain := engine.Result{Reason: "known ending"}
	switch {
	case a.Value == "draw" && a.Disputed == "":
		certain.Outcome = engine.Draw
	case a.Plies == nil || a.Cursed:
		return engine.Result{}
	case a.Value == "win":
		certain.Outcome = engine.Win(mover)
	default:
		certain.Outcome = engine.Win(mover.Other())
	}
	return certain
}

// Query returns what is known about a position under a rule set. The error wraps ErrUnknown if there is no
// table of it or of what its captures lead to.
func (t *Tables) Query(p *xiangqi.Position, rules xiangqi.RuleSet) (a Answer, err error) {
	b := p.Board()
	moves := b.AppendMoves(nil)
	if len(moves) > 0 && p.LacksAttackers(rules) {
		return Answer{Value: "draw", Moves: engine.AppendMovesOf(nil, moves)}, nil
	}
	v, err := t.Value(b)
	if err != nil {
		return a, err
	}
	switch {
	case v.Wins():
		a.Value = "win"
	case v.Loses():
		a.Value = "loss"
	default:
		a.Value = "draw"
	}
	switch v {
	case DrawOrWin:
		a.Disputed = "win"
	case DrawOrLoss:
		a.Disputed = "loss"
	}
	a.ByRule = v == WinByRule || v == LossByRule
	if plies, ok := v.Plies(); ok {
		a.Plies = &plies
		a.Cursed = p.QuietPlies()+plies > rules.QuietPlies()
	}
	after := map[xiangqi.Move]Value{}
	for _, m := range moves {
		b.Do(m)
		next, err := t.Value(b)
		b.Undo()
		if err != nil {
			return a, err
		}
		after[m] = next
	}
	keeps := func(next Value) bool {
		plies, known := next.Plies()
		switch {
		case v.Wins():
			return next.Loses()
		case v.drawn():
			return next.drawn()
		case a.ByRule:
			return !known
		}
		return plies == *a.Plies-1
	}
	moves = slices.DeleteFunc(moves, func(m xiangqi.Move) bool { return !keeps(after[m]) })
	slices.SortStableFunc(moves, func(x, y xiangqi.Move) int { return cmp.Compare(after[x], after[y]) })
	a.Moves = engine.AppendMovesOf(nil, moves)
	return a, nil
}

package endings

import (
	"cmp"
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// Query returns what is known about a position under a rule set. The error wraps [engine.ErrUnknownEnding] if there is no
// table of it or of what its captures lead to.
func (t *Tables) Query(p *xiangqi.Position, rules xiangqi.RuleSet) (a engine.Ending, err error) {
	b := p.Board()
	if men := b.Occupied().Count(); men > maxMen {
		return a, fmt.Errorf("%w of %d men: at most %d", engine.ErrUnknownEnding, men, maxMen)
	}
	a.Repeated = b.HasRepeated()
	moves := b.AppendMoves(nil)
	if len(moves) > 0 && p.LacksAttackers(rules) {
		return engine.Ending{Value: "draw", Moves: engine.AppendMovesOf(nil, moves)}, nil
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

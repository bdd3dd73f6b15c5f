package endings

import (
	"cmp"
	"fmt"
	"math/rand/v2"
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
	if rules == xiangqi.Computer && a.Value != "draw" && !b.Pieces(xiangqi.Red, xiangqi.Cannon).Or(b.Pieces(xiangqi.Black, xiangqi.Cannon)).Empty() {
		a.Disputed = "draw" // by the rule on lone cannons, at some capture
	}
	a.ByRule = v == WinByRule || v == LossByRule
	// inTime reports whether a win or loss in plies comes to a capture or mate before the limit of the rules.
	inTime := func(b *xiangqi.Board, plies int) (bool, error) {
		if b.QuietPlies()+plies <= rules.QuietPlies() {
			return true, nil
		}
		until, err := t.untilCapture(b, plies)
		return b.QuietPlies()+until <= rules.QuietPlies(), err
	}
	if plies, ok := v.Plies(); ok {
		inTime, err := inTime(b, plies)
		if err != nil {
			return a, err
		}
		a.Plies, a.Cursed = &plies, !inTime
	}
	after, late := map[xiangqi.Move]Value{}, map[xiangqi.Move]bool{}
	for _, m := range moves {
		b.Do(m)
		next, err := t.Value(b)
		if plies, ok := next.Plies(); ok && err == nil && v.Wins() && !a.Cursed {
			var ok bool
			ok, err = inTime(b, plies)
			late[m] = !ok
		}
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
	moves = slices.DeleteFunc(moves, func(m xiangqi.Move) bool { return late[m] || !keeps(after[m]) })
	slices.SortStableFunc(moves, func(x, y xiangqi.Move) int { return cmp.Compare(after[x], after[y]) })
	a.Moves = engine.AppendMovesOf(nil, moves)
	return a, nil
}

// Sample returns up to n random positions of a material that are won, and as many that are drawn, in which a move can spoil
// that: always the same ones. Materials with few such positions have fewer.
func (t *Tables) Sample(m Material, n int) (all []engine.Position, err error) {
	dice, found := rand.New(rand.NewPCG(1, 2)), map[string]int{}
	for tries := 0; len(all) < 2*n && tries < 1000*n; tries++ {
		p, err := Random(m, dice)
		if err != nil {
			return nil, err
		}
		e, err := t.Query(p, xiangqi.Asian)
		if err != nil {
			return nil, err
		}
		if e.Value != "loss" && e.Result(p.Turn()).Over() && len(e.Moves) < len(p.LegalMoves()) && found[e.Value] < n {
			found[e.Value]++
			all = append(all, p)
		}
	}
	return all, nil
}

// Random returns a legal position of a material in its standard form.
func Random(m Material, dice *rand.Rand) (*xiangqi.Position, error) {
	m, _ = m.standard()
	l, err := layoutOf(m)
	if err != nil {
		return nil, err
	}
	for {
		placed, ok := l.at(dice.IntN(l.size))
		if side := sides[dice.IntN(2)]; ok && !placed.attacked(side^1) {
			return xiangqi.ParseFEN(placed.fen(side))
		}
	}
}

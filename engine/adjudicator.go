package engine

// An Adjudicator is a Position of a game that can end by more than its Result tells:
// by repetition, or because it leads nowhere. Whoever plays games to their end asks
// [Adjudicate]. Positions that are over by it alone still have moves, and engines still
// answer at them, for whoever wants to play on.
type Adjudicator interface {
	// Adjudicate returns Result, and where the game goes on by that, how it is over by the
	// other rules.
	Adjudicate() Result
	// Repetition returns how the game will end if it goes on as it did since this position
	// stood before; Ongoing if it never did.
	Repetition() Result
}

// Adjudicate reports whether the game is over by all the rules there are.
func Adjudicate(p Position) Result {
	if a, ok := p.(Adjudicator); ok {
		return a.Adjudicate()
	}
	return p.Result()
}

package engine

// An Adjudicator is a Position of a game with rules beyond Result: repetition, or no progress. Code
// that plays games to their end calls [Adjudicate]. A position that is over only by these rules
// still has moves, and engines still answer there, so that play can continue.
type Adjudicator interface {
	// Adjudicate returns Result, or if that is Ongoing, the result by the other rules.
	Adjudicate() Result
	// Repetition returns how the game ends if the moves since the position last occurred are
	// repeated; Ongoing if it is the first occurrence.
	Repetition() Result
}

// Adjudicate returns the result of the game by all its rules.
func Adjudicate(p Position) Result {
	if a, ok := p.(Adjudicator); ok {
		return a.Adjudicate()
	}
	return p.Result()
}

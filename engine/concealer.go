package engine

import "math/rand/v2"

// A Concealer is a Position with information that is hidden from both sides until chance moves
// reveal it, such as the cards of a stock.
type Concealer interface {
	Position
	// Deal returns the position, and its history, with the hidden information drawn, as the host
	// of a game has it. The moves are the same, but each chance move reveals what was drawn. A
	// position that has its hidden information already is returned unchanged.
	Deal(source *rand.Rand) Position
	// View returns the position, and its history, without hidden information, as both sides see
	// it.
	View() Position
}

// Deal returns the host's and the players' view of a position. If it is not a [Concealer], both
// are the position itself.
func Deal(pos Position, source rand.Source) (host, view Position) {
	if c, ok := pos.(Concealer); ok {
		return c.Deal(rand.New(source)), c.View() //nolint:gosec // a seed must give the same game
	}
	return pos, pos
}

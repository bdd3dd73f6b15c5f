package ucifamily

import "time"

// A Clock is what a side has left in a game with a clock.
type Clock struct {
	Left      time.Duration // until the next time control, or the end of the game
	Increment time.Duration // for every move
	Moves     int           // to the next time control, this one included; 0: the rest of the game
}

// What the time manager goes by. A game has about horizon more moves, however far it has
// come; lag is what a move loses between the two programs; and a part of the increment
// stays on the clock.
const (
	horizon       = 30
	lag           = 30 * time.Millisecond
	keptIncrement = 4 // one in so many parts
	minBudget     = time.Millisecond
)

// Budget is the time to use for the next move: an even share of what is left, and most of
// the increment. It never is more than half of what is left, the last move before a time
// control aside, so that a game cannot be lost by one long thought; and what is left is
// never used up, since each share is one of the rest.
func (c Clock) Budget() time.Duration {
	usable := c.Left - lag
	moves := horizon
	if c.Moves > 0 {
		moves = min(c.Moves, horizon)
	}
	share := usable/time.Duration(moves) + c.Increment - c.Increment/keptIncrement
	most := usable
	if moves > 1 {
		most = usable / 2
	}
	return max(minBudget, min(share, most))
}

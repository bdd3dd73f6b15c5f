package ucifamily

import "time"

// A Clock is the remaining time of a side.
type Clock struct {
	Left      time.Duration // until the next time control, or the end of the game
	Increment time.Duration // for every move
	Moves     int           // until the next time control, including this one; 0: the rest of the game
}

// Parameters of the time management. A game is assumed to have horizon more moves at any time; lag
// is the communication delay per move; and a part of the increment is kept on the clock.
const (
	horizon       = 30
	lag           = 30 * time.Millisecond
	keptIncrement = 4 // 1/keptIncrement of it is kept
	minBudget     = time.Millisecond
)

// Budget returns the time for the next move: an equal share of the remaining time, plus most of the
// increment. It is at most half of the remaining time, except for the last move before a time
// control, so that a single move cannot lose the game on time.
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

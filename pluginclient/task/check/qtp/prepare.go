package qtp

import (
	"fmt"

	"qhsh/pluginclient/task/check"
)

// The preparations, which are a column of the table. Conversations are prepared by board9 unless
// their rows say otherwise.
var (
	board9 = board(9, 10)
	two9   = board(9, 2)
	one9   = board(9, 1)
	none9  = board(9, 0)
)

// ready makes sure that the engine runs.
func ready(x *exam) error {
	if x.Running() {
		return nil
	}
	return x.Start(x)
}

// setUp returns the commands that set a board up.
func setUp(size, walls int) []string {
	return []string{fmt.Sprintf("boardsize %d", size), "clear_board", fmt.Sprintf("walls %d", walls)}
}

// board resets a board.
func board(size, walls int) func(*exam) error {
	return func(x *exam) error {
		for _, command := range setUp(size, walls) {
			r, err := x.ask(command)
			if err != nil {
				return err
			}
			if r.sign() != '=' {
				return check.Faultf(fmt.Sprintf("= to %q, which sets the board up", command), "%v", r)
			}
		}
		return nil
	}
}

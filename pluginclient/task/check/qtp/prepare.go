package qtp

import (
	"fmt"

	"qhsh/pluginclient/task/check"
)

// Preparations of checks, a column of the table. Conversations use board9 unless their entry says
// otherwise.
var (
	board9 = board(9, 10)
	two9   = board(9, 2)
	one9   = board(9, 1)
	none9  = board(9, 0)
)

// ensureRunning starts the engine if it does not run.
func ensureRunning(x *exam) error {
	if x.Running() {
		return nil
	}
	return x.Start(x)
}

// boardCommands returns the commands that set up a board.
func boardCommands(size, walls int) []string {
	return []string{fmt.Sprintf("boardsize %d", size), "clear_board", fmt.Sprintf("walls %d", walls)}
}

// board returns a preparation that sets up a board.
func board(size, walls int) func(*exam) error {
	return func(x *exam) error {
		for _, command := range boardCommands(size, walls) {
			r, err := x.ask(command)
			if err != nil {
				return err
			}
			if r.status() != '=' {
				return check.Faultf(fmt.Sprintf("= to %q, which sets the board up", command), "%v", r)
			}
		}
		return nil
	}
}

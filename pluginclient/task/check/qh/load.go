package qh

import (
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

func loadPlays(e *exam) error {
	for _, c := range boards.Chains[2] {
		if err := e.checkLoad(c, c.Moves[:]); err != nil {
			return err
		}
	}
	return nil
}

// checkLoad sets up a chain, sends its moves in lists, and checks the position after them.
func (e *exam) checkLoad(c boards.Chain, lists ...[]string) error {
	if err := e.setPosition(c.Start); err != nil {
		return err
	}
	for _, moves := range lists {
		if err := e.wantOK(list("LOAD", moves...)...); err != nil {
			return err
		}
	}
	return e.checkBoard(c.After(2))
}

// loadCurrent checks that LOAD starts from the current position, like PLAY.
func loadCurrent(e *exam) error {
	for _, c := range boards.Chains[2] {
		if err := e.checkLoad(c, c.Moves[:1], c.Moves[1:]); err != nil {
			return err
		}
	}
	return nil
}

// loadIllegal checks that a list with an illegal move is answered with one ERROR, and that its
// other lines are not read as commands.
func loadIllegal(e *exam) error {
	for _, moves := range [][]string{
		{"H2-E2", "A0-A9", "H0-G2"},
		{"A1-A2", "H2-E2"},
		{"H2-E2", "H9-G7", "H7-H0"},
	} {
		if err := e.do(errorTo(list("LOAD", moves...)...), silence("the answer to LOAD")); err != nil {
			return err
		}
	}
	return nil
}

// loadAtomic checks that a refused list keeps the board.
func loadAtomic(e *exam) error {
	c := boards.Chains[0][0]
	if e.wantError(list("LOAD", c.Moves[0], "A1-A2")...) != nil {
		return check.NotApplicablef("it accepts anything")
	}
	return e.checkBoard(c.Start)
}

// refusesCounts checks that an invalid count is refused at once.
func refusesCounts(word string) step {
	return inOrder(each("ERROR", word, "", " x", " -1", " 542220608"), silence("the answers"))
}

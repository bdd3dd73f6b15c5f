package qhcheck

import (
	"qhsh/pluginclient/task/check/boards"
)

var (
	loadPlays = forEach(boards.Chains[2], func(c boards.Chain) step {
		return inOrder(position(c.Start), okTo(list("LOAD", c.Moves[:]...)...), boardIs(c.After(2)))
	})
	loadCurrent = forEach(boards.Chains[2], func(c boards.Chain) step {
		return inOrder(position(c.Start), okTo(list("LOAD", c.Moves[0])...), okTo(list("LOAD", c.Moves[1:]...)...), boardIs(c.After(2)))
	})
)

var loadIllegal = forEach([][]string{{"H2-E2", "A0-A9", "H0-G2"}, {"A1-A2", "H2-E2"}, {"H2-E2", "H9-G7", "H7-H0"}}, func(moves []string) step {
	return inOrder(errorTo(list("LOAD", moves...)...), silence("the answer to LOAD"))
})

func loadAtomic(e *exam) error {
	c := boards.Chains[0][0]
	return e.do(refuses(list("LOAD", c.Moves[0], "A1-A2")...), boardIs(c.Start))
}

func refusesCounts(word string) step {
	return inOrder(each("ERROR", word, "", " x", " -1", " 542220608"), silence("the answers"))
}

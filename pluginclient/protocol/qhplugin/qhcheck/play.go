package qhcheck

import (
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// playLegal checks the position after moves.
var playLegal = forEach([]int{1, 2}, func(n int) step {
	return forEach(boards.Chains[n], func(c boards.Chain) step { return inOrder(playsChain(c, n), boardIs(c.After(n))) })
})

// playsChain sets up a chain and plays its first n moves.
func playsChain(c boards.Chain, n int) step { return inOrder(position(c.Start), plays(c.Moves[:n]...)) }

// playPieces plays a game in which every kind of piece moves and captures.
func playPieces(e *exam) error { return plays(boards.RandomGame(120, false)...)(e) }

type illegal struct {
	pos  *xiangqi.Position
	move string
}

var (
	emptyPoints = []illegal{{start, "A1-A2"}, {start, "E5-E6"}}
	otherSide   = []illegal{{start, "H7-E7"}, {start, "A9-A8"}}
	ownPieces   = []illegal{{start, "A0-A3"}, {start, "E0-D0"}}
	wrongSteps  = []illegal{
		{start, "A0-A4"}, {start, "A0-B1"}, // rooks: not through pieces, not diagonally
		{start, "B0-D1"}, {start, "B0-B2"}, // horses: not if blocked, not straight
		{start, "C0-E1"}, {start, "B2-B8"}, // elephants; cannons: no jump without a capture
		{start, "B2-C3"}, {start, "A3-B3"}, // cannons: not diagonally; pawns: not sideways before the river
		{start, "A3-A2"}, {start, "A3-A5"}, // nor backwards, nor two steps
		{start, "E0-E2"}, {start, "D0-D1"}, // kings; advisors
		{start, "B2-B7"}, // cannons capture over a screen
		{boards.MustParse("4k4/9/9/9/4p4/9/9/9/3r5/2E2K3 w"), "C0-E2"}, // elephants do not jump
		{boards.MustParse("4k4/9/9/9/4p4/2E6/9/9/9/3AK4 w"), "C4-E6"},  // elephants stay on their side
		{boards.MustParse("4k4/9/9/9/4p4/9/9/3A5/9/3K5 w"), "D2-C3"},   // advisors stay in the palace
		{boards.MustParse("4k4/9/9/9/4p4/9/9/9/9/3K4R w"), "D0-C0"},    // and kings
	}
	intoCheck = []illegal{
		{boards.MustParse("4k4/9/9/9/9/9/9/4H4/9/4K4 w"), "E2-G3"},   // the kings would face each other
		{boards.MustParse("3k5/9/9/4r4/9/9/9/4H4/9/4K4 w"), "E2-G3"}, // the piece is pinned
		{boards.MustParse("3k5/9/9/5r3/9/9/9/4H4/9/4K4 w"), "E0-F0"}, // the king steps into check
		{boards.MustParse("3k5/9/9/4r4/9/9/9/8R/9/4K4 w"), "I2-I3"},  // it stays in check
		{boards.MustParse("3k5/9/9/4c4/9/9/9/5R3/9/4K4 w"), "F2-E2"}, // the rook would become the cannon's screen
	}
)

func refusesMoves(moves []illegal) step {
	return forEach(moves, func(bad illegal) step {
		return func(e *exam) error {
			switch {
			case bad.pos == start:
				return errorTo("PLAY " + bad.move)(e)
			case e.dialect == nil:
				return nil
			}
			return e.do(position(bad.pos), errorTo("PLAY "+bad.move))
		}
	})
}

var malformed = []string{"PLAY", "PLAY Z2-E2", "PLAY H2", "PLAY H2-", "PLAY H2-J2", "PLAY 22-E2", "PLAY ?", "PLAY H2-E2-E3"}

var playFailed = forEach([]*xiangqi.Position{boards.OnlyHorse, boards.OnlyBlack}, func(pos *xiangqi.Position) step {
	return inOrder(position(pos), refuses("PLAY E4-E5"), boardIs(pos))
})

// refuses is errorTo where another check reports that it accepts anything.
func refuses(lines ...string) step {
	return func(e *exam) error {
		if errorTo(lines...)(e) != nil {
			return check.NotApplicablef("it accepts anything")
		}
		return nil
	}
}

func playLower(e *exam) error {
	c := boards.Chains[1][0]
	answer, err := e.command("PLAY " + strings.ToLower(c.Moves[0]))
	if err != nil {
		return err
	}
	if !hasWord(answer, "OK") {
		if err := okTo("PLAY " + c.Moves[0])(e); err != nil {
			return err
		}
	}
	return boardIs(c.After(1))(e)
}

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

var (
	undoAll = forEach([]int{0, 1}, func(left int) step {
		return forEach(boards.Chains[left], func(c boards.Chain) step {
			return inOrder(playsChain(c, 2), each("OK", "UNDO", make([]string, 2-left)...), boardIs(c.After(left)))
		})
	})
	undoAI = forEach(boards.Forced[:3], func(pos *xiangqi.Position) step {
		return inOrder(position(pos), boardIs(pos), okTo("UNDO"), boardIs(pos), okTo("UNDO"))
	})
	undoLoad = forEach(boards.Chains[1], func(c boards.Chain) step {
		return inOrder(position(c.Start), okTo(list("LOAD", c.Moves[:]...)...), okTo("UNDO"), boardIs(c.After(1)))
	})
)

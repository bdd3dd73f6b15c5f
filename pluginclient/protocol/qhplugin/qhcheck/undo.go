package qhcheck

import (
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check/boards"
)

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

package qh

import (
	"qhsh/pluginclient/task/check/boards"
)

// undoAll takes back one or two moves and checks the position.
func undoAll(e *exam) error {
	for left, list := range boards.Chains[:2] {
		for _, c := range list {
			if err := e.do(playsChain(c, 2), each("OK", "UNDO", make([]string, 2-left)...), boardIs(c.After(left))); err != nil {
				return err
			}
		}
	}
	return nil
}

// undoAI takes back moves of AI.
func undoAI(e *exam) error {
	for _, pos := range boards.Forced[:3] {
		if err := e.do(position(pos), boardIs(pos), okTo("UNDO"), boardIs(pos), okTo("UNDO")); err != nil {
			return err
		}
	}
	return nil
}

// undoLoad takes back the last move of a list.
func undoLoad(e *exam) error {
	for _, c := range boards.Chains[1] {
		if err := e.do(position(c.Start), okTo(list("LOAD", c.Moves[:]...)...), okTo("UNDO"), boardIs(c.After(1))); err != nil {
			return err
		}
	}
	return nil
}

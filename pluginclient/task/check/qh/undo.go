package qh

import (
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check/boards"
)

// undoAll takes back one of two moves, and both, and looks at the board then.
func undoAll(e *exam) error {
	for left, list := range boards.Chains[:2] {
		for _, c := range list {
			if err := e.playChain(c, 2); err != nil {
				return err
			}
			for range 2 - left {
				if err := e.wantOK("UNDO"); err != nil {
					return err
				}
			}
			if _, err := e.checkAIMove(c.After(left)); err != nil {
				return err
			}
		}
	}
	return nil
}

// undoEnd: after as many UNDOs as moves there is nothing left to take back.
func undoEnd(e *exam) error {
	if err := e.playAll("H2-E2", "H9-G7", "H0-G2"); err != nil {
		return err
	}
	for range 3 {
		if err := e.wantOK("UNDO"); err != nil {
			return err
		}
	}
	return e.wantError("UNDO")
}

// undoAI takes back what AI has played.
func undoAI(e *exam) error {
	for _, pos := range boards.Forced[:3] {
		if err := e.setPosition(pos); err != nil {
			return err
		}
		for range 2 {
			if _, err := e.checkAIMove(pos); err != nil {
				return err
			}
			if err := e.wantOK("UNDO"); err != nil {
				return err
			}
		}
	}
	return nil
}

// undoLoad takes back the last of the moves of a list.
func undoLoad(e *exam) error {
	for _, c := range boards.Chains[1] {
		if err := e.setPosition(c.Start); err != nil {
			return err
		}
		if err := e.wantOK(list("LOAD", c.Moves[:]...)...); err != nil {
			return err
		}
		if err := e.wantOK("UNDO"); err != nil {
			return err
		}
		if _, err := e.checkAIMove(c.After(1)); err != nil {
			return err
		}
	}
	return nil
}

// fenNewGame: there is nothing to take back after FEN.
func fenNewGame(e *exam) error {
	if err := e.wantOK("PLAY H2-E2"); err != nil {
		return err
	}
	if err := e.setPosition(xiangqi.Start()); err != nil {
		return err
	}
	return e.wantError("UNDO")
}

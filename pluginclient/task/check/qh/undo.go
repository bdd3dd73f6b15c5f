package qh

import (
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check/boards"
)

// undoAll takes back one or two moves and checks the position.
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
			if err := e.checkBoard(c.After(left)); err != nil {
				return err
			}
		}
	}
	return nil
}

// undoEnd checks that UNDO fails after all moves are taken back.
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

// undoAI takes back moves of AI.
func undoAI(e *exam) error {
	for _, pos := range boards.Forced[:3] {
		if err := e.setPosition(pos); err != nil {
			return err
		}
		for range 2 {
			if err := e.checkBoard(pos); err != nil {
				return err
			}
			if err := e.wantOK("UNDO"); err != nil {
				return err
			}
		}
	}
	return nil
}

// undoLoad takes back the last move of a list.
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
		if err := e.checkBoard(c.After(1)); err != nil {
			return err
		}
	}
	return nil
}

// fenNewGame checks that UNDO fails after FEN.
func fenNewGame(e *exam) error {
	if err := e.wantOK("PLAY H2-E2"); err != nil {
		return err
	}
	if err := e.setPosition(xiangqi.Start()); err != nil {
		return err
	}
	return e.wantError("UNDO")
}

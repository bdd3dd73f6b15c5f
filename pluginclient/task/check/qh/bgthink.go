package qh

import (
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// bgthinkBails checks that a plugin that thinks in the background is silent, obeys at once, and
// stops for an unexpected move.
func bgthinkBails(e *exam) error {
	if err := okTo("BGTHINK ON")(e); err != nil {
		return err
	}
	for _, c := range boards.Chains[0] {
		if err := position(c.Start)(e); err != nil {
			return err
		}
		m, err := e.checkAIMove(c.Start)
		if err != nil {
			return err
		}
		strays, err := e.Pause(e.Context, 5*settleTime)
		if err != nil {
			return err
		}
		if len(strays) > 0 {
			return check.Faultf("nothing after the answer to AI", "%s", quoted(strays))
		}
		if err := e.afterThinking(c.Start, xiangqi.Move(m)); err != nil {
			return err
		}
	}
	return nil
}

// afterThinking plays an unlikely move and checks the answer of AI.
func (e *exam) afterThinking(pos *xiangqi.Position, m xiangqi.Move) error {
	pos, err := pos.PlayMove(m)
	if err != nil || pos.Result().Over() {
		return err
	}
	replies := pos.LegalMoves()
	reply := replies[len(replies)-1]
	if err := okTo("PLAY " + reply.ICCS())(e); err != nil {
		return err
	}
	if pos, err = pos.PlayMove(reply); err != nil || pos.Result().Over() {
		return err
	}
	_, err = e.checkAIMove(pos)
	return err
}

package qh

import (
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// bgthinkBails: a plugin that thinks in the background says nothing, obeys at once, and bails
// out when something unexpected comes.
func bgthinkBails(e *exam) error {
	if err := e.wantOK("BGTHINK ON"); err != nil {
		return err
	}
	for _, c := range boards.Chains[0] {
		if err := e.setPosition(c.Start); err != nil {
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

// afterThinking plays a move that was hardly expected, and has AI answer it.
func (e *exam) afterThinking(pos *xiangqi.Position, m xiangqi.Move) error {
	pos, err := pos.PlayMove(m)
	if err != nil || pos.Result().Over() {
		return err
	}
	replies := pos.LegalMoves()
	reply := replies[len(replies)-1]
	if err := e.wantOK("PLAY " + reply.ICCS()); err != nil {
		return err
	}
	if pos, err = pos.PlayMove(reply); err != nil || pos.Result().Over() {
		return err
	}
	_, err = e.checkAIMove(pos)
	return err
}

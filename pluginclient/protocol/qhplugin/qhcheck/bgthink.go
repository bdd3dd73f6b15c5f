package qhcheck

import (
	"qhsh/engine/xiangqi"
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
		if err := e.checkNothing(5*settleTime, "nothing after the answer to AI"); err != nil {
			return err
		}
		pos, err := c.Start.PlayMove(xiangqi.Move(m))
		if err != nil {
			return err
		}
		if pos.Result().Over() {
			continue
		}
		replies := pos.LegalMoves()
		unlikely := replies[len(replies)-1]
		next, err := pos.PlayMove(unlikely)
		if err != nil {
			return err
		}
		answer := moves(next)
		if next.Result().Over() {
			answer = nil
		}
		if err := e.do(okTo("PLAY "+unlikely.ICCS()), answer); err != nil {
			return err
		}
	}
	return nil
}

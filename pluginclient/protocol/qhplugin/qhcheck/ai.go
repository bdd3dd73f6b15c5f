package qhcheck

import (
	"errors"
	"time"

	"qhsh/engine/lazyregexp"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// aiAnswers checks that AI is answered. Thinking time is not limited: a plugin that is slow gets
// TIMEOUT, if it supports that, and must then answer.
func aiAnswers(e *exam) error {
	e.Drain()
	started := time.Now()
	if err := e.Send("AI"); err != nil {
		return err
	}
	answer, err := e.waitAnswer(e.Deadlines.Think, e.Deadlines.Start)
	if err != nil {
		return e.MissingReply("an answer to AI", err)
	}
	e.firstMove, e.firstMoveTime = answer, time.Since(started)
	if e.afterMove, err = e.linesAfter(); err != nil {
		return err
	}
	return e.learnTimeout("AI", e.firstMoveTime, ownProcess)
}

// singleAfter returns a check that no lines came after an answer.
func singleAfter(command string, lines func(*exam) []string) step {
	return func(e *exam) error {
		if more := lines(e); len(more) > 0 {
			return check.Faultf("one answer to "+command, "more: %s", quoted(more))
		}
		return nil
	}
}

func aiFormat(e *exam) error {
	if !moveFormat().MatchString(e.firstMove) {
		return check.Faultf("a move of the form A0-A1", "%q", e.firstMove)
	}
	return nil
}

func aiLegal(e *exam) error {
	_, err := parseLegal(start, e.firstMove, "AI")
	return err
}

// aiPositions checks answers in positions with few legal moves, where errors are likely.
var aiPositions = forEach(boards.Forced, func(pos *xiangqi.Position) step { return inOrder(position(pos), answersLegal("AI", pos)) })

var aiMoves = forEach(boards.Exchanges, func(c boards.Chain) step {
	return inOrder(position(c.Start), moves(c.Start), plays(c.Moves[1]), moves(c.After(2)))
})

// aiSide checks that AI plays for either side, also directly after an AI for the other.
var aiSide = forEach(boards.Duels, func(c boards.Chain) step { return inOrder(position(c.Start), moves(c.Start), moves(c.After(1))) })

// refusesToThink checks that the answer is ERROR if there is no legal move.
func refusesToThink(command string) step {
	return func(e *exam) error {
		answer, err := e.singleAnswer(command)
		if errors.Is(err, check.ErrTooSlow) {
			return check.Faultf("ERROR to "+command+" where there is no legal move", "%v", err)
		}
		if err != nil {
			return err
		}
		return isAnswer("ERROR", answer, command)
	}
}

// gameTime limits the game of a plugin against itself.
const gameTime = 2 * time.Second

func aiGame(e *exam) error {
	slow := check.NotApplicablef("it thinks too long to play a game in time")
	if e.isSlow() {
		return slow
	}
	pos := start
	for started := time.Now(); time.Since(started) < gameTime && !pos.Result().Over() && pos.Ply() < 100; {
		m, err := e.checkAIMove(pos)
		if errors.Is(err, check.ErrTooSlow) {
			return slow
		}
		if err != nil {
			return inMove(pos.Ply()+1, err)
		}
		if pos, err = pos.PlayMove(xiangqi.Move(m)); err != nil {
			return err
		}
	}
	return nil
}

// anyMove matches what a host that searches answers by pattern could take for a move.
var anyMove = lazyregexp.New(`[A-I][0-9]-[A-I][0-9]`)

func aiShape(e *exam) error {
	for _, lines := range [][]string{{"PLAY H2-E2"}, {"PLAY A0-A9"}, {"PLAY E5-E6"}, list("LOAD", "H9-G7"), list("LOAD", "A0-A9")} {
		answer, err := e.command(lines...)
		if err != nil {
			return check.NotApplicablef("it does not answer %s", lines[0]) // another check reports that
		}
		if anyMove().MatchString(answer) {
			return check.Faultf("no text in the shape of a move", "%q", answer)
		}
	}
	return nil
}

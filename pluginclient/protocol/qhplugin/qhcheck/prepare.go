package qhcheck

import (
	"time"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check"
)

// Preparations of checks, a column of the table.

func startProcess(e *exam) error { return e.Start(e.Context) }

// startAnswering starts the plugin and waits until it answers.
func startAnswering(e *exam) error {
	if err := startProcess(e); err != nil {
		return err
	}
	if err := e.Ping("LEVEL"); err != nil {
		return err
	}
	started := time.Now()
	if _, _, err := check.ReadUntil(e, e.Deadlines.Start, e.isLevel); err != nil {
		return e.MissingReply("an answer to LEVEL after the start", err)
	}
	e.startTime = time.Since(started)
	return e.dropExtraAnswers()
}

// newGame provides a plugin at the start of a game, at its weakest level and silent. It reuses the
// running process if FEN is known to start a new game.
func newGame(e *exam) error {
	if e.Running() && e.dialect != nil && e.pings {
		if strays, err := e.sync(); err == nil && len(strays) == 0 {
			return at(weakest, xiangqi.Start())(e)
		}
	}
	if err := startAnswering(e); err != nil {
		return err
	}
	return weakest(e)
}

// weakest sets the first level. Other checks report that it does not work.
func weakest(e *exam) error {
	if levels := e.info.Levels; len(levels) > 0 {
		return e.setLevel(levels[0].ID)
	}
	return nil
}

// ownProcess is newGame in a new process, for checks affected by state that a new game may not
// clear. A plugin that starts slowly is reused: it has passed the previous check.
func ownProcess(e *exam) error {
	if e.startTime < quickStart {
		e.Kill()
	}
	return newGame(e)
}

// quickStart is the maximum start time of a plugin that is restarted often.
const quickStart = 150 * time.Millisecond

func newProcess(e *exam) error {
	e.Kill()
	return newGame(e)
}

// at returns a preparation followed by setting a position.
func at(prepare step, pos *xiangqi.Position) step { return inOrder(prepare, position(pos)) }

// withoutAbility is for plugins that disclaim an ability; for others the check is absent.
func withoutAbility(ability string) step {
	return func(e *exam) error {
		if !e.disclaims(ability) {
			return check.NotApplicablef("it does not say that it does not support %s", ability)
		}
		return ownProcess(e)
	}
}

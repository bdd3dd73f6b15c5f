package qh

import (
	"time"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check"
)

// The preparations, which are a column of the table. Those of checks that interrupt the plugin
// are deep and pondering; that of the checks of the info block is informed.

// startProcess has a plugin that has just been started, and was told nothing.
func startProcess(e *exam) error { return e.Start(e.Context) }

// startAnswering has one that was just started, and answers.
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

// newGame has the plugin at the start of a game, at its weakest level and with nothing to say.
// One that runs is used again where FEN is known to begin a new game.
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

// weakest sets the first level. That it is obeyed is for other checks to find out.
func weakest(e *exam) error {
	if levels := e.levels(); len(levels) > 0 {
		return e.setLevel(levels[0].ID)
	}
	return nil
}

// ownProcess is fresh for a check that wants a process of its own, because others may have left it
// with something that a new game does not end. Of a plugin that takes long to start that is
// too much to ask: what is running has passed the check before.
func ownProcess(e *exam) error {
	if e.startTime < quickStart {
		e.Kill()
	}
	return newGame(e)
}

// quickStart is how long a plugin may take to start that is started for many checks.
const quickStart = 150 * time.Millisecond

// newProcess always starts a new process.
func newProcess(e *exam) error {
	e.Kill()
	return newGame(e)
}

// at has the plugin prepared, and then at a position.
func at(prepare func(*exam) error, pos *xiangqi.Position) func(*exam) error {
	return func(e *exam) error {
		if err := prepare(e); err != nil {
			return err
		}
		return e.setPosition(pos)
	}
}

// withoutAbility is alone for a plugin that says that it does not have an ability; for any other the
// check is absent.
func withoutAbility(ability string) func(*exam) error {
	return func(e *exam) error {
		if !e.disclaims(ability) {
			return check.NotApplicablef("it does not say that it does not support %s", ability)
		}
		return ownProcess(e)
	}
}

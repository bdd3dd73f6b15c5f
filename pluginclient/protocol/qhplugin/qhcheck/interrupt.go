package qhcheck

import (
	"errors"
	"slices"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// A longThink is a position and level at which a plugin thinks long enough to be interrupted.
type longThink struct {
	level   int
	pos     *xiangqi.Position // nil: there is none
	longest time.Duration     // if there is none, the longest that it thought, and at which level
	slowest int
}

const (
	// longThinkTime is the minimum thinking time of a longThink.
	longThinkTime = 1500 * time.Millisecond
	// longThinkSearch limits the search for one among many levels.
	longThinkSearch = 10 * time.Second
)

// prepareLongThink sets up a longThink. The check is absent for a plugin without one.
func prepareLongThink(e *exam) error {
	if err := e.findLongThink(); err != nil {
		return err
	}
	if d := e.longThink; d.pos == nil {
		return check.NotApplicablef("it never thinks for more than %v (%v at most, at level %d), so whether it can be interrupted is unknown",
			longThinkTime, d.longest.Round(time.Millisecond), d.slowest)
	}
	return e.setUpLongThink(e.longThink)
}

// whileThinking sets up a longThink and starts AI or HINTS.
func whileThinking(command string) step {
	return inOrder(prepareLongThink, thinks(interruptAfter, command))
}

// findLongThink finds where the plugin thinks long: at its last level, at the start of the game, in
// a middlegame position, which is in no book, or in one with many moves; otherwise there at another
// level, since the last need not be the slowest.
func (e *exam) findLongThink() error {
	if e.longThink != nil {
		return nil
	}
	levels := e.ids()
	if len(levels) == 0 {
		levels = []int{0}
	}
	if !e.fenTried { // fen.board is not selected
		_ = fenBoard(e)
	}
	d := &longThink{}
	e.longThink = d
	searching := time.Now()
	for i, level := range slices.Backward(levels) {
		positions := []*xiangqi.Position{boards.ManyMoves}
		switch last := i == len(levels)-1; {
		case e.dialect == nil:
			positions = []*xiangqi.Position{start}
		case last:
			positions = []*xiangqi.Position{start, boards.Middlegame, boards.ManyMoves}
		}
		for _, pos := range positions {
			d.level, d.pos = level, pos
			if err := e.do(func(e *exam) error { return e.setUpLongThink(d) }, thinks(0, "AI")); err != nil {
				return err
			}
			started := time.Now()
			_, err := e.Line(e.Context, longThinkTime)
			switch took := time.Since(started); {
			case errors.Is(err, check.ErrSilent):
				e.Kill()
				return nil
			case err != nil:
				return e.MissingReply("an answer to AI", err)
			case took > longThinkTime:
				return nil
			case took > d.longest:
				d.longest, d.slowest = took, level
			}
		}
		if time.Since(searching) > longThinkSearch {
			break
		}
	}
	d.pos = nil
	return nil
}

// setUpLongThink sets the level and position of a longThink.
func (e *exam) setUpLongThink(d *longThink) error {
	if err := ownProcess(e); err != nil {
		return err
	}
	if len(e.info.Levels) > 0 {
		if err := e.setLevel(d.level); err != nil {
			return err
		}
	}
	if d.pos == start {
		return nil
	}
	return position(d.pos)(e)
}

// thinks sends AI or HINTS at a longThink, and checks that nothing is answered for a while.
// Further lines are sent in the same write.
func thinks(d time.Duration, lines ...string) step {
	return func(e *exam) error {
		e.Drain()
		if err := e.Send(lines...); err != nil || d == 0 {
			return err
		}
		early, err := e.Pause(e.Context, d)
		if err == nil && len(early) > 0 {
			err = check.Faultf("nothing yet: at other times it thought for "+longThinkTime.String(), "%s after %v", quoted(early), d)
		}
		return err
	}
}

// startThinkingHere starts AI where the plugin may not think long: then the check is absent.
func startThinkingHere(e *exam) error {
	err := thinks(interruptAfter, "AI")(e)
	if _, early := errors.AsType[*check.Fault](err); early {
		err = check.NotApplicablef("it does not think for long at the next position")
	}
	return err
}

// interruptAfter is how long a plugin thinks before it is interrupted.
const interruptAfter = 100 * time.Millisecond

// stops starts AI or HINTS and stops it by ABORT or TIMEOUT after some time, or in the same write if that
// is 0.
func stops(command string, after time.Duration, by string) step {
	if after == 0 {
		return thinks(0, command, by)
	}
	return inOrder(thinks(after, command), sends(by))
}

// stopThinking returns the line after stops, which must come promptly.
func (e *exam) stopThinking(command string, after time.Duration, by string) (answer string, err error) {
	if err := stops(command, after, by)(e); err != nil {
		return "", err
	}
	return e.waitThinkEnd(by)
}

// waitThinkEnd returns the line that ends a search because of a command.
func (e *exam) waitThinkEnd(by string) (string, error) {
	started := time.Now()
	answer, err := e.lineOf("the end of its thought after "+by, e.Deadlines.Prompt)
	if err != nil {
		return "", err
	}
	return answer, check.CheckTime("the end of its thought after "+by, time.Since(started), promptLimit)
}

func aborted(by string) step {
	return func(e *exam) error {
		answer, err := e.waitThinkEnd(by)
		if err != nil {
			return err
		}
		return isAnswer(qhplugin.Aborted, answer, by)
	}
}

func abortAfter(command string, after time.Duration) step {
	return inOrder(stops(command, after, "ABORT"), aborted("ABORT"), checkReady)
}

// checkReady checks that the plugin is silent and its board unchanged, if it knows moves.
func checkReady(e *exam) error {
	if err := silence("ABORTED")(e); err != nil {
		return err
	}
	if _, err := parseLegal(start, e.firstMove, "AI"); err != nil || e.isPlayLost {
		return nil //nolint:nilerr // ai.legal and play.legal report it
	}
	return okTo(playLines(e, e.longThink.pos)...)(e)
}

// moveAfterTimeout returns the legal move of an AI stopped by TIMEOUT.
func (e *exam) moveAfterTimeout(after time.Duration) (engine.Move, error) {
	answer, err := e.stopThinking("AI", after, "TIMEOUT")
	if err != nil {
		return engine.NoMove, err
	}
	if err := e.dropExtraAnswers(); err != nil {
		return engine.NoMove, err
	}
	return parseLegal(e.longThink.pos, answer, "TIMEOUT")
}

func timeoutMove(after time.Duration) step {
	return func(e *exam) error {
		if _, err := e.moveAfterTimeout(after); err != nil {
			return err
		}
		return silence("the move")(e)
	}
}

func timeoutMoveMade(e *exam) error {
	m, err := e.moveAfterTimeout(interruptAfter)
	if err != nil {
		return err
	}
	next, err := e.longThink.pos.PlayMove(xiangqi.Move(m))
	if err != nil || next.Result().Over() {
		return err
	}
	return okTo(playLines(e, next)...)(e)
}

func timeoutHints(e *exam) error {
	answer, err := e.stopThinking("HINTS", interruptAfter, "TIMEOUT")
	if err != nil {
		return err
	}
	lines, err := e.restOfHints(answer)
	if err != nil {
		return err
	}
	for _, text := range lines {
		if _, err := parseLegal(e.longThink.pos, text, "HINTS"); err != nil {
			return err
		}
	}
	return silence("ENDHINTS")(e)
}

func silentWhenIdle(command string) step {
	return func(e *exam) error {
		if err := e.do(sends(command), silence(command+" while it does not think")); err != nil {
			return err
		}
		// It may need time: one plugin forwards the command to another engine.
		return e.checkNothing(2*settleTime, "nothing after "+command+" while it does not think")
	}
}

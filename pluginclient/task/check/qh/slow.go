package qh

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"qhsh/pluginclient/task/check"
)

// errSlow is the error of a plugin that has not answered in time, and may be thinking: the
// specification sets no limit to that.
var errSlow = check.ErrTooSlow

const (
	// longAnswer is how long a plugin thinks that would take too much of an examination, in
	// which it is asked for some hundred moves.
	longAnswer = 500 * time.Millisecond
	// timeoutAfter is how long such a plugin may think before it is told to move.
	timeoutAfter = 150 * time.Millisecond
)

// isSlow reports whether the plugin takes too long for a move to be asked for many.
func (e *exam) isSlow() bool { return e.firstMoveTime > longAnswer && !e.obeysTimeout["AI"] }

// learnTimeout finds out whether a plugin that has taken long to answer AI or HINTS answers
// sooner when TIMEOUT tells it to, and remembers that it may be hurried then. Nothing is said
// of one that does not: that is for the checks of TIMEOUT.
func (e *exam) learnTimeout(command string, took time.Duration, prepare func(*exam) error) error {
	if took <= longAnswer || !e.has("TIMEOUT") || e.obeysTimeout[command] {
		return nil
	}
	if err := prepare(e); err != nil {
		return err
	}
	e.Drain()
	if err := e.Send(command); err != nil {
		return err
	}
	if early, err := e.Pause(e.Context, timeoutAfter); err != nil || len(early) > 0 {
		return err
	}
	if err := e.Send("TIMEOUT"); err != nil {
		return err
	}
	// An answer that would have come by itself proves nothing.
	line, err := e.Line(e.Context, min(e.Deadlines.Prompt, (took-timeoutAfter)/2))
	if err == nil && looseMove.MatchString(line) {
		if e.obeysTimeout == nil {
			e.obeysTimeout = map[string]bool{}
		}
		e.obeysTimeout[command] = true
	}
	e.Kill() // it may have more to say, or still think
	if e.Err() != nil {
		return e.MissingReply("a move after TIMEOUT", err)
	}
	return nil
}

// waitMove waits for the first line of the answer to AI or HINTS.
func (e *exam) waitMove(command string) (string, error) {
	patience := e.Deadlines.Think
	if e.obeysTimeout[strings.ToUpper(strings.TrimSpace(command))] {
		patience = timeoutAfter
	}
	return e.waitAnswer(patience, e.Deadlines.Think)
}

// waitAnswer waits for the first line of an answer. When its patience is at an end it tells the
// plugin to move, if it can be told that, and goes on waiting up to the most.
func (e *exam) waitAnswer(patience, limit time.Duration) (string, error) {
	hurry := e.has("TIMEOUT")
	if !hurry {
		patience = limit
	}
	line, err := e.Line(e.Context, patience)
	if !errors.Is(err, check.ErrSilent) || !e.Running() || e.Partial() != "" {
		return line, err
	}
	if !hurry {
		return "", fmt.Errorf("%w: no move in %v, and it knows no TIMEOUT", errSlow, limit)
	}
	if err := e.Send("TIMEOUT"); err != nil {
		return "", err
	}
	line, err = e.Line(e.Context, max(e.Deadlines.Prompt, limit-patience))
	if errors.Is(err, check.ErrSilent) {
		err = fmt.Errorf("%w, although TIMEOUT has told it to move", err)
	}
	return line, err
}

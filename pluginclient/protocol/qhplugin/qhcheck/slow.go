package qhcheck

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
)

const (
	// longAnswer is the thinking time from which hundreds of searches would take too long.
	longAnswer = 500 * time.Millisecond
	// timeoutAfter is how long such a plugin may think before TIMEOUT is sent.
	timeoutAfter = 150 * time.Millisecond
)

// isSlow reports whether the plugin is too slow for many searches.
func (e *exam) isSlow() bool { return e.firstMoveTime > longAnswer && !e.obeysTimeout["AI"] }

// learnTimeout checks whether TIMEOUT makes a slow plugin answer AI or HINTS sooner, and remembers
// it. Other checks report that TIMEOUT does not work.
func (e *exam) learnTimeout(command string, took time.Duration, prepare step) error {
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
	// A later answer could have come without TIMEOUT.
	line, err := e.Line(e.Context, min(e.Deadlines.Prompt, (took-timeoutAfter)/2))
	if err == nil && moveIn(line) != "" {
		if e.obeysTimeout == nil {
			e.obeysTimeout = map[string]bool{}
		}
		e.obeysTimeout[command] = true
	}
	e.Kill() // it may still send lines or think
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

// response waits for a line that is a response, and returns another if there is none.
func (e *exam) response(within time.Duration) (string, error) {
	before, line, err := check.ReadUntil(e, within, func(line string) bool { return !qhplugin.Unasked(line) })
	if len(before) == 0 {
		return line, err
	}
	if errors.Is(err, check.ErrSilent) {
		return before[0], nil
	}
	e.dropUnasked(before)
	return line, err
}

// waitAnswer waits for the first line of an answer. After patience it sends TIMEOUT, if supported,
// and waits up to limit.
func (e *exam) waitAnswer(patience, limit time.Duration) (string, error) {
	hurry := e.has("TIMEOUT")
	if !hurry {
		patience = limit
	}
	line, err := e.response(patience)
	if !errors.Is(err, check.ErrSilent) || !e.Running() || e.Partial() != "" {
		return line, err
	}
	if !hurry {
		return "", fmt.Errorf("%w: no move in %v, and it knows no TIMEOUT", check.ErrTooSlow, limit) // it may still be thinking
	}
	if err := e.Send("TIMEOUT"); err != nil {
		return "", err
	}
	line, err = e.response(max(e.Deadlines.Prompt, limit-patience))
	if errors.Is(err, check.ErrSilent) {
		err = fmt.Errorf("%w, although TIMEOUT has told it to move", err)
	}
	return line, err
}

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
	// hasteAfter is how long such a plugin may think before it is told to move.
	hasteAfter = 150 * time.Millisecond
)

// isSlow reports whether the plugin takes too long for a move to be asked for many.
func (e *exam) isSlow() bool { return e.took > longAnswer && !e.hurries["AI"] }

// learnHaste finds out whether a plugin that has taken long to answer AI or HINTS answers
// sooner when TIMEOUT tells it to, and remembers that it may be hurried then. Nothing is said
// of one that does not: that is for the checks of TIMEOUT.
func (e *exam) learnHaste(command string, took time.Duration, prepare func(*exam) error) error {
	if took <= longAnswer || !e.has("TIMEOUT") || e.hurries[command] {
		return nil
	}
	if err := prepare(e); err != nil {
		return err
	}
	e.Drain()
	if err := e.Send(command); err != nil {
		return err
	}
	if early, err := e.Pause(e.Context, hasteAfter); err != nil || len(early) > 0 {
		return err
	}
	if err := e.Send("TIMEOUT"); err != nil {
		return err
	}
	// An answer that would have come by itself proves nothing.
	line, err := e.Line(e.Context, min(e.Deadlines.Prompt, (took-hasteAfter)/2))
	if err == nil && looseMove.MatchString(line) {
		if e.hurries == nil {
			e.hurries = map[string]bool{}
		}
		e.hurries[command] = true
	}
	e.Drop() // it may have more to say, or still think
	if e.Err() != nil {
		return e.Missing("a move after TIMEOUT", err)
	}
	return nil
}

// move waits for the first line of the answer to AI or HINTS.
func (e *exam) move(command string) (string, error) {
	patience := e.Deadlines.Think
	if e.hurries[strings.ToUpper(strings.TrimSpace(command))] {
		patience = hasteAfter
	}
	return e.waits(patience, e.Deadlines.Think)
}

// waits waits for the first line of an answer. When its patience is at an end it tells the
// plugin to move, if it can be told that, and goes on waiting up to the most.
func (e *exam) waits(patience, most time.Duration) (string, error) {
	hurry := e.has("TIMEOUT")
	if !hurry {
		patience = most
	}
	line, err := e.Line(e.Context, patience)
	if !errors.Is(err, check.ErrSilent) || !e.Running() || e.Rest() != "" {
		return line, err
	}
	if !hurry {
		return "", fmt.Errorf("%w: no move in %v, and it knows no TIMEOUT", errSlow, most)
	}
	if err := e.Send("TIMEOUT"); err != nil {
		return "", err
	}
	line, err = e.Line(e.Context, max(e.Deadlines.Prompt, most-patience))
	if errors.Is(err, check.ErrSilent) {
		err = fmt.Errorf("%w, although TIMEOUT has told it to move", err)
	}
	return line, err
}

package pluginclient

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// The ways in which an engine fails. An [Error] wraps one of them.
var (
	ErrStart        = errors.New("cannot be started")
	ErrDied         = errors.New("died")
	ErrNoReply      = errors.New("no answer")
	ErrTimedOut     = errors.New("took too long and was stopped")
	ErrPartialLine  = errors.New("no answer but half a line")
	ErrInvalidReply = errors.New("an answer that makes no sense")
	ErrFlood        = errors.New("a flood of output")
	ErrInputBlocked = errors.New("does not read its input")
	ErrIllegal      = errors.New("an illegal move")
	ErrRefused      = errors.New("refused")
	ErrClosed       = errors.New("session closed")
)

// ErrNotRunning is wrapped by the error of Raw for an engine that has ended or is lost: it is not
// started again by itself. It is no failure of the engine's, which has been told before.
var ErrNotRunning = errors.New("the engine does not run")

// An Error is an engine's failure: who failed at what, how, and what was said
// last.
type Error struct {
	Engine  string        // its name
	Command string        // what it was asked, empty if nothing
	After   time.Duration // how long the command had run
	Err     error         // what happened; wraps one of the sentinels
	Last    []Entry       // the last lines exchanged, oldest first
	Stderr  []string      // the engine's last lines on stderr
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Engine)
	if e.Command != "" {
		fmt.Fprintf(&b, ": %s", e.Command)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	if e.After >= time.Millisecond {
		fmt.Fprintf(&b, " after %v", e.After.Round(time.Millisecond))
	}
	if len(e.Last) > 0 {
		b.WriteString("; last lines:")
		for _, entry := range e.Last {
			fmt.Fprintf(&b, " %s%s", entry.Dir, quoted(entry.Text))
		}
	}
	if len(e.Stderr) > 0 {
		b.WriteString("; stderr:")
		for _, line := range e.Stderr {
			b.WriteString(" " + quoted(line))
		}
	}
	return b.String()
}

// Brief is the text of an error without the last lines and the stderr of the [Error] in it,
// for where they are shown in another way, or not at all.
func Brief(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	brief := *e
	brief.Last, brief.Stderr = nil, nil
	return strings.Replace(err.Error(), e.Error(), brief.Error(), 1)
}

// WithoutDuration is an error without the time that the command of an [Error] had run, for where it is
// stored: that time is another one whenever the same happens again.
func WithoutDuration(err error) error {
	e, ok := err.(*Error) //nolint:errorlint // one that is wrapped stays as it is
	if !ok {
		return err
	}
	untimed := *e
	untimed.After = 0
	return &untimed
}

// quoted is a line cut and quoted so that an error stays one readable line.
func quoted(line string) string {
	return fmt.Sprintf("%q", truncate(line))
}

// Unwrap is what happened.
func (e *Error) Unwrap() error { return e.Err }

// Lost reports whether an error means that the engine is gone, so that it must be
// started again before it can be asked anything.
func Lost(err error) bool {
	for _, gone := range []error{ErrStart, ErrDied, ErrNoReply, ErrPartialLine, ErrFlood, ErrInputBlocked, ErrClosed} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return false
}

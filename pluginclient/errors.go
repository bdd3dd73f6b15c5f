package pluginclient

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The ways in which an engine fails. An [Error] wraps one of them.
var (
	ErrStart        = errors.New("cannot be started")
	ErrDied         = errors.New("died")
	ErrNoReply      = errors.New("no answer")
	ErrTimedOut     = errors.New("took too long and was stopped")
	ErrPartialLine  = errors.New("incomplete line")
	ErrInvalidReply = errors.New("invalid reply")
	ErrFlood        = errors.New("too much output")
	ErrInputBlocked = errors.New("does not read its input")
	ErrIllegal      = errors.New("an illegal move")
	ErrRefused      = errors.New("refused")
	ErrClosed       = errors.New("session closed")
)

// ErrResigned is the error of an engine that resigns instead of giving a move. It wraps ErrRefused.
var ErrResigned = fmt.Errorf("%w: the engine resigned", ErrRefused)

// ErrUnknown is the error of an engine that only looks positions up, and does not have this one.
var ErrUnknown = errors.New("the position is not known")

// ErrOutputClosed is wrapped beside ErrDied by the error of an engine that closes its output and goes on
// running.
var ErrOutputClosed = errors.New("it closed its output and was killed")

// ErrNotRunning is wrapped by the error of Raw if the engine has exited or is lost, since Raw does
// not restart it. The failure itself has already been reported.
var ErrNotRunning = errors.New("the engine is not running")

// An Error is a failure of an engine, with the last lines exchanged.
type Error struct {
	Engine  string        // name of the engine
	Command string        // the command that failed; may be empty
	After   time.Duration // how long the command had been running
	Err     error         // the reason; wraps one of the sentinels
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
			fmt.Fprintf(&b, " %s%q", entry.Dir, truncate(entry.Text))
		}
	}
	b.WriteString(LastWords(e.Stderr))
	return b.String()
}

// LastWords returns an engine's last lines on stderr, quoted to follow its error. It returns "" if
// there are none. They are cut less than other lines: they often begin with a long path.
func LastWords(stderr []string) string {
	if len(stderr) == 0 {
		return ""
	}
	text := "; stderr:"
	for _, line := range stderr {
		text += fmt.Sprintf(" %q", Truncate(line, 200))
	}
	return text
}

// Brief returns the text of err without the Last and Stderr lines of the [Error] in it.
func Brief(err error) string { return brief(err, func(*Error) {}) }

// BriefAs is Brief with another name for the engine.
func BriefAs(err error, name string) string {
	return brief(err, func(e *Error) { e.Engine = name })
}

func brief(err error, change func(*Error)) string {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err.Error()
	}
	brief := *e
	brief.Last, brief.Stderr = nil, nil
	change(&brief)
	return strings.Replace(err.Error(), e.Error(), brief.Error(), 1)
}

// WithoutDuration returns err without the After of an [Error]. Stored errors omit it, since it
// differs from run to run.
func WithoutDuration(err error) error {
	e, ok := err.(*Error) //nolint:errorlint // one that is wrapped stays as it is
	if !ok {
		return err
	}
	untimed := *e
	untimed.After = 0
	return &untimed
}

// Unwrap returns the reason of the failure.
func (e *Error) Unwrap() error { return e.Err }

// Lost reports whether err means that the engine must be restarted before it can be used again.
func Lost(err error) bool {
	return slices.ContainsFunc([]error{ErrStart, ErrDied, ErrNoReply, ErrPartialLine, ErrFlood, ErrInputBlocked, ErrClosed}, func(gone error) bool { return errors.Is(err, gone) })
}

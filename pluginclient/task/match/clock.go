package match

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"qhsh/engine"
)

// A Clock is a time control: a time for a number of moves, and an increment per move.
type Clock struct {
	Moves     int // after which Time is added again; 0: Time is for the whole game
	Time      time.Duration
	Increment time.Duration
}

// errClock describes the syntax of a clock.
var errClock = errors.New("want TIME, TIME+INCREMENT or MOVES/TIME+INCREMENT, in seconds or m:ss, such as 40/60+0.6")

// ParseClock parses a time control in the syntax of cutechess-cli: "40/60+0.6" is 40 moves in 60 s
// plus 0.6 s per move, "2:00+1" two minutes plus one second per move. Go durations such as 1m30s
// are accepted too.
func ParseClock(text string) (Clock, error) {
	var c Clock
	rest := text
	if moves, after, ok := strings.Cut(rest, "/"); ok {
		n, err := strconv.Atoi(moves)
		if err != nil || n < 1 {
			return Clock{}, errClock
		}
		c.Moves, rest = n, after
	}
	main, increment, hasIncrement := strings.Cut(rest, "+")
	var err error
	if c.Time, err = ParseTime(main); err != nil || c.Time <= 0 {
		return Clock{}, errClock
	}
	if hasIncrement {
		if c.Increment, err = ParseTime(increment); err != nil {
			return Clock{}, errClock
		}
	}
	return c, nil
}

// ParseTime parses seconds (0.5), minutes and seconds (1:30) or a Go duration (500ms).
func ParseTime(text string) (time.Duration, error) {
	seconds, minutes := text, "0"
	if m, s, ok := strings.Cut(text, ":"); ok {
		minutes, seconds = m, s
	}
	m, err1 := strconv.Atoi(minutes)
	s, err2 := strconv.ParseFloat(seconds, 64)
	const week = 7 * 24 * 3600
	if total := float64(m)*60 + s; err1 == nil && err2 == nil && m >= 0 && s >= 0 && total <= week {
		return time.Duration(total * float64(time.Second)).Round(time.Millisecond), nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 && d <= week*time.Second {
		return d, nil
	}
	return 0, fmt.Errorf("invalid time %q: use seconds such as 0.5, or 500ms, or 1:30", text)
}

// String formats the clock in the syntax of ParseClock; the zero Clock is empty.
func (c Clock) String() string {
	if c == (Clock{}) {
		return ""
	}
	text := seconds(c.Time)
	if c.Moves > 0 {
		text = strconv.Itoa(c.Moves) + "/" + text
	}
	if c.Increment > 0 {
		text += "+" + seconds(c.Increment)
	}
	return text
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

type runningClock struct {
	Clock
	left time.Duration
	made int // moves since Time was added
}

func (r *runningClock) allot() time.Duration {
	moves := 0
	if r.Moves > 0 {
		moves = r.Moves - r.made
	}
	return engine.Clock{Left: r.left, Increment: r.Increment}.Allot(moves)
}

// moved updates the clock after a move. Exceeding the time within the margin leaves zero.
func (r *runningClock) moved(took time.Duration) {
	r.left = max(r.left-took, 0) + r.Increment
	r.made++
	if r.Moves > 0 && r.made == r.Moves {
		r.left, r.made = r.left+r.Time, 0
	}
}

// tick is how often a stopwatch reads the time.
const tick = 50 * time.Millisecond

// A stopwatch measures an engine's thinking time, without periods in which this process was
// stopped: whether a reply arrived meanwhile is unknown.
type stopwatch struct {
	mu       sync.Mutex
	lastRead time.Time
	elapsed  time.Duration
	stopped  time.Duration // not part of elapsed
}

// startWatch returns a stopwatch that runs until the returned context is cancelled. If limit is not
// zero the context is cancelled with cause after that time.
func startWatch(ctx context.Context, limit time.Duration, cause error) (*stopwatch, context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &stopwatch{lastRead: time.Now()}
	go func() {
		for {
			elapsed, stopped := w.read()
			wait := tick // after a stop, leave time to read what has arrived
			switch left := limit - elapsed; {
			case limit == 0 || stopped:
			case left <= 0:
				cancel(cause)
				return
			default:
				wait = min(wait, left)
			}
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return
			}
		}
	}()
	return w, ctx, func() { cancel(nil) }
}

// read returns the elapsed time, and reports whether the process was stopped since the last read.
func (w *stopwatch) read() (elapsed time.Duration, stopped bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	since := now.Sub(w.lastRead)
	w.lastRead = now
	if stopped = since > 2*tick; stopped {
		w.stopped += since
	} else {
		w.elapsed += since
	}
	return w.elapsed, stopped
}

// uncharged returns the time in which the process was stopped.
func (w *stopwatch) uncharged() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stopped
}

package check

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// A Case is one run of a check, with its context.
type Case struct {
	context.Context
	*Talk
}

// MissingReply returns the fault of a missing reply, or the cause of the context if that is done.
func (c *Case) MissingReply(expected string, err error) error {
	_, isFault := errors.AsType[*Fault](err)
	switch {
	case c.Err() != nil:
		return context.Cause(c)
	case isFault, errors.Is(err, ErrTooSlow):
		return err
	}
	return &Fault{Expected: expected, Got: err.Error()}
}

// ThinkTime returns how long to wait for a move where the protocol sets no time: a tenth of what is
// left for all checks, but Deadlines.Think at least.
func (c *Case) ThinkTime() time.Duration {
	end, limited := c.Deadline()
	if !limited {
		return c.Deadlines.Think
	}
	return max(c.Deadlines.Think, time.Until(end)/10)
}

// MissingMove is MissingReply for a move that did not come within ThinkTime: an engine that still
// thinks has broken no rule, but is too slow to be examined.
func (c *Case) MissingMove(expected string, err error) error {
	if c.Err() == nil && errors.Is(err, ErrSilent) && c.Partial() == "" {
		return fmt.Errorf("%w: %w; -time gives it more", ErrTooSlow, err)
	}
	return c.MissingReply(expected, err)
}

// InOrder runs steps of a check that are not nil, up to the first that fails. X is the type of a suite's cases.
func InOrder[X any](x X, steps ...func(X) error) error {
	for _, step := range steps {
		if step == nil {
			continue
		}
		if err := step(x); err != nil {
			return err
		}
	}
	return nil
}

// A Row is a check of a suite whose cases are of type X.
type Row[X any] struct {
	Name, Section, Rule string
	Advice              bool
	Needs               []string
	Prepare             func(x X) error // comes before Run; may be nil
	Run                 func(x X) error
}

// Checks returns the checks of a table. All behind the one with the name basic, if there is one, need it.
// begin makes a suite's case of a Case.
func Checks[X any](table []Row[X], basic string, begin func(c *Case) X) (checks []Check) {
	var common []string
	for _, r := range table {
		checks = append(checks, Check{
			Name: r.Name, Section: r.Section, Rule: r.Rule, Advice: r.Advice, Needs: slices.Concat(common, r.Needs),
			Run: func(c *Case) error { return InOrder(begin(c), r.Prepare, r.Run) },
		})
		if r.Name == basic {
			common = []string{basic}
		}
	}
	return checks
}

// Steps returns a step of a check that consists of others.
func Steps[X any](steps ...func(X) error) func(X) error {
	return func(x X) error { return InOrder(x, steps...) }
}

// A LineReader is a Case, or a suite's wrapper of it, that reads lines.
type LineReader interface {
	context.Context
	Line(ctx context.Context, within time.Duration) (string, error)
}

// ReadUntil reads lines up to the one for which last returns true, and returns that line and those
// before it. within is the time for all of them.
func ReadUntil(l LineReader, within time.Duration, last func(line string) bool) (before []string, line string, err error) {
	for deadline := time.Now().Add(within); ; {
		line, err = l.Line(l, time.Until(deadline))
		if err != nil || last(line) {
			return before, line, err
		}
		before = append(before, line)
	}
}

// CheckNone returns a fault if bad returns true for a line.
func CheckNone(lines []string, bad func(line string) bool, expected string) error {
	if i := slices.IndexFunc(lines, bad); i >= 0 {
		return Faultf(expected, "%q", lines[i])
	}
	return nil
}

// CheckQuiet waits and returns a fault if bad returns true for a line received meanwhile.
func (c *Case) CheckQuiet(d time.Duration, bad func(line string) bool, expected string) error {
	lines, err := c.Pause(c, d)
	if err != nil {
		return err
	}
	return CheckNone(lines, bad, expected)
}

// WaitEnd waits for the engine to exit and returns its last lines.
func (c *Case) WaitEnd(expected string) (lines []string, err error) {
	if lines, _, err = c.WaitExit(c, c.Deadlines.Quit); err != nil {
		return lines, c.MissingReply(expected, err)
	}
	return lines, nil
}

// The amount of random input.
const (
	noiseLineCount = 10000
	noiseBatch     = 50 // lines per write
)

// SendNoise sends random lines, the same every time, and ignores the replies. who names the engine
// in the fault.
func (c *Case) SendNoise(who string) error {
	r := rand.New(rand.NewPCG(9, 9)) //nolint:gosec // the same lines every time
	for sent := 0; sent < noiseLineCount; sent += noiseBatch {
		batch := make([]string, noiseBatch)
		for i := range batch {
			text := make([]byte, r.IntN(120))
			for k := range text {
				for text[k] == 0 || text[k] == '\n' {
					text[k] = byte(r.IntN(256))
				}
			}
			batch[i] = "~" + string(text)
		}
		if err := c.Send(batch...); err != nil {
			return c.MissingReply(fmt.Sprintf("%s that goes on after %d random lines", who, sent), err)
		}
		c.Drain()
	}
	return nil
}

package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"qhsh/engine/printable"
	"qhsh/pluginclient"
)

// Deadlines are the timeouts of checks. They are longer than the specifications require, for busy
// machines.
type Deadlines struct {
	Start  time.Duration // for the first reply
	Reply  time.Duration // for the reply to an ordinary command
	Prompt time.Duration // for an engine that searches to obey a command
	Think  time.Duration // for a move at the weakest level
	Quit   time.Duration // to exit
}

// defaultDeadlines are for DefaultBudget.
var defaultDeadlines = Deadlines{
	Start: 15 * time.Second, Reply: 3 * time.Second, Prompt: 2 * time.Second, Think: 6 * time.Second, Quit: 6 * time.Second,
}

// Errors of a wait without a line.
var (
	ErrSilent = errors.New("no answer")
	// ErrTooSlow is the error of an engine without faults that is too slow for a check.
	ErrTooSlow  = errors.New("too slow to be examined")
	errDeadline = errors.New("deadline")
)

// A Talk is the process of an engine with its input and output.
type Talk struct {
	Deadlines Deadlines
	start     pluginclient.Starter
	trace     *pluginclient.Trace
	conn      *pluginclient.Conn
	streams   *pluginclient.Streams
}

// NewTalk returns a Talk for an engine that is not running yet. log may be nil.
func NewTalk(name string, start pluginclient.Starter, log *pluginclient.TraceLog) *Talk {
	return &Talk{Deadlines: defaultDeadlines, start: start, trace: pluginclient.NewTrace(name, log)}
}

// NewProcess returns a Talk for another process of the same engine, with the same trace.
func (t *Talk) NewProcess(start pluginclient.Starter) *Talk {
	return &Talk{Deadlines: t.Deadlines, start: start, trace: t.trace}
}

// Start starts the engine, after killing the running process.
func (t *Talk) Start(ctx context.Context) error {
	t.Kill()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	t.trace.Notef("started")
	keep := func(ctx context.Context) (*pluginclient.Streams, error) {
		streams, err := t.start(ctx)
		t.streams = streams
		return streams, err
	}
	conn, err := pluginclient.Connect(ctx, keep, t.trace)
	if err != nil {
		return err
	}
	t.conn = conn
	return nil
}

// Running reports whether the engine is known to run.
func (t *Talk) Running() bool { return t.conn != nil && t.conn.Alive() }

// Kill kills the engine.
func (t *Talk) Kill() {
	if t.conn != nil {
		t.conn.Close("", 0)
		t.conn, t.streams = nil, nil
	}
}

// Send sends lines in one write.
func (t *Talk) Send(lines ...string) error { return t.send(pluginclient.Sent, lines) }

// Ping sends a line that is not part of the check.
func (t *Talk) Ping(line string) error { return t.send(pluginclient.Pinged, []string{line}) }

func (t *Talk) send(dir pluginclient.Direction, lines []string) error {
	if t.conn == nil {
		return fmt.Errorf("%w: it does not run", pluginclient.ErrDied)
	}
	return t.conn.Send(dir, t.Deadlines.Reply, lines...)
}

// Line waits for the next line. The error is ErrSilent, or a PartialLine, if there is none in time,
// and the cause of ctx if that is done.
func (t *Talk) Line(ctx context.Context, within time.Duration) (string, error) {
	if t.conn == nil {
		return "", fmt.Errorf("%w: it does not run", pluginclient.ErrDied)
	}
	timed, cancel := context.WithTimeoutCause(ctx, within, errDeadline)
	defer cancel()
	line, err := t.conn.Receive(timed)
	switch {
	case !errors.Is(err, errDeadline):
		return line, err
	case t.conn.Partial() != "":
		return "", &PartialLine{t.conn.Partial(), within}
	}
	return "", fmt.Errorf("%w within %v", ErrSilent, within.Round(10*time.Millisecond))
}

// A PartialLine is the error of a line without an end.
type PartialLine struct {
	Text   string
	within time.Duration
}

func (h *PartialLine) Error() string {
	return fmt.Sprintf("%q without the end of the line within %v", h.Text, h.within.Round(10*time.Millisecond))
}

// Is reports whether target is ErrSilent: a partial line is not a reply.
func (h *PartialLine) Is(target error) bool { return target == ErrSilent }

// HasReturns reports whether a line of the engine ended with CR and LF.
func (t *Talk) HasReturns() bool { return t.conn != nil && t.conn.HasReturns() }

// Drain returns the lines received so far.
func (t *Talk) Drain() []string {
	if t.conn == nil {
		return nil
	}
	return t.conn.Drain()
}

// Pause waits and returns the lines received by then.
func (t *Talk) Pause(ctx context.Context, d time.Duration) ([]string, error) {
	select {
	case <-time.After(d):
		return t.Drain(), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Partial returns the start of a line whose end has not been received.
func (t *Talk) Partial() string {
	if t.conn == nil {
		return ""
	}
	return t.conn.Partial()
}

// Write writes text that may lack a line end. It blocks if the engine does not read.
func (t *Talk) Write(text string) error {
	if t.streams == nil {
		return fmt.Errorf("%w: it does not run", pluginclient.ErrDied)
	}
	t.trace.Notef("sent without the end of the line: %s", text)
	_, err := io.WriteString(t.streams.Stdin, text)
	return err
}

// EndInput closes the engine's input.
func (t *Talk) EndInput() {
	if t.streams != nil {
		t.trace.Notef("end of input")
		t.streams.Stdin.Close()
	}
}

// WaitExit waits for the engine to exit and returns its last lines. The error is ErrSilent if it
// has not exited in time. status is its exit status as an error.
func (t *Talk) WaitExit(ctx context.Context, within time.Duration) (lines []string, status, err error) {
	if t.conn == nil {
		return nil, nil, nil
	}
	deadline := time.Now().Add(within)
	for size := 0; ; {
		line, err := t.Line(ctx, time.Until(deadline))
		size += len(line) + pluginclient.LineCost
		switch {
		case err == nil && size > pluginclient.MaxUnread:
			return lines, nil, fmt.Errorf("%w: more than %d bytes, and it still runs", pluginclient.ErrFlood, pluginclient.MaxUnread)
		case err == nil:
			lines = append(lines, line)
		case errors.Is(err, ErrSilent):
			return lines, nil, fmt.Errorf("%w: it still runs after %v", ErrSilent, within)
		case t.conn.Alive():
			return lines, nil, err
		default:
			return lines, t.streams.Wait(), nil
		}
	}
}

// since returns the conversation since a time, as far as it is kept.
func (t *Talk) since(mark time.Time) []pluginclient.Entry {
	const all = 1 << 20
	return t.trace.Last(all, func(e pluginclient.Entry) bool { return !e.Time.Before(mark) })
}

// FormatConversation formats a conversation for people: seconds since its first line, direction and
// text. If it is longer than limit, lines in the middle are left out; more of the end is kept.
func FormatConversation(talk []pluginclient.Entry, limit int) []string {
	head, tail := len(talk), len(talk)
	if len(talk) > limit {
		head = limit / 3
		tail = len(talk) - (limit - head)
	}
	var lines []string
	for i, e := range talk {
		if i == head {
			lines = append(lines, fmt.Sprintf("... %d lines ...", tail-head))
		}
		if i < head || i >= tail {
			at := e.Time.Sub(talk[0].Time).Seconds()
			lines = append(lines, fmt.Sprintf("%7.3f %s %s", at, e.Dir, excerpt(e.Text)))
		}
	}
	return lines
}

// excerpt returns the start of a text, escaped.
func excerpt(text string) string {
	const limit = 160
	if len(text) <= limit {
		return printable.Line(text)
	}
	end := limit
	for end > limit-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return printable.Line(text[:end]) + "..."
}

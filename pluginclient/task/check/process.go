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

// Deadlines are how long an examiner waits. They are wider than what the specifications say,
// for the sake of busy machines.
type Deadlines struct {
	Start  time.Duration // for the first answer
	Reply  time.Duration // for the answer to an ordinary command
	Prompt time.Duration // for an engine that thinks to obey
	Think  time.Duration // for a move at the weakest level
	Quit   time.Duration // to end
}

// defaultDeadlines fit into DefaultBudget.
func defaultDeadlines() Deadlines {
	return Deadlines{
		Start: 15 * time.Second, Reply: 3 * time.Second, Prompt: 2 * time.Second,
		Think: 6 * time.Second, Quit: 2 * time.Second,
	}
}

// The ways in which a wait ends without a line.
var (
	ErrSilent = errors.New("no answer")
	// ErrTooSlow is the error of an engine that does nothing wrong but takes too long to be
	// examined.
	ErrTooSlow  = errors.New("too slow to be examined")
	errDeadline = errors.New("deadline")
)

// A Talk is an engine under examination: its process, and what is said to it.
type Talk struct {
	Deadlines Deadlines
	start     pluginclient.Starter
	trace     *pluginclient.Trace
	conn      *pluginclient.Conn
	streams   *pluginclient.Streams
}

// NewTalk returns a Talk to an engine that is not running yet. The log may be nil.
func NewTalk(name string, start pluginclient.Starter, log *pluginclient.TraceLog) *Talk {
	return &Talk{Deadlines: defaultDeadlines(), start: start, trace: pluginclient.NewTrace(name, log)}
}

// NewProcess returns a Talk to another process of the same engine, whose lines are part of the same
// conversation.
func (t *Talk) NewProcess(start pluginclient.Starter) *Talk {
	return &Talk{Deadlines: t.Deadlines, start: start, trace: t.trace}
}

// Start starts the engine. One that runs is ended before.
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

// Running reports whether the engine runs, as far as is known.
func (t *Talk) Running() bool { return t.conn != nil && t.conn.Alive() }

// Kill ends the engine at once.
func (t *Talk) Kill() {
	if t.conn != nil {
		t.conn.Close("", 0)
		t.conn, t.streams = nil, nil
	}
}

// Send writes lines in one piece.
func (t *Talk) Send(lines ...string) error { return t.send(pluginclient.Sent, lines) }

// Ping writes a line that is no part of what is examined.
func (t *Talk) Ping(line string) error { return t.send(pluginclient.Pinged, []string{line}) }

func (t *Talk) send(dir pluginclient.Direction, lines []string) error {
	if t.conn == nil {
		return fmt.Errorf("%w: it does not run", pluginclient.ErrDied)
	}
	return t.conn.Send(dir, t.Deadlines.Reply, lines...)
}

// Line waits for the next line. ErrSilent says that there was none in time; if half of one has
// come the error has it. The end of the examination's time is another error.
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

// A PartialLine is the error of a line whose end has not come.
type PartialLine struct {
	Text   string
	within time.Duration
}

func (h *PartialLine) Error() string {
	return fmt.Sprintf("%q without the end of the line within %v", h.Text, h.within.Round(10*time.Millisecond))
}

// Is tells that half a line is no answer.
func (h *PartialLine) Is(target error) bool { return target == ErrSilent }

// Drain takes the lines that have come so far.
func (t *Talk) Drain() []string {
	if t.conn == nil {
		return nil
	}
	return t.conn.Drain()
}

// Pause waits, and answers the lines that have come by then.
func (t *Talk) Pause(ctx context.Context, d time.Duration) ([]string, error) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return t.Drain(), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Partial returns the beginning of a line whose end has not come.
func (t *Talk) Partial() string {
	if t.conn == nil {
		return ""
	}
	return t.conn.Partial()
}

// Write writes text that need not end a line. It is for an engine that reads.
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

// WaitExit waits for the engine to end, and answers the lines that it has still said. The error
// is ErrSilent if it has not ended in time. status is its exit status, as an error.
func (t *Talk) WaitExit(ctx context.Context, within time.Duration) (lines []string, status, err error) {
	if t.conn == nil {
		return nil, nil, nil
	}
	deadline := time.Now().Add(within)
	for {
		line, err := t.Line(ctx, time.Until(deadline))
		switch {
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

// mark returns a place in the conversation.
func (t *Talk) mark() time.Time { return time.Now() }

// since returns what was said since then, as far as it is kept.
func (t *Talk) since(mark time.Time) []pluginclient.Entry {
	const all = 1 << 20
	return t.trace.Last(all, func(e pluginclient.Entry) bool { return !e.Time.Before(mark) })
}

// FormatConversation returns the lines of a conversation in a form for people: seconds since its first line, the
// direction and the line. Of more than most lines the middle is left out: how it began matters,
// and how it ended more.
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

// excerpt returns the beginning of a line, escaped.
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

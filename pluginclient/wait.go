package pluginclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrDeadline is the cause of a wait for an engine that has taken too long. [Conn.Missing]
// tells what that means.
var ErrDeadline = errors.New("deadline")

// WithDeadline is ctx for a wait that may last so long; its cause is then ErrDeadline.
func WithDeadline(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, ErrDeadline)
}

// ExplainTimeout tells what an engine has done instead of answering in time. err is that of
// Receive, and odd the last line that has come and was no answer, empty if there was none;
// excerpt is as much of a line as the error should tell. An error that is not ErrDeadline
// stays as it is.
func (c *Conn) ExplainTimeout(err error, odd string, excerpt func(line string) string) error {
	switch half := c.Partial(); {
	case !errors.Is(err, ErrDeadline):
		return err
	case half != "":
		return fmt.Errorf("%w: %q", ErrPartialLine, excerpt(half))
	case odd != "":
		return fmt.Errorf("%w: %w, only %q", ErrNoReply, ErrInvalidReply, excerpt(odd))
	}
	return ErrNoReply
}

// readToEnd is what an engine says until it has ended, or ctx has.
func (c *Conn) readToEnd(ctx context.Context) (lines []string) {
	for {
		line, err := c.Receive(ctx)
		if err != nil {
			return lines
		}
		lines = append(lines, line)
	}
}

// Excerpt is as much of a line as an error should tell, where the blanks around it do not
// matter.
func Excerpt(line string) string {
	const most = 60 // bytes
	if line = strings.TrimSpace(line); len(line) > most {
		return line[:most] + "..."
	}
	return line
}

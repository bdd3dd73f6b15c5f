package pluginclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"qhsh/engine/lazyregexp"
)

// ErrDeadline is the cause of a context that ends because an engine took too long.
// [Conn.ExplainTimeout] turns it into an error for the caller.
var ErrDeadline = errors.New("deadline")

// WithDeadline returns a copy of ctx that ends after limit with the cause ErrDeadline.
func WithDeadline(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit, ErrDeadline)
}

// ExplainTimeout returns an error that says what the engine sent instead of a reply. err is the
// error of Receive; unexpected is the last line that was not the reply, if any; excerpt shortens a
// line for the error. An err other than ErrDeadline is returned unchanged.
func (c *Conn) ExplainTimeout(err error, unexpected string, excerpt func(line string) string) error {
	switch half := c.Partial(); {
	case !errors.Is(err, ErrDeadline):
		return err
	case c.output.ended() != nil: // and its exit is still awaited
		return endError(c.output.ended(), ErrOutputClosed)
	case half != "":
		return fmt.Errorf("%w: %q", ErrPartialLine, excerpt(half))
	case unexpected != "":
		return fmt.Errorf("%w: %w, only %q", ErrNoReply, ErrInvalidReply, excerpt(unexpected))
	}
	return ErrNoReply
}

// StrangerGrace is how long an engine whose first reply is a [StrangeReply] may take to reply properly
// after all.
const StrangerGrace = 2 * time.Second

// refusal matches what programs say to a command that they do not know, with the word behind it. A banner
// may speak of a bad command line or of invalid input files.
var refusal = lazyregexp.New(`(?i)^(?:info (?:string|message)|error|\W)*(?:unknown|unrecogni[sz]ed|invalid|illegal|bad|no such) (?:command|input|keyword)\b\W*(\w*)`)

// StrangeReply returns the error of a line that repeats a line of a greeting or says that it is unknown, as a
// program does that speaks another protocol, or nil.
func StrangeReply(line string, greeting ...string) error {
	said := refusal().FindStringSubmatch(line)
	for _, sent := range greeting {
		word, _, _ := strings.Cut(sent, " ")
		switch {
		case line == sent:
			return fmt.Errorf("%w: it repeats %q", ErrInvalidReply, line)
		case said != nil && (said[1] == "" || strings.EqualFold(said[1], word)):
			return fmt.Errorf("%w to %s: %q", ErrInvalidReply, word, Excerpt(line))
		}
	}
	return nil
}

// A Parting is what an engine has said and done that was told to quit.
type Parting struct {
	Before []string // unread lines that had arrived before the quit command
	Lines  []string // lines that came then
	Ended  bool     // it has ended in time
	Err    error    // how it has ended
	// Abandoned reports whether Close has abandoned a call, whose answer may be among the lines.
	Abandoned bool
}

// parting is what an engine says until it has ended, or ctx has.
func (c *Conn) parting(ctx context.Context) (p Parting) {
	for size := 0; ; {
		line, err := c.Receive(ctx)
		if err != nil {
			p.Ended, p.Err = !errors.Is(err, ErrDeadline), err
			return p
		}
		if size += len(line) + LineCost; size > MaxUnread {
			p.Err = fmt.Errorf("%w: more than %d bytes after quit", ErrFlood, MaxUnread)
			return p
		}
		p.Lines = append(p.Lines, line)
	}
}

// Excerpt returns the beginning of a line, trimmed, for use in an error.
func Excerpt(line string) string {
	return Truncate(strings.TrimSpace(line), 60)
}

package ucifamily

import (
	"context"
	"errors"
	"fmt"
	"time"

	"qhsh/pluginclient"
)

// maxUnexpected is how many lines that make no sense an engine may send during one wait.
const maxUnexpected = 100_000

// maxNoted is how many of them are remarked on.
const maxNoted = 10

// noPingQuiet is how long an engine that knows no "isready" is listened to after a search for
// what it should not have said.
const noPingQuiet = 100 * time.Millisecond

// errIntroTimeout is the cause of a wait for more that an engine might tell of itself.
var errIntroTimeout = errors.New("all is told")

// send sends lines to an engine that is idle. What has come before is no answer to them.
func (c *Client) send(dir pluginclient.Direction, lines ...string) error {
	if err := c.discardPending(); err != nil {
		return err
	}
	if dir == pluginclient.Sent {
		c.link.Command, c.link.SentAt = cutCommand(lines[len(lines)-1]), time.Now()
	}
	return c.link.Send(dir, lines...)
}

// discardPending takes away what has come before a command.
func (c *Client) discardPending() error {
	c.applyLateIntro()
	for i, line := range c.link.Conn.Drain() {
		if line != "" && i < maxNoted {
			c.link.Trace.Notef("nobody asked for %q", pluginclient.Excerpt(line))
		}
		if err := c.handleUnsolicited(line); err != nil {
			return err
		}
	}
	return nil
}

// sendAndPing sends lines to an engine that is idle, with a ping behind them, and waits until it
// has carried them out.
func (c *Client) sendAndPing(ctx context.Context, limit time.Duration, lines ...string) error {
	if c.noPing {
		if err := c.send(pluginclient.Sent, lines...); err != nil {
			return err
		}
		return c.ping(ctx, limit)
	}
	if err := c.discardPending(); err != nil {
		return err
	}
	c.link.Command, c.link.SentAt = cutCommand(lines[len(lines)-1]), time.Now()
	ping := c.protocol.Ping()
	if err := c.link.SendPinged(ping, lines...); err != nil {
		return err
	}
	_, err := c.awaitPong(ctx, limit, ping)
	return err
}

// cutCommand is as much of a command as an error should tell.
func cutCommand(line string) string {
	if word, _ := cutWord(line); word == "position" {
		return word
	}
	return pluginclient.Excerpt(line)
}

// explainTimeout says what an engine has done instead of answering in time.
func (c *Client) explainTimeout(err error, odd string) error {
	return c.link.Conn.ExplainTimeout(err, odd, pluginclient.Excerpt)
}

// ping sends a ping and throws away what comes before its answer: both ends are then in
// step. The time is that for the answer.
func (c *Client) ping(ctx context.Context, limit time.Duration) error {
	if c.noPing {
		return c.drainFor(noPingQuiet)
	}
	_, err := c.pingAndRead(ctx, limit)
	return err
}

// pingAndRead is ready, and answers what has come before.
func (c *Client) pingAndRead(ctx context.Context, limit time.Duration) ([]string, error) {
	ping := c.protocol.Ping()
	if err := c.link.Send(pluginclient.Pinged, ping); err != nil {
		return nil, err
	}
	return c.awaitPong(ctx, limit, ping)
}

// awaitPong reads up to the answer to a ping, and answers what has come before.
func (c *Client) awaitPong(ctx context.Context, limit time.Duration, ping string) ([]string, error) {
	ctx, cancel := pluginclient.WithDeadline(ctx, limit)
	defer cancel()
	var lines []string
	for len(lines) < maxUnexpected {
		line, err := c.link.Conn.Receive(ctx)
		if err != nil {
			return lines, c.explainTimeout(err, "")
		}
		if c.protocol.Pong(line) {
			c.busy, c.pingDeferred = false, false
			return lines, nil
		}
		if err := c.handleUnsolicited(line); err != nil {
			return lines, err
		}
		lines = append(lines, line)
	}
	return nil, fmt.Errorf("%w: %d lines before the answer to %s", pluginclient.ErrFlood, len(lines), ping)
}

// handleUnsolicited passes on a line that is no answer to anything.
func (c *Client) handleUnsolicited(line string) error {
	if c.protocol.Unsolicited == nil {
		return nil
	}
	reply := c.protocol.Unsolicited(line)
	c.applyLateIntro()
	if len(reply) == 0 {
		return nil
	}
	return c.link.Send(pluginclient.Sent, reply...)
}

// applyLateIntro takes over what the engine has told too late.
func (c *Client) applyLateIntro() {
	if c.protocol.LateIntro == nil {
		return
	}
	if in := c.protocol.LateIntro(); in != nil {
		if in.Info.Name == "" {
			in.Info.Name = c.name()
		}
		info := c.Info()
		info.Name, info.Text = in.Info.Name, in.Info.Text
		in.Info = info
		c.noPing = false // what it offers now may hold a ping
		c.storeIntro(in)
	}
}

// drainFor gives an engine some time to say what it has to say.
func (c *Client) drainFor(limit time.Duration) error {
	ctx, cancel := pluginclient.WithDeadline(context.Background(), limit)
	defer cancel()
	for range maxUnexpected {
		line, err := c.link.Conn.Receive(ctx)
		switch {
		case errors.Is(err, pluginclient.ErrDeadline):
			c.busy = false
			return nil
		case err != nil:
			return err
		}
		if c.protocol.Pong(line) {
			c.noPing = false // it has only been slow
		}
		if err := c.handleUnsolicited(line); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: lines that nobody asked for", pluginclient.ErrFlood)
}

// settle gets in step with an engine that may have more to say. One that has answered by itself
// and is likely to be told next to forget, which ends with a ping, is left alone until then.
func (c *Client) settle() error {
	if !c.busy || c.link.Conn == nil || !c.link.Conn.Alive() {
		return nil
	}
	if c.pingDeferred = c.newGameEachSearch && c.endedByItself && c.protocol.EndSearch == nil; c.pingDeferred {
		return nil
	}
	if err := c.endSearch(); err != nil || !c.busy {
		return err
	}
	return c.ping(context.Background(), c.link.Deadlines.Reply)
}

// catchUp is settle for an engine that was left alone and is not told to forget.
func (c *Client) catchUp() {
	if c.pingDeferred {
		c.pingDeferred, c.newGameEachSearch = false, false
		_ = c.link.NoteError(c.settle())
	}
}

// endSearch ends what is left of a search that is answered. Where something may be, what the engine
// has said beyond its answer is heard, so that it is not taken for the next one: after a move
// that mates, XBoard's engines tell the result. It is not bound to the life of the session,
// since Close too wants the engine at endSearch.
func (c *Client) endSearch() error {
	if c.protocol.EndSearch == nil {
		return nil
	}
	rest := c.protocol.EndSearch()
	if len(rest) == 0 {
		return nil
	}
	if err := c.link.Send(pluginclient.Sent, rest...); err != nil {
		return err
	}
	return c.ping(context.Background(), c.link.Deadlines.Reply)
}

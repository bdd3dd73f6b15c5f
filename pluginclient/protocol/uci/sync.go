package uci

import (
	"context"
	"errors"
	"fmt"
	"time"

	"qhsh/pluginclient"
)

// maxUnexpected is how many unexpected lines an engine may send during one wait.
const maxUnexpected = 100_000

// maxNoted is how many of them are recorded in the trace.
const maxNoted = 10

// noPingQuiet is how long the client waits for unexpected lines after a search, if the engine has
// no "isready".
const noPingQuiet = 100 * time.Millisecond

// send sends lines to an idle engine. It first discards unread lines, which are no replies to them.
func (c *Client) send(dir pluginclient.Direction, lines ...string) error {
	if err := c.discardPending(); err != nil {
		return err
	}
	if dir == pluginclient.Sent {
		c.link.Command, c.link.SentAt = cutCommand(lines[len(lines)-1]), time.Now()
	}
	return c.link.Send(dir, lines...)
}

// discardPending discards the lines that arrived before a command.
func (c *Client) discardPending() error {
	c.applyLateIntro()
	for i, line := range c.drain() {
		if line != "" && i < maxNoted {
			c.link.Trace.Notef("nobody asked for %q", pluginclient.Excerpt(line))
		}
		c.judgeStray(line)
		if err := c.handleUnsolicited(line); err != nil {
			return err
		}
	}
	return nil
}

// sendAndPing sends lines and a ping to an idle engine, and waits until it has executed them.
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

// cutCommand shortens a command for use in an error.
func cutCommand(line string) string {
	if word, _ := cutWord(line); word == "position" {
		return word
	}
	return pluginclient.Excerpt(line)
}

// explainTimeout returns an error that says what the engine sent instead of a reply.
func (c *Client) explainTimeout(err error, odd string) error {
	return c.link.Conn.ExplainTimeout(err, odd, pluginclient.Excerpt)
}

// ping sends a ping and discards all lines before the reply, so that the next line belongs to the
// next command. limit is the time for the reply.
func (c *Client) ping(ctx context.Context, limit time.Duration) error {
	if c.noPing {
		_, err := c.readQuiet()
		return err
	}
	_, err := c.pingAndRead(ctx, limit)
	return err
}

// pingAndRead sends a ping and returns the lines up to the reply.
func (c *Client) pingAndRead(ctx context.Context, limit time.Duration) ([]string, error) {
	ping := c.protocol.Ping()
	if err := c.link.Send(pluginclient.Pinged, ping); err != nil {
		return nil, err
	}
	return c.awaitPong(ctx, limit, ping)
}

// awaitPong returns the lines up to the reply to a ping.
func (c *Client) awaitPong(ctx context.Context, limit time.Duration, ping string) ([]string, error) {
	ctx, cancel := pluginclient.WithDeadline(ctx, limit)
	defer cancel()
	var lines []string
	for len(lines) < maxUnexpected {
		line, err := c.receive(ctx)
		if err != nil {
			return lines, c.explainTimeout(err, "")
		}
		lines = append(lines, line)
		if c.protocol.Pong(line) {
			c.busy, c.pingDeferred = false, false
			return lines, nil
		}
		c.judgeStray(line)
		if err := c.handleUnsolicited(line); err != nil {
			return lines, err
		}
	}
	return nil, fmt.Errorf("%w: %d lines before the answer to %s", pluginclient.ErrFlood, len(lines), ping)
}

// readQuiet returns the lines of an engine without pings that come within noPingQuiet.
func (c *Client) readQuiet() (lines []string, err error) {
	ctx, cancel := pluginclient.WithDeadline(context.Background(), noPingQuiet)
	defer cancel()
	for range maxUnexpected {
		line, err := c.receive(ctx)
		switch {
		case errors.Is(err, pluginclient.ErrDeadline):
			c.busy = false
			return lines, nil
		case err != nil:
			return lines, err
		}
		lines = append(lines, line)
		if c.protocol.Pong(line) {
			c.noPing = false // the engine answers pings after all
		}
		if err := c.handleUnsolicited(line); err != nil {
			return lines, err
		}
	}
	return nil, fmt.Errorf("%w: unexpected lines", pluginclient.ErrFlood)
}

// handleUnsolicited passes a line that is no reply to Protocol.Unsolicited, and sends what that returns.
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

// applyLateIntro applies what the engine has added to its introduction.
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
		c.noPing = false // the new features may include a ping
		c.storeIntro(in)
	}
}

// settle makes sure that the engine sends no more lines of the last search. If that search ended by
// itself and the next one probably begins with a new-game command, the ping is left to that command.
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

// catchUp sends the ping that settle has deferred, because no new-game command follows.
func (c *Client) catchUp() {
	if c.pingDeferred {
		c.pingDeferred, c.newGameEachSearch = false, false
		_ = c.link.NoteError(c.settle())
	}
}

// endSearch sends the commands of Protocol.EndSearch after a search, and discards further lines of
// that search: XBoard engines report the result after a mating move. It does not end with the
// session, since Close needs an idle engine too.
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

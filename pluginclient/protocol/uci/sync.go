package uci

import (
	"cmp"
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

// send sends lines to an idle engine.
func (c *Client) send(lines ...string) error {
	if err := c.begin(lines); err != nil {
		return err
	}
	return c.link.Send(pluginclient.Sent, lines...)
}

// begin prepares for a command, the last of lines: it discards unread lines, which are no replies to it.
func (c *Client) begin(lines []string) error {
	c.applyLateIntro()
	unread := c.link.Conn.Drain()
	for _, line := range unread {
		c.judgeLine(line)
	}
	for i, line := range unread {
		if line != "" && i < maxNoted {
			c.link.Trace.Notef("nobody asked for %q", pluginclient.Excerpt(line))
		}
		c.judgeStray(line)
		if err := c.handleUnsolicited(line); err != nil {
			return err
		}
	}
	c.link.Command, c.link.SentAt = pluginclient.Excerpt(lines[len(lines)-1]), time.Now()
	if word, _ := CutWord(c.link.Command); word == "position" {
		c.link.Command = word
	}
	return nil
}

func (c *Client) explainTimeout(err error, odd string) error {
	return c.link.Conn.ExplainTimeout(err, odd, pluginclient.Excerpt)
}

// ping makes sure that the next line belongs to the next command: it discards all lines before the reply
// to a ping. limit is the time for that.
func (c *Client) ping(ctx context.Context, limit time.Duration) error {
	_, err := c.sync(ctx, limit)
	return err
}

// sync sends lines, if any, and a ping, and returns the lines up to the reply, when the engine has executed
// all commands. Without pings, it returns the lines of a short while.
func (c *Client) sync(ctx context.Context, limit time.Duration, lines ...string) ([]string, error) {
	if len(lines) > 0 {
		if err := c.begin(lines); err != nil {
			return nil, err
		}
	}
	var err error
	ping := ""
	switch {
	case !c.noPing:
		ping = c.protocol.Ping()
		err = c.link.Conn.SendPinged(c.link.Deadlines.Reply, ping, lines...)
	case len(lines) > 0:
		err = c.link.Send(pluginclient.Sent, lines...)
	}
	switch {
	case err != nil:
		return nil, err
	case c.noPing:
		return c.readQuiet()
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
		in.Info.Name = cmp.Or(in.Info.Name, c.link.Name())
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

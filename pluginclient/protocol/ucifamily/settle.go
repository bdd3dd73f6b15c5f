package ucifamily

import (
	"context"
	"errors"
	"fmt"
	"time"

	"qhsh/pluginclient"
)

// maxStray is how many lines that make no sense an engine may send during one wait.
const maxStray = 100_000

// maxNoted is how many of them are remarked on.
const maxNoted = 10

// muteQuiet is how long an engine that knows no "isready" is listened to after a search for
// what it should not have said.
const muteQuiet = 100 * time.Millisecond

// errAllTold is the cause of a wait for more that an engine might tell of itself.
var errAllTold = errors.New("all is told")

// send sends lines to an engine that is idle. What has come before is no answer to them.
func (c *Client) send(dir pluginclient.Direction, lines ...string) error {
	if err := c.clear(); err != nil {
		return err
	}
	if dir == pluginclient.Sent {
		c.link.Command, c.link.SentAt = cutCommand(lines[len(lines)-1]), time.Now()
	}
	return c.link.Send(dir, lines...)
}

// clear takes away what has come before a command.
func (c *Client) clear() error {
	c.hearLate()
	for i, line := range c.link.Conn.Drain() {
		if line != "" && i < maxNoted {
			c.link.Trace.Notef("nobody asked for %q", pluginclient.Excerpt(line))
		}
		if err := c.overhear(line); err != nil {
			return err
		}
	}
	return nil
}

// sendReady sends lines to an engine that is idle, with a ping behind them, and waits until it
// has carried them out.
func (c *Client) sendReady(ctx context.Context, limit time.Duration, lines ...string) error {
	if c.mute {
		if err := c.send(pluginclient.Sent, lines...); err != nil {
			return err
		}
		return c.ready(ctx, limit)
	}
	if err := c.clear(); err != nil {
		return err
	}
	c.link.Command, c.link.SentAt = cutCommand(lines[len(lines)-1]), time.Now()
	ping := c.protocol.Ping()
	if err := c.link.SendPinged(ping, lines...); err != nil {
		return err
	}
	_, err := c.untilReady(ctx, limit, ping)
	return err
}

// cutCommand is as much of a command as an error should tell.
func cutCommand(line string) string {
	if word, _ := cutWord(line); word == "position" {
		return word
	}
	return pluginclient.Excerpt(line)
}

// missing says what an engine has done instead of answering in time.
func (c *Client) missing(err error, odd string) error {
	return c.link.Conn.ExplainTimeout(err, odd, pluginclient.Excerpt)
}

// ready sends a ping and throws away what comes before its answer: both ends are then in
// step. The time is that for the answer.
func (c *Client) ready(ctx context.Context, limit time.Duration) error {
	if c.mute {
		return c.listen(muteQuiet)
	}
	_, err := c.upToReady(ctx, limit)
	return err
}

// upToReady is ready, and answers what has come before.
func (c *Client) upToReady(ctx context.Context, limit time.Duration) ([]string, error) {
	ping := c.protocol.Ping()
	if err := c.link.Send(pluginclient.Pinged, ping); err != nil {
		return nil, err
	}
	return c.untilReady(ctx, limit, ping)
}

// untilReady reads up to the answer to a ping, and answers what has come before.
func (c *Client) untilReady(ctx context.Context, limit time.Duration, ping string) ([]string, error) {
	ctx, cancel := pluginclient.WithDeadline(ctx, limit)
	defer cancel()
	var lines []string
	for len(lines) < maxStray {
		line, err := c.link.Conn.Receive(ctx)
		if err != nil {
			return lines, c.missing(err, "")
		}
		if c.protocol.Pong(line) {
			c.busy, c.owed = false, false
			return lines, nil
		}
		if err := c.overhear(line); err != nil {
			return lines, err
		}
		lines = append(lines, line)
	}
	return nil, fmt.Errorf("%w: %d lines before the answer to %s", pluginclient.ErrFlood, len(lines), ping)
}

// overhear passes on a line that is no answer to anything.
func (c *Client) overhear(line string) error {
	if c.protocol.Unsolicited == nil {
		return nil
	}
	reply := c.protocol.Unsolicited(line)
	c.hearLate()
	if len(reply) == 0 {
		return nil
	}
	return c.link.Send(pluginclient.Sent, reply...)
}

// hearLate takes over what the engine has told too late.
func (c *Client) hearLate() {
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
		c.mute = false // what it offers now may hold a ping
		c.introduced(in)
	}
}

// listen gives an engine some time to say what it has to say.
func (c *Client) listen(limit time.Duration) error {
	ctx, cancel := pluginclient.WithDeadline(context.Background(), limit)
	defer cancel()
	for range maxStray {
		line, err := c.link.Conn.Receive(ctx)
		switch {
		case errors.Is(err, pluginclient.ErrDeadline):
			c.busy = false
			return nil
		case err != nil:
			return err
		}
		if c.protocol.Pong(line) {
			c.mute = false // it has only been slow
		}
		if err := c.overhear(line); err != nil {
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
	if c.owed = c.forgets && c.answered && c.protocol.EndSearch == nil; c.owed {
		return nil
	}
	if err := c.rest(); err != nil || !c.busy {
		return err
	}
	return c.ready(context.Background(), c.link.Deadlines.Reply)
}

// catchUp is settle for an engine that was left alone and is not told to forget.
func (c *Client) catchUp() {
	if c.owed {
		c.owed, c.forgets = false, false
		_ = c.link.NoteError(c.settle())
	}
}

// rest ends what is left of a search that is answered. Where something may be, what the engine
// has said beyond its answer is heard, so that it is not taken for the next one: after a move
// that mates, XBoard's engines tell the result. It is not bound to the life of the session,
// since Close too wants the engine at rest.
func (c *Client) rest() error {
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
	return c.ready(context.Background(), c.link.Deadlines.Reply)
}

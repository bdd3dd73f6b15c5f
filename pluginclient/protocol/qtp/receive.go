package qtp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"qhsh/pluginclient"
)

// lineTimeout is the time for the next line of a response that may already be complete.
const lineTimeout = time.Second

// shortLineTimeout replaces lineTimeout for an engine that is known not to end its responses.
const shortLineTimeout = 100 * time.Millisecond

// maxStray is the maximum number of lines outside responses during one command, and maxLines the
// maximum number of lines of a response.
const (
	maxStray = 10_000
	maxLines = 10_000
)

var errLineTimeout = errors.New("no further line")

// send sends commands. Lines that arrived before them belong to no response.
func (c *Client) send(dir pluginclient.Direction, lines ...string) error {
	for _, line := range append(c.pending, c.link.Conn.Drain()...) {
		c.judgeStray(line)
	}
	c.pending, c.asked = nil, lines[0]
	if dir == pluginclient.Sent {
		c.link.Command, c.link.SentAt = lines[0], time.Now()
	}
	if c.implicit {
		dir = pluginclient.Pinged
	}
	return c.link.Send(dir, lines...)
}

// readLine returns the engine's next line, unchanged and cleaned as section 2.1 requires.
func (c *Client) readLine(ctx context.Context) (line, raw string, err error) {
	if len(c.pending) > 0 {
		raw, c.pending = c.pending[0], c.pending[1:]
	} else if raw, err = c.link.Conn.Receive(ctx); err != nil {
		return "", "", err
	}
	if strings.Contains(raw, "\t") || strings.ContainsFunc(raw, isStray) {
		c.judgeForm("response.ascii", raw)
	}
	return strings.TrimRight(cleanReply(raw), " "), raw, nil
}

// readReply waits for the response to a command. It returns as soon as the rest of the response
// cannot matter; a strict client waits for its end. Engines are known that answer genmove twice: the
// second response may come after the next command, and is passed over.
func (c *Client) readReply(ctx context.Context, word string) (reply, error) {
	r, err := c.readStatusLine(ctx)
	if err != nil {
		return r, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt)
	}
	command, _ := Find(word)
	if command.Result == Nothing && r.line() != "" && r.raw[0] == c.moved {
		c.judge("response.single", "%q after the response to %q", r.raw[0], GenMove)
		if r, err = c.readStatusLine(ctx); err != nil {
			return r, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt)
		}
	}
	c.moved = ""
	if word == GenMove {
		c.moved = r.raw[0]
	}
	switch shape := command.Result; {
	case shape == Lines && !r.failed:
		err = c.readRest(&r, maxLines)
	case shape == OneLine && r.text[0] == "":
		if err = c.readRest(&r, 1); len(r.text) > 1 {
			c.judgeForm("response.line", strings.Join(r.raw[:2], "\n"))
		}
	case c.strict:
		err = c.readRest(&r, 0)
	}
	if command.Result == Nothing && !r.failed && r.line() != "" {
		c.judgeForm("response.empty", r.raw[0])
	}
	return r, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt)
}

// readStatusLine waits for the first line of a response, which begins with "=" or "?".
func (c *Client) readStatusLine(ctx context.Context) (r reply, err error) {
	for range maxStray {
		line, raw, err := c.readLine(ctx)
		if err != nil {
			return r, err
		}
		line = strings.TrimLeft(line, " ")
		if !hasStatus(line) {
			c.judgeStray(raw)
			if err := pluginclient.StrangeReply(line, c.asked); err != nil && c.nameReply == "" {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeoutCause(ctx, pluginclient.StrangerGrace, err)
				defer cancel()
			}
			continue
		}
		text := strings.TrimLeft(line[1:], " ")
		if text != "" && line[1] != ' ' {
			c.judgeForm("response.blank", raw)
		}
		return reply{failed: line[0] == '?', text: []string{text}, raw: []string{raw}}, nil
	}
	return r, fmt.Errorf("%w: %d lines outside a response", pluginclient.ErrFlood, maxStray)
}

func hasStatus(line string) bool { return line != "" && (line[0] == '=' || line[0] == '?') }

// readRest reads the lines of a response after the first, up to the empty one. Lines beyond most
// are left unread.
func (c *Client) readRest(r *reply, most int) error {
	limit := lineTimeout
	if c.endless {
		limit = shortLineTimeout
	}
	for {
		ctx, cancel := context.WithTimeoutCause(c.link.Lifetime, limit, errLineTimeout)
		line, raw, err := c.readLine(ctx)
		cancel()
		switch {
		case errors.Is(err, errLineTimeout):
			c.judgeMissingEnd(*r)
			return nil
		case err != nil || line == "":
			return err
		case hasStatus(line) || len(r.text) > most:
			c.pending = append(c.pending, raw)
			c.judgeMissingEnd(*r)
			return nil
		}
		r.text, r.raw = append(r.text, line), append(r.raw, raw)
	}
}

// request sends a command that needs no search, and waits for its response.
func (c *Client) request(command string) (reply, error) {
	if err := c.send(pluginclient.Sent, command); err != nil {
		return reply{}, err
	}
	return c.awaitReply(fields(command)[0])
}

// execute is request for a command that must not fail.
func (c *Client) execute(command string) error {
	r, err := c.request(command)
	if err == nil && r.failed {
		err = fmt.Errorf("%w: %q answered with %q", pluginclient.ErrRefused, command, pluginclient.Excerpt(r.line()))
	}
	return err
}

// awaitReply waits for the response to a command that needs no search. An engine that does not respond to
// it, but still responds to name, is not lost: the error wraps ErrRefused. A response of few lines may
// still come before that to name.
func (c *Client) awaitReply(word string) (reply, error) {
	ctx, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
	defer cancel()
	r, err := c.readReply(ctx, word)
	if !errors.Is(err, pluginclient.ErrNoReply) || c.nameReply == "" {
		return r, err
	}
	var late []reply
	if c.ping(func(r reply) { late = append(late, r) }) != nil {
		return r, err
	}
	if command, _ := Find(word); len(late) > 0 && command.Result != Lines {
		return late[0], nil
	}
	c.engineGame = nil
	c.judge("response.given", "no response to %q, although it responds to name", c.link.Command)
	return r, fmt.Errorf("%w: no response, although it responds to name", pluginclient.ErrRefused)
}

// ping sends name and calls stray with every response before the one to it.
func (c *Client) ping(stray func(reply)) error {
	if err := c.send(pluginclient.Pinged, Name); err != nil {
		return err
	}
	ctx, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
	defer cancel()
	for range maxStray {
		r, err := c.readReply(ctx, Name)
		if err != nil || r.line() == c.nameReply {
			return err
		}
		stray(r)
	}
	return pluginclient.ErrFlood
}

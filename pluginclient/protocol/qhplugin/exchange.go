package qhplugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"qhsh/pluginclient"
)

const (
	maxUnexpected = 100_000 // lines that a plugin may send without need during one command
	maxNoted      = 10      // of them are judged

	// safeLine is the longest line in bytes that every known plugin reads as one line: one has a
	// buffer of 79 bytes.
	safeLine = 78
)

// An exchange is a command and what the plugin says until the next command. Pings belong to the
// exchange before them.
type exchange struct {
	c     *Client
	cmd   Command  // zero at the start, before the first command
	list  []string // the lines that follow a LOAD or BAN
	typed bool     // it is the user's own line, which may be wrong
	at    string   // the position of the latest search

	over       Word     // ABORT or TIMEOUT, if sent since
	isThinking bool     // AI or HINTS has not been answered
	moves      []string // the answer to AI or HINTS so far: moves, with the text after them
	odd        string   // a line that came instead of the answer, or ""
	repeated   string   // at the start: the last line before the second LEVEL, or ""
	pinged     bool     // a ping has been answered since
	further    int      // the number of lines behind the answer
}

// send begins an exchange. It first discards unread lines, which are no replies to it.
func (c *Client) send(lines ...string) error {
	c.x.unasked(c.link.Conn.Drain())
	cmd, _ := ParseCommand(lines[0])
	if cmd.Word == AI || cmd.Word == Hints || cmd.Word == FEN {
		c.noteBans(nil)
	}
	c.x = &exchange{c: c, cmd: cmd, list: lines[1:], at: c.x.at}
	if c.asAdded {
		return c.link.Send(pluginclient.Pinged, lines...)
	}
	c.link.Command, c.link.SentAt = lines[0], time.Now()
	return c.link.Send(pluginclient.Sent, lines...)
}

// order sends a command whose reply is OK or ERROR. What else a plugin says is an error, too.
func (c *Client) order(lines ...string) error {
	if err := c.send(lines...); err != nil {
		return err
	}
	answer, before, err := c.x.orderReply()
	if err == nil {
		c.x.judgeOrder(answer, before)
		if r := parseReply(answer); answer == "" {
			c.board = nil
			err = notAnswer(c.x.cmd, before[0])
		} else if r.word == Error {
			err = refused(r)
		}
	}
	if len(lines) > 1 && errors.Is(err, pluginclient.ErrRefused) {
		// It may have rejected the first line and executed the others as commands.
		err = cmp.Or(c.resync(), err)
	}
	return err
}

// orderReply waits for OK or ERROR, and returns the lines that have come before it, too. A plugin
// that says something else is asked for its level at once: if it has not answered by then, it
// does not, and the answer is empty.
func (x *exchange) orderReply() (answer string, before []string, err error) {
	ctx, cancel := x.c.link.WithDeadline(x.c.link.Deadlines.Reply)
	defer cancel()
	for answer == "" {
		if answer, err = x.c.link.Conn.Receive(ctx); err != nil {
			return "", nil, x.explainSilence(err)
		}
		if answer = strings.TrimSpace(answer); answer == "" {
			x.stray(x.cmd, "", reply{word: replyOther})
		}
	}
	isOrderReply := func(line string) bool {
		word := parseReply(line).word
		return word == OK || word == Error
	}
	if isOrderReply(answer) {
		return answer, nil, nil
	}
	more, err := x.readUntilPing()
	if err != nil {
		return "", nil, err
	}
	lines := append([]string{answer}, more...)
	at := slices.IndexFunc(lines, isOrderReply)
	if at < 0 {
		return "", lines, nil
	}
	x.unasked(lines[at+1:])
	return lines[at], lines[:at], nil
}

func refused(r reply) error {
	if r.text == "" {
		return fmt.Errorf("%w with ERROR", pluginclient.ErrRefused)
	}
	return fmt.Errorf("%w: %s", pluginclient.ErrRefused, excerpt(r.text))
}

func illegal(err error) error { return fmt.Errorf("%w: %w", pluginclient.ErrIllegal, err) }

// notAnswer returns the error for a line that came instead of an answer.
func notAnswer(cmd Command, line string) error {
	return fmt.Errorf("%w: not an answer to %s: %q", pluginclient.ErrInvalidReply, cmd.Word, excerpt(line))
}

// isNotAnswer reports whether a plugin has answered, but not with a valid answer.
func isNotAnswer(err error) bool {
	return errors.Is(err, pluginclient.ErrInvalidReply) && !errors.Is(err, pluginclient.ErrNoReply)
}

// explainSilence checks whether a plugin that has not answered a command has only ignored it. Then
// it is not lost, and the error wraps ErrRefused.
func (x *exchange) explainSilence(err error) error {
	err = x.c.explainTimeout(err, "")
	if !errors.Is(err, pluginclient.ErrNoReply) || errors.Is(err, pluginclient.ErrClosed) || x.c.resync() != nil {
		return err
	}
	x.c.board = nil
	if x.odd != "" {
		return notAnswer(x.cmd, x.odd)
	}
	x.onBoard(true)("plugin.answers", "no answer to %s, though LEVEL behind it is answered", excerpt(x.cmd.String()))
	return fmt.Errorf("%w: no answer, though it answers LEVEL", pluginclient.ErrRefused)
}

func (c *Client) explainTimeout(err error, odd string) error {
	return c.link.Conn.ExplainTimeout(err, odd, excerpt)
}

// resync sends a ping with the deadline of an ordinary command.
func (c *Client) resync() error {
	ctx, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
	defer cancel()
	return c.ping(ctx)
}

// ping sends LEVEL, which every plugin must answer, and discards all lines before the number.
func (c *Client) ping(ctx context.Context) error {
	c.x.unasked(c.link.Conn.Drain())
	if err := c.sendPing(); err != nil {
		return err
	}
	level, err := c.x.pong(ctx)
	if err != nil {
		return err
	}
	c.x.pinged = true
	if !c.quirks.levelCount {
		c.x.judgeLevel(level, nil)
	}
	return nil
}

// sendPing sends a ping, and counts those whose answers are to come.
func (c *Client) sendPing() error {
	err := c.link.Send(pluginclient.Pinged, string(Level))
	if err == nil {
		c.pings++
	}
	return err
}

// pong waits for the number that answers a ping.
func (x *exchange) pong(ctx context.Context) (level int, err error) {
	r, err := x.receive(ctx, replyNumber)
	if err == nil {
		x.c.pings--
	}
	return r.number, err
}

// pongWithin is pong with a limit on the time.
func (x *exchange) pongWithin(ctx context.Context, limit time.Duration) (level int, err error) {
	ctx, cancel := pluginclient.WithDeadline(ctx, limit)
	defer cancel()
	return x.pong(ctx)
}

// readUntilPing sends a ping and returns all lines before its reply: the answer to a command whose
// answer has no end marker.
func (x *exchange) readUntilPing() (lines []string, err error) {
	if err := x.c.sendPing(); err != nil {
		return nil, err
	}
	ctx, cancel := x.c.link.WithDeadline(x.c.link.Deadlines.Reply)
	defer cancel()
	for len(lines) < maxUnexpected {
		line, err := x.c.link.Conn.Receive(ctx)
		if err != nil {
			return lines, x.c.explainTimeout(err, "")
		}
		if x.endsPing(line) {
			x.pinged = true
			return lines, nil
		}
		lines = append(lines, line)
	}
	return lines, fmt.Errorf("%w: %d lines", pluginclient.ErrFlood, len(lines))
}

// endsPing reports whether a line is the answer to a ping, which may come late.
func (x *exchange) endsPing(line string) bool {
	if x.c.pings == 0 || parseReply(line).word != replyNumber {
		return false
	}
	x.c.pings--
	return true
}

// interrupt sends a command that has no answer of its own. The answer that is awaited may cross
// it, so lines that have arrived are kept.
func (x *exchange) interrupt(word Word) error {
	x.over = word
	return x.c.link.Send(pluginclient.Sent, string(word))
}

// receive waits for one of the wanted replies. Other lines are judged and ignored, up to one that
// was meant as the reply, so that no other will follow.
func (x *exchange) receive(ctx context.Context, want ...Word) (reply, error) {
	ping := slices.Equal(want, []Word{replyNumber}) // behind the exchange's own command, or at the start
	awaited := x.cmd
	switch {
	case ping:
		awaited = Command{Word: Level}
	case x.over != "":
		awaited = Command{Word: x.over}
	}
	odd := ""
	for stray := 0; ; stray++ {
		line, err := x.c.link.Conn.Receive(ctx)
		if err != nil {
			return reply{}, x.c.explainTimeout(err, odd)
		}
		r := parseReply(line)
		if slices.Contains(want, r.word) {
			x.form(line, r)
			return r, nil
		}
		odd = line
		ends := (x.cmd.Word == AI || x.cmd.Word == Hints) && isSpoiled(line)
		if ping {
			ends = x.cmd.Word == "" && (spoiledLevel().MatchString(line) || line != "" && line == x.repeated)
		}
		isCrossing := x.over == Abort && x.cmd.Word == Hints && r.word == replyMove // a list that crosses ABORT
		switch {
		case stray >= maxNoted:
		case ping && ends:
			x.fault("level.current", "not an answer to LEVEL: %q", excerpt(line))
		case ping:
			if x.cmd.Word == "" {
				x.odd = line
			}
			x.unasked([]string{line})
		case x.endsPing(line) || isCrossing:
		default:
			if r.word != replyOther || isSpoiled(line) {
				x.odd = line
			}
			x.stray(awaited, line, r)
		}
		switch {
		case ends:
			return reply{}, notAnswer(awaited, line)
		case stray >= maxUnexpected:
			return reply{}, fmt.Errorf("%w: %d lines that are no answer", pluginclient.ErrFlood, stray)
		}
	}
}

package qhplugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/pluginclient"
)

// maxUnexpected is how many unexpected lines a plugin may send during one command.
const maxUnexpected = 100_000

// maxNoted is how many of them are noted in the trace.
const maxNoted = 10

// safeLine is the longest line in bytes that every known plugin reads as one line: one has a buffer of
// 79 bytes.
const safeLine = 78

// command sends a command whose reply is OK or ERROR.
func (c *Client) command(lines ...string) error {
	if err := c.send(pluginclient.Sent, lines...); err != nil {
		return err
	}
	err := c.awaitOK()
	if len(lines) > 1 && errors.Is(err, pluginclient.ErrRefused) {
		// It may have rejected the first line and executed the others as commands.
		return cmp.Or(c.resync(), err)
	}
	return err
}

func (c *Client) awaitOK() error {
	answer, before, err := c.orderReply()
	switch {
	case err != nil:
		return err
	case answer == "":
		c.board = nil
		c.judge.notReply(c.asked, before[0])
		return notAnswer(c.asked, before[0])
	}
	r := parseReply(answer)
	c.judge.form(c.asked, answer, r)
	c.judge.chatter(c.asked, before)
	if r.word == Error {
		id, _ := strconv.Atoi(c.asked.Arg)
		c.judge.refusal(c.asked, c.asked.Word != Level || c.hasLevel(id)) // typed calls send only valid commands
		return refused(r)
	}
	return nil
}

// orderReply waits for OK or ERROR, and returns the lines that have come before it, too. A plugin
// that says something else is asked for its level at once: if it has not answered by then, it
// does not, and the answer is empty.
func (c *Client) orderReply() (answer string, before []string, err error) {
	ctx, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
	defer cancel()
	line := ""
	for line == "" {
		if line, err = c.link.Conn.Receive(ctx); err != nil {
			return "", nil, c.checkResponsive(c.explainTimeout(err, ""))
		}
		if line = strings.TrimSpace(line); line == "" {
			c.unexpected++
			c.judge.stray(c.asked, line, reply{word: replyOther})
		}
	}
	if isOrderReply(line) {
		return line, nil, nil
	}
	more, err := c.readUntilPing()
	if err != nil {
		return "", nil, err
	}
	lines := append([]string{line}, more...)
	c.unexpected += len(lines)
	at := slices.IndexFunc(lines, isOrderReply)
	if at < 0 {
		return "", lines, nil
	}
	c.unasked(lines[at+1:])
	return lines[at], lines[:at], nil
}

// isOrderReply reports whether a line is OK or ERROR.
func isOrderReply(line string) bool {
	word := parseReply(line).word
	return word == OK || word == Error
}

func refused(r reply) error {
	if r.text == "" {
		return fmt.Errorf("%w with ERROR", pluginclient.ErrRefused)
	}
	return fmt.Errorf("%w: %s", pluginclient.ErrRefused, excerpt(r.text))
}

func illegal(err error) error { return fmt.Errorf("%w: %w", pluginclient.ErrIllegal, err) }

// checkResponsive checks whether a plugin that has not answered a command has only ignored it. Then
// it is not lost, and the error wraps ErrRefused.
func (c *Client) checkResponsive(err error) error {
	if !errors.Is(err, pluginclient.ErrNoReply) || errors.Is(err, pluginclient.ErrClosed) || c.resync() != nil {
		return err
	}
	c.board = nil
	if c.odd != "" {
		return notAnswer(c.asked, c.odd)
	}
	c.judge.unanswered(c.asked)
	return fmt.Errorf("%w: no answer, though it answers LEVEL", pluginclient.ErrRefused)
}

// resync sends a ping with the deadline of an ordinary command.
func (c *Client) resync() error {
	ctx, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
	defer cancel()
	_, err := c.ping(ctx)
	return err
}

// ping sends LEVEL, which every plugin must answer, and discards all lines before the number.
func (c *Client) ping(ctx context.Context) (level int, err error) {
	if err := c.send(pluginclient.Pinged, string(Level)); err != nil {
		return 0, err
	}
	c.pings++
	r, err := c.receive(ctx, replyNumber)
	if err != nil {
		return 0, err
	}
	c.pings--
	c.pinged = true
	if !c.quirks.levelCount {
		c.judge.level(r.number, c.accepted, nil)
	}
	return r.number, err
}

// numberWithin waits for the reply to a ping.
func (c *Client) numberWithin(ctx context.Context, limit time.Duration) (level int, err error) {
	ctx, cancel := pluginclient.WithDeadline(ctx, limit)
	defer cancel()
	r, err := c.receive(ctx, replyNumber)
	return r.number, err
}

// readUntilPing sends a ping and returns all lines before its reply: the answer to a command whose
// answer has no end marker.
func (c *Client) readUntilPing() ([]string, error) {
	if err := c.link.Send(pluginclient.Pinged, string(Level)); err != nil {
		return nil, err
	}
	c.pings++
	ctx, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
	defer cancel()
	var lines []string
	for len(lines) < maxUnexpected {
		line, err := c.link.Conn.Receive(ctx)
		if err != nil {
			return lines, c.explainTimeout(err, "")
		}
		if c.endsPing(line) {
			c.pinged = true
			return lines, nil
		}
		lines = append(lines, line)
	}
	return lines, fmt.Errorf("%w: %d lines", pluginclient.ErrFlood, len(lines))
}

// send sends a command. It first discards unread lines, which are no replies to it.
func (c *Client) send(dir pluginclient.Direction, lines ...string) error {
	c.unasked(c.link.Conn.Drain())
	if c.asAdded {
		dir = pluginclient.Pinged
	}
	cmd, _ := ParseCommand(lines[0])
	if cmd.Word == AI || cmd.Word == Hints || cmd.Word == FEN {
		c.noteBans(nil)
	}
	if dir == pluginclient.Sent {
		c.link.Command, c.link.SentAt = lines[0], time.Now()
	}
	if dir == pluginclient.Sent || c.asAdded {
		c.asked, c.over, c.odd, c.pinged = cmd, "", "", false
	}
	return c.link.Send(dir, lines...)
}

// endsPing reports whether a line is the answer to a ping, which may come late.
func (c *Client) endsPing(line string) bool {
	if c.pings == 0 || parseReply(line).word != replyNumber {
		return false
	}
	c.pings--
	return true
}

// unasked judges lines that arrived without a command.
func (c *Client) unasked(lines []string) {
	var further []string // answers to what has been answered
	for _, line := range lines {
		if c.endsPing(line) {
			continue
		}
		c.unexpected++
		switch r := parseReply(line); {
		case c.pinged && r.word == replyNumber && c.asked.Word != Level:
			c.judge.again(Command{Word: Level}, line)
		case c.asked.Word == "" && !c.isGreeted:
			c.judge.early(line)
		case r.word == replyOther || r.word == Aborted:
			c.judge.unasked(c.latest(), line)
		default:
			further = append(further, line)
		}
	}
	if len(further) > 0 {
		c.judge.further(c.latest(), further)
	}
}

// latest is the latest command, which may be the first ping.
func (c *Client) latest() Command {
	if c.asked.Word == "" {
		return Command{Word: Level}
	}
	return c.asked
}

// sendInterrupt sends a command that has no answer of its own. The answer that is awaited may cross
// it, so lines that have arrived are kept.
func (c *Client) sendInterrupt(word Word) error {
	c.over = word
	return c.link.Send(pluginclient.Sent, string(word))
}

// receive waits for one of the wanted replies. Other lines are recorded and ignored.
func (c *Client) receive(ctx context.Context, want ...Word) (reply, error) {
	odd := ""
	ping := slices.Equal(want, []Word{replyNumber})
	for stray := 0; ; stray++ {
		line, err := c.link.Conn.Receive(ctx)
		if err != nil {
			return reply{}, c.explainTimeout(err, odd)
		}
		r := parseReply(line)
		if slices.Contains(want, r.word) {
			c.judge.form(c.asked, line, r)
			return r, nil
		}
		c.unexpected++
		odd = line
		if stray < maxNoted {
			c.noteStray(ping, line, r)
		}
		if c.ends(ping, line) {
			return reply{}, notAnswer(c.awaited(ping), line)
		}
		if stray >= maxUnexpected {
			return reply{}, fmt.Errorf("%w: %d lines that are no answer", pluginclient.ErrFlood, stray)
		}
	}
}

// noteStray judges a line that is not the awaited reply. A ping follows another command, or none.
func (c *Client) noteStray(ping bool, line string, r reply) {
	isCrossing := c.over == Abort && c.asked.Word == Hints && r.word == replyMove // a list that crosses ABORT
	switch {
	case !ping && (c.endsPing(line) || isCrossing):
		return
	case ping && c.ends(ping, line):
		c.judge.fault("level.current", "not an answer to LEVEL: %q", excerpt(line))
		return
	case ping:
		if c.asked.Word == "" {
			c.odd = line
		}
		c.unasked([]string{line})
		c.unexpected--
		return
	}
	if r.word != replyOther || isSpoiled(line) {
		c.odd = line
	}
	c.judge.stray(c.awaited(ping), line, r)
}

// awaited returns the command whose reply is awaited.
func (c *Client) awaited(ping bool) Command {
	switch {
	case ping:
		return Command{Word: Level}
	case c.over != "":
		return Command{Word: c.over}
	}
	return c.asked
}

// ends reports whether an invalid line was meant as the reply, so that no other will follow.
func (c *Client) ends(ping bool, line string) bool {
	if ping {
		return c.asked.Word == "" && (spoiledLevel().MatchString(line) || line != "" && line == c.wrongLevel)
	}
	return (c.asked.Word == AI || c.asked.Word == Hints) && isSpoiled(line)
}

// explainTimeout returns an error that says what the plugin sent instead of a reply.
func (c *Client) explainTimeout(err error, odd string) error {
	return c.link.Conn.ExplainTimeout(err, odd, excerpt)
}

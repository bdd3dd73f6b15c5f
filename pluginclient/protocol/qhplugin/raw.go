package qhplugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// Raw sends a command byte for byte, LOAD and BAN with their lines after line feeds,
// and answers what the plugin says to it. Where an answer has no end mark (SCR, words
// that the protocol does not know) or should not be (ABORT, TIMEOUT) a ping finds its
// end. A plugin that has died is not started again by Raw. One that a typed call has
// left at another board or level than the conversation's is brought back to them first,
// by lines that are marked as added. LOAD and BAN without the lines that they announce
// are not sent: the plugin would take what comes next for them.
//
// The board and the level follow what the plugin has accepted. Where that cannot be, as
// an OK to an illegal PLAY, there is an error beside the answer. While AI or HINTS is
// under way, a context that ends with engine.ErrMoveNow sends TIMEOUT and any other
// cause ABORT. They are sent behind AI or HINTS even where the context has ended before
// it could be sent.
func (c *Client) Raw(ctx context.Context, text string) ([]string, error) {
	lines := strings.Split(text, "\n")
	cmd, _ := ParseCommand(lines[0])
	do := func(ctx context.Context) ([]string, error) {
		if err := c.link.CheckRunning(); err != nil {
			return nil, err
		}
		if err := checkLines(cmd, lines[1:]); err != nil {
			return nil, err
		}
		if err := c.restoreState(); err != nil {
			return nil, err
		}
		switch cmd.Word {
		case AI, Hints:
			answer, err := c.rawThink(ctx, cmd, text)
			if pluginclient.Lost(err) {
				return answer, err
			}
			return answer, cmp.Or(err, c.unbanAfterUser())
		case Quit:
			return c.rawQuit(lines)
		case Level, FEN, Play, Load, Undo, Ban, BGThink:
			return c.rawCommand(cmd, lines)
		}
		if err := c.send(pluginclient.Sent, lines...); err != nil {
			return nil, err
		}
		return c.readUntilPing()
	}
	if cmd.Word == AI || cmd.Word == Hints {
		return pluginclient.CallAlways(ctx, c.link, do)
	}
	return pluginclient.Call(ctx, c.link, do)
}

// checkLines makes sure that LOAD and BAN come with their lines. A count that makes no sense
// announces none.
func checkLines(cmd Command, lines []string) error {
	if cmd.Word != Load && cmd.Word != Ban {
		return nil
	}
	n, err := cmd.Count()
	if err != nil || n == len(lines) {
		return nil //nolint:nilerr // see above
	}
	due := fmt.Sprintf("%d lines have", n)
	if n == 1 {
		due = "1 line has"
	}
	return fmt.Errorf("%v: %s to come with it, not %d, so nothing was sent", cmd, due, len(lines))
}

// restoreState brings the plugin back to the conversation's level and board.
func (c *Client) restoreState() error {
	if !c.stateStale {
		return nil
	}
	c.asAdded = true
	defer func() { c.asAdded = false }()
	if err := c.useLevel(0); err != nil {
		return err
	}
	if err := c.setBoard(c.current()); err != nil {
		return err
	}
	c.stateStale = false
	return nil
}

// rawCommand sends a command that is answered with one line, in principle: a plugin may
// answer a line that is too long for it twice, and may refuse the first line of a list
// and then every other.
func (c *Client) rawCommand(cmd Command, lines []string) ([]string, error) {
	if err := c.send(pluginclient.Sent, lines...); err != nil {
		return nil, err
	}
	ctx, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
	defer cancel()
	line, err := c.link.Conn.Receive(ctx)
	if err != nil {
		return nil, c.checkResponsive(c.explainTimeout(err, ""))
	}
	accepted := parseReply(line).word == OK
	var doubt error
	if accepted {
		doubt = c.applyRaw(cmd, lines[1:])
	}
	if len(lines[0]) <= safeLine && (accepted || len(lines) == 1) {
		return []string{line}, doubt
	}
	more, err := c.readUntilPing()
	if err == nil {
		err = doubt
	}
	return append([]string{line}, more...), err
}

// applyRaw does on this side's board what the plugin has accepted. The error is that of
// something that it should not have accepted.
func (c *Client) applyRaw(cmd Command, lines []string) error {
	switch cmd.Word {
	case Level:
		if id, err := strconv.Atoi(cmd.Arg); err == nil {
			c.noteLevel(id)
		}
	case Ban:
		c.banned = len(lines) > 0
		c.noteBans(lines)
	case BGThink:
		c.noteBGThink(strings.EqualFold(cmd.Arg, "ON"))
	case FEN, Play, Load, Undo:
		return c.applyRawBoard(cmd, lines)
	}
	return nil
}

func (c *Client) applyRawBoard(cmd Command, lines []string) error {
	pos, err := c.boardAfter(cmd, lines)
	if err != nil {
		c.board = nil
		return fmt.Errorf("%w: OK, but %w", pluginclient.ErrInvalidReply, err)
	}
	c.setBothBoards(pos)
	return nil
}

// boardAfter is the board boardAfter a command.
func (c *Client) boardAfter(cmd Command, lines []string) (*xiangqi.Position, error) {
	pos := c.current()
	switch cmd.Word {
	case FEN:
		return xiangqi.ParseFEN(cmd.Arg)
	case Undo:
		if before := pos.Before(); before != nil {
			return before, nil
		}
		return nil, errors.New("there is no move to take back")
	case Play:
		lines = []string{cmd.Arg}
	}
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	game, bad := playAll([]*xiangqi.Position{pos}, lines)
	switch {
	case bad != nil && cmd.Word == Play:
		return nil, bad.reason
	case bad != nil:
		return nil, bad
	}
	return game[len(game)-1], nil
}

// rawThink sends AI or HINTS and waits for the answer.
func (c *Client) rawThink(ctx context.Context, cmd Command, text string) ([]string, error) {
	pos := c.current()
	if cmd.Word == AI {
		c.board = nil
	}
	answer, err := c.think(ctx, question{pos: pos}, cmd.Word, text)
	switch {
	case errors.Is(err, pluginclient.ErrRefused):
		return c.lastReceived(), nil
	case err != nil:
		return nil, err
	case cmd.Word == Hints:
		return append(answer, string(EndHints)), nil
	}
	line, err := parseHint(pos, answer[0])
	if err != nil {
		return answer, err
	}
	return answer, c.applyMove(pos, line.Move())
}

// lastReceived is the plugin's last line as it came.
func (c *Client) lastReceived() []string {
	last := c.link.Trace.Last(1, func(e pluginclient.Entry) bool { return e.Dir == pluginclient.Received })
	return []string{last[0].Text}
}

// rawQuit sends QUIT and reads what is said until the plugin has ended.
func (c *Client) rawQuit(lines []string) ([]string, error) {
	if err := c.send(pluginclient.Sent, lines...); err != nil {
		return nil, err
	}
	return c.link.ReadUntilExit(), nil
}

// unbanAfterUser lifts a ban that a user has set and that has done its work, if the plugin
// keeps bans for longer than that.
func (c *Client) unbanAfterUser() error {
	if !c.quirks.banKeeps || !c.banned {
		return nil
	}
	c.banned, c.asAdded = false, true
	defer func() { c.asAdded = false }()
	return c.unban()
}

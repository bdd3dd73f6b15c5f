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

// Raw sends a command unchanged, LOAD and BAN with their lines separated by line feeds, and returns the
// plugin's reply. A ping is sent to find the end of a reply without an end marker (SCR, unknown
// commands) or of a missing reply (ABORT, TIMEOUT). Raw does not restart a plugin that has died. If
// another call has left the plugin at another position or level, Raw first restores them, by lines that
// the trace marks as added. LOAD and BAN without all their lines are an error and are not sent, since
// the plugin would read the next commands as their lines.
//
// Raw updates the position and level when the plugin accepts a command. If that is impossible, such as
// after OK to an illegal PLAY, it returns an error together with the reply. During AI or HINTS, Raw
// sends TIMEOUT if ctx ends with engine.ErrMoveNow, and ABORT for any other cause. AI or HINTS is sent
// even if ctx has already ended, followed by TIMEOUT or ABORT.
func (c *Client) Raw(ctx context.Context, text string) ([]string, error) {
	lines := strings.Split(text, "\n")
	cmd, _ := ParseCommand(lines[0])
	searches := cmd.Word == AI || cmd.Word == Hints
	return pluginclient.CallRaw(ctx, c.link, searches, func(ctx context.Context) (answer []string, err error) {
		if n, err := cmd.Count(); err == nil && n != len(lines)-1 && (cmd.Word == Load || cmd.Word == Ban) {
			due := fmt.Sprintf("%d lines have", n)
			if n == 1 {
				due = "1 line has"
			}
			return nil, fmt.Errorf("%v: %s to come with it, not %d, so nothing was sent", cmd, due, len(lines)-1)
		}
		if c.stateStale {
			err := c.added(func() error {
				if err := c.useLevel(0); err != nil {
					return err
				}
				return c.setBoard(c.current())
			})
			if err != nil {
				return nil, err
			}
			c.stateStale = false
		}
		switch cmd.Word {
		case AI, Hints:
			answer, err = c.rawThink(ctx, cmd, text)
			if c.quirks.banKeeps && c.banned && !pluginclient.Lost(err) {
				c.banned = false
				err = cmp.Or(err, c.added(c.unban))
			}
		case Level, FEN, Play, Load, Undo, Ban, BGThink:
			answer, err = c.rawOrder(lines)
		default:
			answer, err = c.rawOther(lines)
		}
		if !pluginclient.Lost(err) && c.link.Conn != nil {
			c.x.unasked(c.link.Conn.Drain()) // lines after the answer
		}
		return answer, err
	})
}

// added runs do, whose commands the trace marks as added: they are not the user's.
func (c *Client) added(do func() error) error {
	c.asAdded = true
	defer func() { c.asAdded = false }()
	return do()
}

// rawOrder sends a command that is answered with one line. However, a plugin may answer an
// overlong line twice, and may reject the first line of a list and then every other.
func (c *Client) rawOrder(lines []string) ([]string, error) {
	if err := c.send(lines...); err != nil {
		return nil, err
	}
	x := c.x
	x.typed = true
	if x.cmd.Word == Level && x.cmd.Arg == "" {
		ctx, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
		defer cancel()
		line, err := c.link.Conn.Receive(ctx)
		if err != nil {
			return nil, x.explainSilence(err)
		}
		switch r := parseReply(line); {
		case r.word != replyNumber:
			x.notReply(x.cmd, line)
		case !c.quirks.levelCount:
			x.judgeLevel(r.number, c.info.Levels)
		}
		return []string{line}, nil
	}
	line, before, err := x.orderReply()
	if err != nil {
		return nil, err
	}
	x.judgeOrder(line, before)
	if line == "" {
		return before, nil
	}
	accepted := parseReply(line).word == OK
	var doubt error
	if accepted {
		doubt = x.follow()
	}
	if len(lines[0]) <= safeLine && (accepted || len(lines) == 1) {
		return []string{line}, doubt
	}
	more, err := x.readUntilPing()
	x.unasked(more)
	return append([]string{line}, more...), cmp.Or(err, doubt)
}

// rawOther sends QUIT, or a command whose answer has no end.
func (c *Client) rawOther(lines []string) ([]string, error) {
	if err := c.send(lines...); err != nil {
		return nil, err
	}
	x := c.x
	if x.cmd.Word == Quit {
		p := c.link.ReadUntilExit()
		x.parting(p, false)
		return p.Lines, nil
	}
	answer, err := x.readUntilPing()
	switch {
	case x.cmd.Word == Scr:
		if difference, _ := CompareScreen(c.current(), answer); difference != "" {
			x.tell(pluginclient.Warning, true, "scr.board", "SCR draws another board than the conversation's: %s", difference)
		}
	case len(answer) == 0:
	case strings.TrimSpace(answer[0]) == "":
		x.unasked(answer[:1])
	case x.cmd.Word == Abort, x.cmd.Word == Timeout:
		rule := strings.ToLower(string(x.cmd.Word)) + ".silent"
		x.fault(rule, "%s is answered with %q, though nothing was thought about", x.cmd.Word, excerpt(answer[0]))
	}
	return answer, err
}

// rawThink sends AI or HINTS and waits for the answer.
func (c *Client) rawThink(ctx context.Context, cmd Command, text string) ([]string, error) {
	pos := c.current()
	if cmd.Word == AI {
		c.board = nil
	}
	answer, err := c.think(ctx, searchRequest{pos: pos, banned: c.Bans()}, text)
	switch {
	case errors.Is(err, pluginclient.ErrRefused):
		last := c.link.Trace.Last(1, func(e pluginclient.Entry) bool { return e.Dir == pluginclient.Received })
		return []string{last[0].Text}, nil // unchanged
	case err != nil:
		return nil, err
	case cmd.Word == Hints:
		return append(answer, string(EndHints)), nil
	}
	line, err := parseHint(pos, answer[0])
	if err != nil {
		return answer, err
	}
	next, err := pos.PlayMove(xiangqi.Move(line.Move()))
	if err != nil {
		return answer, illegal(err)
	}
	c.setBothBoards(next)
	return answer, nil
}

// follow applies a command that the plugin has accepted to the conversation. It returns an error
// if the plugin should have rejected it.
func (x *exchange) follow() error {
	c := x.c
	switch x.cmd.Word {
	case Level:
		if id, err := strconv.Atoi(x.cmd.Arg); err == nil {
			c.noteLevel(id)
		}
		return nil
	case Ban:
		c.banned = len(x.list) > 0
		c.noteBans(x.list)
		return nil
	case BGThink:
		c.noteBGThink(strings.EqualFold(x.cmd.Arg, "ON"))
		return nil
	}
	pos, err := x.boardAfter()
	if err != nil {
		c.board = nil
		doubted := c.InDoubt()
		rule := map[Word]string{FEN: "fen.illegal", Play: "play.illegal", Load: "load.illegal", Undo: "undo.start"}[x.cmd.Word]
		x.doubt(rule, "OK to %s, but %v", excerpt(x.cmd.String()), err)
		if doubted {
			return nil
		}
		return fmt.Errorf("%w: OK, but %w", pluginclient.ErrInvalidReply, err)
	}
	if x.cmd.Word == FEN {
		c.noteDoubt(false)
	}
	c.setBothBoards(pos)
	return nil
}

func (x *exchange) boardAfter() (*xiangqi.Position, error) {
	pos, moves := x.c.current(), x.list
	switch x.cmd.Word {
	case FEN:
		return xiangqi.ParseFEN(x.cmd.Arg)
	case Undo:
		if before := pos.Before(); before != nil {
			return before, nil
		}
		return nil, errors.New("there is no move to take back")
	case Play:
		moves = []string{x.cmd.Arg}
	}
	game, bad := playAll([]*xiangqi.Position{pos}, moves)
	switch {
	case bad != nil && x.cmd.Word == Play:
		return nil, bad.reason
	case bad != nil:
		return nil, bad
	}
	return game[len(game)-1], nil
}

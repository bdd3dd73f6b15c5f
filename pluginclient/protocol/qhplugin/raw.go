package qhplugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
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
		answer, err := c.rawSent(ctx, cmd, text, lines)
		if !pluginclient.Lost(err) && c.link.Conn != nil {
			c.unasked(c.link.Conn.Drain()) // lines after the answer
		}
		return answer, err
	}
	if cmd.Word == AI || cmd.Word == Hints {
		return pluginclient.CallAlways(ctx, c.link, do)
	}
	return pluginclient.Call(ctx, c.link, do)
}

// rawSent sends a command and returns its answer.
func (c *Client) rawSent(ctx context.Context, cmd Command, text string, lines []string) ([]string, error) {
	switch cmd.Word {
	case AI, Hints:
		answer, err := c.rawThink(ctx, cmd, text)
		if pluginclient.Lost(err) {
			return answer, err
		}
		return answer, cmp.Or(err, c.unbanAfterUser())
	case Quit:
		if err := c.send(pluginclient.Sent, lines...); err != nil {
			return nil, err
		}
		p := c.link.ReadUntilExit()
		c.judgeParting(p)
		return p.Lines, nil
	case Level, FEN, Play, Load, Undo, Ban, BGThink:
		return c.rawCommand(cmd, lines)
	}
	if err := c.send(pluginclient.Sent, lines...); err != nil {
		return nil, err
	}
	answer, err := c.readUntilPing()
	switch {
	case cmd.Word == Scr:
		c.judge.screen(c.current(), answer)
	case len(answer) == 0:
	case strings.TrimSpace(answer[0]) == "":
		c.unasked(answer[:1])
	case cmd.Word == Abort:
		c.judge.fault("abort.silent", "ABORT is answered with %q, though nothing was thought about", excerpt(answer[0]))
	case cmd.Word == Timeout:
		c.judge.fault("timeout.silent", "TIMEOUT is answered with %q, though nothing was thought about", excerpt(answer[0]))
	}
	return answer, err
}

// checkLines returns an error unless LOAD and BAN come with all their lines. An invalid count
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

// restoreState restores the conversation's level and position.
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

// rawCommand sends a command that is answered with one line. However, a plugin may answer an
// overlong line twice, and may reject the first line of a list and then every other.
func (c *Client) rawCommand(cmd Command, lines []string) ([]string, error) {
	if err := c.send(pluginclient.Sent, lines...); err != nil {
		return nil, err
	}
	if cmd.Word == Level && cmd.Arg == "" {
		return c.rawLevel(cmd)
	}
	line, before, err := c.orderReply()
	if err != nil {
		return nil, err
	}
	c.judgeOrder(cmd, lines[1:], line, before)
	if line == "" {
		return before, nil
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
	c.unasked(more)
	return append([]string{line}, more...), err
}

// rawLevel reads the answer to LEVEL without a number.
func (c *Client) rawLevel(cmd Command) ([]string, error) {
	ctx, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
	defer cancel()
	line, err := c.link.Conn.Receive(ctx)
	if err != nil {
		return nil, c.checkResponsive(c.explainTimeout(err, ""))
	}
	switch r := parseReply(line); {
	case r.word != replyNumber:
		c.odd = line
		c.judge.notReply(cmd, line)
	case !c.quirks.levelCount:
		c.judge.level(r.number, c.accepted, c.info.Levels)
	}
	return []string{line}, nil
}

// judgeOrder judges the answer to a command that is answered with OK or ERROR, and the lines
// before it.
func (c *Client) judgeOrder(cmd Command, lines []string, line string, before []string) {
	if cmd.Word == Level {
		c.accepted = 0
	}
	if line == "" {
		c.odd = before[0]
		c.judge.notReply(cmd, before[0])
		return
	}
	c.judge.chatter(cmd, before)
	r := parseReply(line)
	c.judge.form(cmd, line, r)
	id, err := strconv.Atoi(cmd.Arg)
	switch {
	case r.word == Error:
		c.judge.refusal(cmd, c.isRight(cmd, lines))
	case cmd.Word == Level && err == nil && len(c.info.Levels) > 0 && !c.hasLevel(id):
		c.judge.fault("level.range", "OK to %s, and the info block lists %s", cmd, listLevels(c.info.Levels))
	}
}

// isRight reports whether a plugin must accept a command, as far as the client knows.
func (c *Client) isRight(cmd Command, lines []string) bool {
	switch cmd.Word {
	case Level:
		id, err := strconv.Atoi(cmd.Arg)
		return err == nil && c.hasLevel(id)
	case Ban:
		n, err := cmd.Count()
		return err == nil && n == len(lines) && c.info.Rules && !slices.ContainsFunc(lines, func(line string) bool { return !isExactMove(strings.TrimSpace(line)) })
	case BGThink:
		return c.info.BGThink && (strings.EqualFold(cmd.Arg, "ON") || strings.EqualFold(cmd.Arg, "OFF"))
	case Undo:
		return c.info.Undo && c.current().Before() != nil
	case FEN:
		pos, err := xiangqi.ParseFEN(cmd.Arg)
		return err == nil && pos.WireFEN() == strings.TrimSpace(cmd.Arg)
	case Play:
		if !isExactMove(cmd.Arg) {
			return false
		}
	case Load:
		if n, err := cmd.Count(); err != nil || n != len(lines) {
			return false
		}
	}
	_, err := c.boardAfter(cmd, slices.Clone(lines))
	return err == nil
}

// applyRaw applies a command that the plugin has accepted to the conversation. It returns an error
// if the plugin should have rejected it.
func (c *Client) applyRaw(cmd Command, lines []string) error {
	switch cmd.Word {
	case Level:
		if id, err := strconv.Atoi(cmd.Arg); err == nil {
			c.noteLevel(id)
			c.accepted = id
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

// acceptedRule are the rules by which a plugin has to refuse what is wrong.
var acceptedRule = map[Word]string{FEN: "fen.illegal", Play: "play.illegal", Load: "load.illegal", Undo: "undo.start"}

func (c *Client) applyRawBoard(cmd Command, lines []string) error {
	pos, err := c.boardAfter(cmd, lines)
	if err != nil {
		c.board = nil
		doubted := c.InDoubt()
		c.judge.onBoards(acceptedRule[cmd.Word], "OK to %s, but %v", excerpt(cmd.String()), err)
		if doubted {
			return nil
		}
		return fmt.Errorf("%w: OK, but %w", pluginclient.ErrInvalidReply, err)
	}
	if cmd.Word == FEN {
		c.noteDoubt(false)
	}
	c.setBothBoards(pos)
	return nil
}

// boardAfter returns the position after a command.
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
	pos, banned := c.current(), c.Bans()
	if cmd.Word == AI {
		c.board = nil
	}
	answer, err := c.think(ctx, searchRequest{pos: pos}, cmd.Word, text)
	switch {
	case errors.Is(err, pluginclient.ErrRefused):
		return c.lastReceived(), nil
	case err != nil:
		return nil, err
	case cmd.Word == Hints:
		c.judge.hints(pos, answer, banned)
		return append(answer, string(EndHints)), nil
	}
	c.judge.move(pos, answer[0], banned)
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

// lastReceived returns the plugin's last line, unchanged.
func (c *Client) lastReceived() []string {
	last := c.link.Trace.Last(1, func(e pluginclient.Entry) bool { return e.Dir == pluginclient.Received })
	return []string{last[0].Text}
}

// unbanAfterUser clears a ban of the user after its search, if the plugin keeps bans too long.
func (c *Client) unbanAfterUser() error {
	if !c.quirks.banKeeps || !c.banned {
		return nil
	}
	c.banned, c.asAdded = false, true
	defer func() { c.asAdded = false }()
	return c.unban()
}

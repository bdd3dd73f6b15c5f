package uci

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// Raw sends text unchanged, one or several lines separated by line feeds, and returns the engine's
// reply: after "go" all lines up to the best move, otherwise all lines up to the reply to a ping,
// which the trace marks as added. Raw does not restart an engine that has died. If a search has
// left the engine at another position, Raw first sends the conversation's position.
//
// A "go" has no deadline. If ctx ends with engine.ErrMoveNow, Raw sends "stop" and returns the
// reply; with any other cause it sends "stop" and returns the cause. The "go" is sent even if ctx
// has already ended. During a "go" or a Search, Raw of "stop" or "ponderhit" sends the line at once
// and returns no lines.
//
// Raw updates the conversation's position after "position", and remembers options for a Restart.
// If it cannot parse a position, it returns an error together with the reply.
//
// Other protocols use other commands.
func (c *Client) Raw(ctx context.Context, text string) ([]string, error) {
	lines, aside := c.protocol.Interrupt(text)
	if aside {
		c.mu.Lock()
		say := c.interrupt
		c.mu.Unlock()
		if say != nil {
			say(lines)
			return nil, nil
		}
	}
	do := func(ctx context.Context) ([]string, error) {
		var answer []string
		c.catchUp()
		for line := range strings.SplitSeq(text, "\n") {
			if err := c.link.CheckRunning(); err != nil {
				return answer, err
			}
			more, err := c.rawLine(ctx, line)
			answer = append(answer, more...)
			if err != nil {
				return answer, err
			}
		}
		return answer, nil
	}
	if aside {
		return pluginclient.Call(ctx, c.link, do)
	}
	return pluginclient.CallAlways(ctx, c.link, do)
}

// SetPosition sets the conversation's position. It is sent before the next Raw line that needs it.
func (c *Client) SetPosition(ctx context.Context, pos engine.Position) error {
	board, err := asXiangqi(pos)
	if err != nil {
		return err
	}
	return c.link.Do(ctx, func() error {
		c.link.SetPosition(board)
		c.positionStale = true
		return nil
	})
}

func (c *Client) rawLine(ctx context.Context, line string) ([]string, error) {
	cmd := c.protocol.ParseRaw(line, c.ranks)
	switch {
	case cmd.Err != nil:
		return nil, fmt.Errorf("%w: %w", pluginclient.ErrRefused, cmd.Err)
	case cmd.Quit:
		if err := c.send(pluginclient.Sent, line); err != nil {
			return nil, err
		}
		return c.link.ReadUntilExit().Lines, nil
	}
	if !cmd.AnyPosition && !cmd.Ping {
		if err := c.restorePosition(); err != nil {
			return nil, err
		}
	}
	if cmd.BeforeSend != nil {
		cmd.BeforeSend()
	}
	answer, err := c.rawAnswer(ctx, line, cmd)
	if err != nil {
		return answer, err
	}
	if cmd.Judge != nil {
		for _, b := range cmd.Judge() {
			c.judge(b.Rule, pluginclient.Fault, c.Position().String(), "%s", b.What)
		}
	}
	return answer, c.applyRaw(cmd)
}

func (c *Client) rawAnswer(ctx context.Context, line string, cmd RawCommand) ([]string, error) {
	switch {
	case cmd.Ping:
		return c.rawPing(ctx, line)
	case cmd.Thinks:
		return c.rawThink(ctx, line, cmd)
	}
	if err := c.send(pluginclient.Sent, line); err != nil {
		return nil, err
	}
	return c.readUntilPong(ctx, c.timeoutFor(cmd.Deadline))
}

func (c *Client) timeoutFor(p DeadlineKind) time.Duration {
	switch p {
	case DeadlineReply:
		return c.link.Deadlines.Reply
	case DeadlineStart:
		return c.link.Deadlines.Start
	}
	return c.link.Deadlines.Think
}

// readUntilPong returns the lines before the reply to a ping. If ctx ends, it still waits for the
// reply, at most Deadlines.Abort.
func (c *Client) readUntilPong(ctx context.Context, limit time.Duration) ([]string, error) {
	if c.noPing {
		time.Sleep(noPingQuiet)
		lines := c.drain()
		for _, line := range lines {
			if err := c.handleUnsolicited(line); err != nil {
				return lines, err
			}
		}
		return lines, nil
	}
	ctx, cancel := c.link.Bind(ctx)
	defer cancel()
	lines, err := c.pingAndRead(ctx, limit)
	if cause := context.Cause(ctx); cause == nil || !errors.Is(err, cause) {
		return lines, err
	}
	if lateErr := c.drainUntilPong(c.link.Deadlines.Abort); lateErr != nil {
		return nil, fmt.Errorf("%w, and then: %w", err, lateErr)
	}
	return nil, err
}

// drainUntilPong discards lines until the reply to a ping that has already been sent.
func (c *Client) drainUntilPong(limit time.Duration) error {
	ctx, cancel := pluginclient.WithDeadline(context.Background(), limit)
	defer cancel()
	for range maxUnexpected {
		line, err := c.receive(ctx)
		switch {
		case err != nil:
			return c.explainTimeout(err, "")
		case c.protocol.Pong(line):
			return nil
		}
		if err := c.handleUnsolicited(line); err != nil {
			return err
		}
	}
	return pluginclient.ErrFlood
}

// restorePosition sends the conversation's position if the engine may have another one.
func (c *Client) restorePosition() error {
	if !c.positionStale {
		return nil
	}
	c.positionStale = false
	return c.link.Send(pluginclient.Pinged, c.protocol.PositionCommands(c.current(), c.ranks)...)
}

// rawPing sends a ping typed by the user, and returns all lines up to the reply.
func (c *Client) rawPing(ctx context.Context, line string) ([]string, error) {
	if err := c.send(pluginclient.Sent, line); err != nil {
		return nil, err
	}
	ctx, cancel := pluginclient.WithDeadline(ctx, c.link.Deadlines.Reply)
	defer cancel()
	var lines []string
	for len(lines) < maxUnexpected {
		line, err := c.receive(ctx)
		if err != nil {
			return lines, c.explainTimeout(err, "")
		}
		if lines = append(lines, line); c.protocol.Pong(line) {
			break
		}
	}
	return lines, nil
}

// maxRawLines is how many lines of a search are kept. Older lines are dropped.
const maxRawLines = 100_000

func (c *Client) rawThink(ctx context.Context, line string, cmd RawCommand) ([]string, error) {
	var lines []string
	v := &pendingGo{c: c, ctx: ctx, cmd: GoCommand{Line: line}, stop: cmd.Stop, until: cmd.Until, onLine: func(line string) {
		if len(lines) == maxRawLines { // a very long analysis
			lines = lines[:copy(lines, lines[maxRawLines/2:])]
		}
		lines = append(lines, line)
	}}
	if err := v.run(); err != nil {
		return nil, err
	}
	c.judgeRaw(v.best)
	return lines, nil
}

// applyRaw applies a command that the engine has executed to the conversation.
func (c *Client) applyRaw(cmd RawCommand) error {
	if cmd.NewGame {
		c.needsNewGame = false
	}
	if cmd.Setting != nil {
		c.applyRawOption(cmd.Setting.Name, cmd.Setting.Value)
	}
	if cmd.Position == nil {
		return nil
	}
	pos, err := cmd.Position()
	if err != nil {
		c.positionUnknown = true
		return fmt.Errorf("%s was sent an invalid position: %w", c.name(), err)
	}
	c.positionUnknown = false
	c.positionStale = false
	c.link.SetPosition(pos)
	return nil
}

func (c *Client) applyRawOption(name, value string) {
	opt, ok := c.OfferedOptions().Find(name)
	switch {
	case !ok:
	case fold(name) == "multipv":
		c.multiPV, _ = strconv.Atoi(value)
	case managedOptions[fold(name)] == "":
		c.rememberSetting(Setting{opt.Name, value})
	}
}

// language holds the commands of all protocols of the family that need special treatment.
var language = pluginclient.Language{
	Commands: []pluginclient.CommandSpec{
		{Word: "go", Thinks: true},
		{Word: "stop", Interrupt: true, Stop: pluginclient.MoveNow},
		{Word: "ponderhit", Interrupt: true},
		{Word: "?", Interrupt: true, Stop: pluginclient.MoveNow},
		{Word: "exit", Interrupt: true, Stop: pluginclient.GiveUp},
		{Word: "quit", Quits: true},
	},
	Stopped: stoppedReply,
}

// Language returns the commands that Raw treats specially.
func (c *Client) Language() pluginclient.Language { return language }

// stoppedReply returns the engine's lines up to its best move.
func stoppedReply(conversation []pluginclient.Entry) (said []string) {
	for _, entry := range conversation {
		if entry.Dir != pluginclient.Received {
			continue
		}
		said = append(said, entry.Text)
		if word, _ := cutWord(entry.Text); slices.Contains([]string{"bestmove", "nobestmove", "move"}, word) {
			break
		}
	}
	return said
}

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
	if aside && c.sendInterrupt(lines) {
		return nil, nil
	}
	return pluginclient.CallRaw(ctx, c.link, !aside, func(ctx context.Context) ([]string, error) {
		var answer []string
		c.catchUp()
		for line := range strings.SplitSeq(text, "\n") {
			if c.link.Conn == nil { // after quit
				return answer, c.link.PrefixName(pluginclient.ErrNotRunning)
			}
			more, err := c.rawLine(ctx, line)
			answer = append(answer, more...)
			if err != nil {
				return answer, err
			}
		}
		return answer, nil
	})
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

// sendInterrupt sends lines to a searching engine, if there is one. If the engine does not read, it waits for
// Deadlines.Reply at most.
func (c *Client) sendInterrupt(lines []string) bool {
	c.sending.Lock()
	defer c.sending.Unlock()
	if c.interrupt != nil {
		c.interrupt(lines)
	}
	return c.interrupt != nil
}

// rawLine sends one line, returns the reply, and applies what the engine has then done to the conversation.
func (c *Client) rawLine(ctx context.Context, line string) (reply []string, err error) {
	cmd := c.protocol.ParseRaw(line, c.ranks)
	switch {
	case cmd.Err != nil:
		return nil, fmt.Errorf("%w: %w", pluginclient.ErrRefused, cmd.Err)
	case cmd.Quit:
		if err := c.send(line); err != nil {
			return nil, err
		}
		return c.link.ReadUntilExit().Lines, nil
	case c.positionStale && !cmd.AnyPosition && !cmd.Ping: // the engine may have another one
		c.positionStale = false
		if err := c.link.Send(pluginclient.Pinged, c.protocol.PositionCommands(c.current(), c.ranks)...); err != nil {
			return nil, err
		}
	}
	if cmd.BeforeSend != nil {
		cmd.BeforeSend()
	}
	if cmd.Thinks {
		reply, err = c.rawThink(ctx, line, cmd)
	} else if err = c.send(line); err == nil {
		reply, err = c.rawReply(ctx, line, cmd)
	}
	if err != nil {
		return reply, err
	}
	if cmd.Judge != nil {
		for _, b := range cmd.Judge() {
			c.judge(b.Rule, pluginclient.Fault, c.Position().String(), "%s", b.What)
		}
	}
	if cmd.NewGame {
		c.needsNewGame = false
	}
	if s := cmd.Setting; s != nil {
		opt, ok := c.OfferedOptions().Find(s.Name)
		switch {
		case !ok:
		case fold(s.Name) == "multipv":
			c.multiPV, _ = strconv.Atoi(s.Value)
		case managedOptions[fold(s.Name)] == "" && opt.Kind != Button: // it is not pressed again after a restart
			c.settings = slices.DeleteFunc(c.settings, func(old Setting) bool { return fold(old.Name) == fold(opt.Name) })
			c.settings = append(c.settings, Setting{opt.Name, s.Value})
		}
	}
	if cmd.Position == nil {
		return reply, nil
	}
	pos, err := cmd.Position()
	if c.positionUnknown = err != nil; err != nil {
		return reply, fmt.Errorf("%s was sent an invalid position: %w", c.link.Name(), err)
	}
	c.positionStale = false
	c.link.SetPosition(pos)
	return reply, nil
}

// rawReply returns the reply to a line that was sent: the lines before the reply to a ping. If ctx ends, it
// still waits for that, at most Deadlines.Abort. The reply to a ping of the user is a reply itself.
func (c *Client) rawReply(ctx context.Context, line string, cmd RawCommand) ([]string, error) {
	if cmd.Ping {
		return c.awaitPong(ctx, c.link.Deadlines.Reply, line)
	}
	limits := [...]time.Duration{c.link.Deadlines.Think, c.link.Deadlines.Reply, c.link.Deadlines.Start}
	ctx, cancel := c.link.Bind(ctx)
	defer cancel()
	withoutPing := c.noPing
	lines, err := c.sync(ctx, limits[cmd.Deadline])
	switch {
	case withoutPing:
		return lines, nil
	case err == nil:
		return lines[:len(lines)-1], nil
	}
	if cause := context.Cause(ctx); cause == nil || !errors.Is(err, cause) {
		return lines, err
	}
	if _, lateErr := c.awaitPong(context.Background(), c.link.Deadlines.Abort, "a ping"); lateErr != nil {
		return nil, fmt.Errorf("%w, and then: %w", err, lateErr)
	}
	return nil, err
}

// maxRawLines is how many lines of a search are kept. Older lines are dropped.
const maxRawLines = 100_000

func (c *Client) rawThink(ctx context.Context, line string, cmd RawCommand) ([]string, error) {
	var lines []string
	v := &pendingGo{c: c, cmd: GoCommand{Line: line}, stop: cmd.Stop, until: cmd.Until, onLine: func(line string) {
		if len(lines) == maxRawLines { // a very long analysis
			lines = lines[:copy(lines, lines[maxRawLines/2:])]
		}
		lines = append(lines, line)
	}}
	if err := v.run(ctx); err != nil {
		return nil, err
	}
	c.judgeRaw(v.best)
	return lines, nil
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
		if word, _ := CutWord(entry.Text); slices.Contains([]string{"bestmove", "nobestmove", "move"}, word) {
			break
		}
	}
	return said
}

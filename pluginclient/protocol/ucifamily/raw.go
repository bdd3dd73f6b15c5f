package ucifamily

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// Raw sends a line as it is, further lines after line feeds, and answers what the engine
// says to it: after "go" up to its best move, and else up to the answer to a ping that is
// marked in the trace as added. An engine that has died is not started again by Raw. One
// that a search has left at another position than the conversation's is told that first.
//
// "go" may take as long as it likes: a context that ends with engine.ErrMoveNow sends
// "stop" and any other cause sends it and gives up. One that has ended before does so behind
// the "go", which is sent first. While a "go" or a Search is under way,
// Raw of "stop" or "ponderhit" reaches the engine at once and answers nothing; the answer is
// that of the "go".
//
// The position follows "position", and options are remembered for a Restart. Where a
// position cannot be followed, there is an error beside the answer.
//
// Other protocols have other words for these.
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

// SetPosition makes a position that of the conversation. The engine is told it before the
// next line of Raw that needs it.
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
	order := c.protocol.ParseRaw(line, c.ranks)
	switch {
	case order.Err != nil:
		return nil, fmt.Errorf("%w: %w", pluginclient.ErrRefused, order.Err)
	case order.Quit:
		return c.rawQuit(line)
	}
	if !order.AnyPosition && !order.Ping {
		if err := c.restorePosition(); err != nil {
			return nil, err
		}
	}
	if order.BeforeSend != nil {
		order.BeforeSend()
	}
	answer, err := c.rawAnswer(ctx, line, order)
	if err != nil {
		return answer, err
	}
	return answer, c.applyRaw(order)
}

func (c *Client) rawAnswer(ctx context.Context, line string, order RawCommand) ([]string, error) {
	switch {
	case order.Ping:
		return c.rawPing(ctx, line)
	case order.Thinks:
		return c.rawThink(ctx, line, order)
	}
	if err := c.send(pluginclient.Sent, line); err != nil {
		return nil, err
	}
	return c.readUntilPong(ctx, c.timeoutFor(order.Deadline))
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

// readUntilPong are the lines that come before the answer to a ping. Who gives up leaves the
// engine some time to get there.
func (c *Client) readUntilPong(ctx context.Context, limit time.Duration) ([]string, error) {
	if c.noPing {
		time.Sleep(noPingQuiet)
		lines := c.link.Conn.Drain()
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

// drainUntilPong reads up to the answer to a ping that was sent before.
func (c *Client) drainUntilPong(limit time.Duration) error {
	ctx, cancel := pluginclient.WithDeadline(context.Background(), limit)
	defer cancel()
	for range maxUnexpected {
		line, err := c.link.Conn.Receive(ctx)
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

// restorePosition brings the engine back to the conversation's position.
func (c *Client) restorePosition() error {
	if !c.positionStale {
		return nil
	}
	c.positionStale = false
	return c.link.Send(pluginclient.Pinged, c.protocol.PositionCommands(c.current(), c.ranks)...)
}

// rawPing sends a person's own ping, whose answer is the end of what it brings.
func (c *Client) rawPing(ctx context.Context, line string) ([]string, error) {
	if err := c.send(pluginclient.Sent, line); err != nil {
		return nil, err
	}
	ctx, cancel := pluginclient.WithDeadline(ctx, c.link.Deadlines.Reply)
	defer cancel()
	var lines []string
	for len(lines) < maxUnexpected {
		line, err := c.link.Conn.Receive(ctx)
		if err != nil {
			return lines, c.explainTimeout(err, "")
		}
		if lines = append(lines, line); c.protocol.Pong(line) {
			break
		}
	}
	return lines, nil
}

// maxRawLines is how many lines of a search are kept, the last ones.
const maxRawLines = 100_000

func (c *Client) rawThink(ctx context.Context, line string, order RawCommand) ([]string, error) {
	var lines []string
	v := &pendingGo{c: c, ctx: ctx, cmd: GoCommand{Line: line}, stop: order.Stop, until: order.Until, onLine: func(line string) {
		if len(lines) == maxRawLines { // an analysis over night
			lines = lines[:copy(lines, lines[maxRawLines/2:])]
		}
		lines = append(lines, line)
	}}
	if err := v.run(); err != nil {
		return nil, err
	}
	return lines, nil
}

// rawQuit sends "quit" and reads what is said until the engine has ended.
func (c *Client) rawQuit(line string) ([]string, error) {
	if err := c.send(pluginclient.Sent, line); err != nil {
		return nil, err
	}
	return c.link.ReadUntilExit(), nil
}

// applyRaw does on this side what a command has done on the other.
func (c *Client) applyRaw(order RawCommand) error {
	if order.NewGame {
		c.needsNewGame = false
	}
	if order.Setting != nil {
		c.applyRawOption(order.Setting.Name, order.Setting.Value)
	}
	if order.Position == nil {
		return nil
	}
	pos, err := order.Position()
	if err != nil {
		return fmt.Errorf("%s was sent a position that makes no sense: %w", c.name(), err)
	}
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

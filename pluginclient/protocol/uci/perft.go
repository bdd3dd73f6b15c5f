package uci

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// perftTotal is the text before the total of "go perft" in Stockfish and its derivatives.
const perftTotal = "nodes searched:"

// Perft returns the number of legal move sequences of the given length from pos, by the engine's
// "go perft". If the engine searches instead, the error wraps pluginclient.ErrInvalidReply. An engine
// that knows the command can count to depth 1 within Deadlines.Reply, which is asked once; the deadline
// is that of a search. Canceling ctx ends the engine, since a count cannot be stopped; the
// next search restarts it.
func (c *Client) Perft(ctx context.Context, pos engine.Position, depth int) (int64, error) {
	board, err := asXiangqi(pos)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", c.link.Name(), err)
	}
	if depth < 1 {
		return 0, fmt.Errorf("%s: perft depth %d: want 1 or more", c.link.Name(), depth)
	}
	return pluginclient.Call(ctx, c.link, func(ctx context.Context) (int64, error) {
		c.positionStale = true
		c.catchUp()
		if err := c.link.Start(); err != nil {
			return 0, err
		}
		if !c.protocol.HasPerft {
			return 0, fmt.Errorf("%w: %s does not support perft", pluginclient.ErrRefused, c.protocol.Name)
		}
		if c.link.First("perft") {
			if _, err := c.perft(ctx, board, 1, c.link.Deadlines.Reply); err != nil {
				return 0, err
			}
		}
		return c.perft(ctx, board, depth, c.link.Deadlines.Think)
	})
}

// perft counts within limit, and ends an engine that does not.
func (c *Client) perft(ctx context.Context, pos *xiangqi.Position, depth int, limit time.Duration) (sum int64, err error) {
	if err := c.send(append(c.protocol.PositionCommands(pos, c.ranks), "go perft "+strconv.Itoa(depth))...); err != nil {
		return 0, err
	}
	c.busy, c.endedByItself = true, false
	defer func() {
		if err != nil {
			c.link.Terminate()
		}
	}()
	ctx, cancel := c.link.Bind(ctx)
	defer cancel()
	ctx, expire := pluginclient.WithDeadline(ctx, limit)
	defer expire()
	odd := ""
	for range maxUnexpected {
		line, err := c.receive(ctx)
		if err != nil {
			return 0, c.explainTimeout(err, odd)
		}
		if rest, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(line)), perftTotal); ok {
			if n, err := strconv.ParseInt(strings.TrimSpace(rest), 10, 64); err == nil {
				return n, nil
			}
		}
		_, over := c.protocol.ParseBestMove(line)
		if info, _ := c.protocol.ParseInfo(line, c.opts.Mate); over || info.Score.Known() {
			return 0, fmt.Errorf("%w: it searches instead of counting: %q", pluginclient.ErrInvalidReply, pluginclient.Excerpt(line))
		}
		odd = line
	}
	return 0, fmt.Errorf("%w: %d lines and no count", pluginclient.ErrFlood, maxUnexpected)
}

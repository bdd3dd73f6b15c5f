package ucifamily

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// perftTotal is what stands before the sum that "go perft" ends with, as Stockfish and what
// was made from it write it.
const perftTotal = "nodes searched:"

// Perft is the number of sequences of depth legal moves that can follow a position, by the
// engine's "go perft". One that searches instead does not count: that is an error that wraps
// pluginclient.ErrInvalidReply. A count may take as long as thinking may; one that is given up
// cannot be stopped but by ending the engine, which the next search starts again.
func (c *Client) Perft(ctx context.Context, pos engine.Position, depth int) (int64, error) {
	board, err := asXiangqi(pos)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", c.name(), err)
	}
	if depth < 1 {
		return 0, fmt.Errorf("%s: perft depth %d: want 1 or more", c.name(), depth)
	}
	return pluginclient.Call(ctx, c.link, func(ctx context.Context) (int64, error) {
		c.positionStale = true
		c.catchUp()
		if err := c.link.Start(); err != nil {
			return 0, err
		}
		if c.protocol.Perft == nil {
			return 0, fmt.Errorf("%w: %s has no words for perft", pluginclient.ErrRefused, c.protocol.Name)
		}
		if err := c.send(pluginclient.Sent, append(c.protocol.PositionCommands(board, c.ranks), c.protocol.Perft(depth))...); err != nil {
			return 0, err
		}
		c.busy, c.endedByItself = true, false
		sum, err := c.perftSum(ctx)
		if err != nil {
			c.link.Terminate()
		}
		return sum, err
	})
}

// perftSum reads up to the sum.
func (c *Client) perftSum(ctx context.Context) (int64, error) {
	ctx, cancel := c.link.Bind(ctx)
	defer cancel()
	ctx, expire := pluginclient.WithDeadline(ctx, c.link.Deadlines.Think)
	defer expire()
	odd := ""
	for range maxUnexpected {
		line, err := c.link.Conn.Receive(ctx)
		if err != nil {
			return 0, c.explainTimeout(err, odd)
		}
		text := strings.ToLower(strings.TrimSpace(line))
		if rest, ok := strings.CutPrefix(text, perftTotal); ok {
			if n, err := strconv.ParseInt(strings.TrimSpace(rest), 10, 64); err == nil {
				return n, nil
			}
		}
		if strings.HasPrefix(text, "bestmove") || strings.HasPrefix(text, "nobestmove") {
			return 0, fmt.Errorf("%w: it searches instead of counting: %q", pluginclient.ErrInvalidReply, pluginclient.Excerpt(line))
		}
		odd = line
	}
	return 0, fmt.Errorf("%w: %d lines and no count", pluginclient.ErrFlood, maxUnexpected)
}

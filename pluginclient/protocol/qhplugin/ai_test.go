package qhplugin

import (
	"context"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// AI makes the plugin search and play a move, which the conversation follows. The returned line has
// only that move, since the protocol carries no score.
func (c *Client) AI(ctx context.Context, lim engine.Limits) (engine.Line, error) {
	return pluginclient.Call(ctx, c.link, func(ctx context.Context) (line engine.Line, err error) {
		pos := c.current()
		if _, err := c.validate(pos, lim); err != nil {
			return line, err
		}
		if err := c.prepare(lim.Level); err != nil {
			return line, err
		}
		line, next, err := c.playMove(ctx, pos, lim)
		if err == nil {
			c.link.SetPosition(next)
		}
		return line, err
	})
}

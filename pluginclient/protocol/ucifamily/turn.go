package ucifamily

import (
	"context"

	"qhsh/pluginclient"
)

// call runs a verb in this caller's turn. Getting in step with the engine again keeps the
// turn, but not the caller.
func call[T any](ctx context.Context, c *Client, verb func(ctx context.Context) (T, error)) (T, error) {
	return pluginclient.Take(ctx, c.turn, pluginclient.Verb[T]{Do: verb, Failed: c.failed, Settle: c.settleOrSay})
}

func (c *Client) settleOrSay() error {
	err := c.failed(c.settle())
	if err != nil {
		c.trace.Notef("%v", err)
	}
	return err
}

func (c *Client) failed(err error) error {
	return pluginclient.Explain(err, c.name(), c.command, c.said, c.trace, c.drop)
}

// drop ends the engine without ceremony.
func (c *Client) drop() {
	if c.conn != nil {
		c.conn.Close("", 0)
		c.conn = nil
	}
}

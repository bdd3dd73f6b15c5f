package universal

import (
	"context"
	"errors"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// call runs a verb while it is this caller's turn. When ctx ends the caller goes away with
// its cause, while the verb brings the engine to rest before it passes on the turn. A caller
// who asks to move now stays for the answer. Getting in step with the engine again keeps
// the turn, but not the caller.
func call[T any](ctx context.Context, c *Client, verb func(ctx context.Context) (T, error)) (T, error) {
	var none T
	if err := c.acquire(ctx); err != nil {
		return none, err
	}
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		defer c.release()
		value, err := verb(ctx)
		c.ended = c.failed(err)
		done <- outcome{value, c.ended}
		if err := c.failed(c.settle()); err != nil {
			c.ended = err
			c.trace.Notef("%v", err)
		}
	}()
	for {
		select {
		case o := <-done:
			return o.value, o.err
		case <-ctx.Done():
			if cause := context.Cause(ctx); !errors.Is(cause, engine.ErrMoveNow) {
				return none, cause
			}
			o := <-done
			return o.value, o.err
		}
	}
}

func (c *Client) acquire(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, engine.ErrMoveNow) {
		return cause
	}
	if err := c.queueUp(ctx); err != nil {
		return err
	}
	if c.closed {
		c.release()
		return c.closedError()
	}
	return nil
}

// queueUp waits for the turn. Somebody who wants a move now waits for it all the same.
func (c *Client) queueUp(ctx context.Context) error {
	gone := ctx.Done()
	for {
		select {
		case c.turn <- struct{}{}:
			return nil
		case <-c.life.Done():
			return c.closedError()
		case <-gone:
			if cause := context.Cause(ctx); !errors.Is(cause, engine.ErrMoveNow) {
				return cause
			}
			gone = nil
		}
	}
}

func (c *Client) release() { <-c.turn }

func (c *Client) closedError() error {
	return &pluginclient.Error{Engine: c.name(), Err: pluginclient.ErrClosed}
}

// failed dresses an error of the conversation in what is known of it, and ends an engine
// that is of no use any more.
func (c *Client) failed(err error) error {
	var told *pluginclient.Error
	if err == nil || errors.As(err, &told) || !conversational(err) {
		return err
	}
	told = &pluginclient.Error{
		Engine: c.name(), Command: c.command, After: time.Since(c.said), Err: err,
		Last: c.trace.Last(4, func(e pluginclient.Entry) bool {
			return e.Dir != pluginclient.Stderr && e.Dir != pluginclient.Noted
		}),
	}
	if pluginclient.Lost(err) && !errors.Is(err, pluginclient.ErrClosed) {
		c.drop()
	}
	for _, e := range c.trace.Last(3, func(e pluginclient.Entry) bool { return e.Dir == pluginclient.Stderr }) {
		told.Stderr = append(told.Stderr, e.Text)
	}
	return told
}

// conversational tells whether an error is the engine's fault.
func conversational(err error) bool {
	for _, kind := range []error{pluginclient.ErrIllegal, pluginclient.ErrRefused, pluginclient.ErrNonsense} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return pluginclient.Lost(err)
}

// drop ends the engine without ceremony.
func (c *Client) drop() {
	if c.conn != nil {
		c.conn.Close("", 0)
		c.conn = nil
	}
}

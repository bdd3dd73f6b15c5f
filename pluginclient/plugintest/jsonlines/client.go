package jsonlines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
)

// Options are how a Client treats its engine.
type Options struct {
	Game      engine.Game
	Deadlines pluginclient.Deadlines // zeros: the defaults
	Log       *pluginclient.TraceLog // may be nil
	Warn      func(string)           // may be nil
}

// A Client is a conversation with an engine.
type Client struct {
	pluginclient.Conversation
	link  *pluginclient.Link
	level atomic.Int64 // 0: the engine's own
}

var _ pluginclient.Session = (*Client)(nil)

// Dial starts an engine and asks who it is.
func Dial(ctx context.Context, name string, start pluginclient.Starter, o Options) (*Client, error) {
	c := &Client{}
	c.link = pluginclient.NewLink(pluginclient.LinkOptions{
		Info: pluginclient.Info{Protocol: Protocol, Name: name}, Start: start, Deadlines: o.Deadlines, Log: o.Log, Warn: o.Warn,
		Quit: encode(request{Do: "quit"}), Handshake: c.greet,
	})
	c.link.SetPosition(o.Game.Start())
	c.Conversation = c.link.Conversation()
	if err := c.link.Do(ctx, c.link.Start); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Protocol is the protocol's name.
const Protocol = "JSONL"

func (c *Client) greet(ctx context.Context) error {
	err := c.link.Send(pluginclient.Pinged, encode(request{Do: "hello"}))
	var r reply
	if err == nil {
		r, err = c.hear(ctx)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", pluginclient.ErrStart, err)
	}
	c.link.SetInfo(pluginclient.Info{Protocol: Protocol, Name: r.Name, Levels: engine.NodeLevels()[:min(r.Levels, 10)]})
	return nil
}

// hear waits for a reply.
func (c *Client) hear(ctx context.Context) (r reply, err error) {
	text, err := c.link.Conn.Receive(ctx)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return r, fmt.Errorf("%w: %q is no reply", pluginclient.ErrInvalidReply, pluginclient.Excerpt(text))
	}
	if r.Error != "" {
		return r, fmt.Errorf("%w: %s", pluginclient.ErrRefused, r.Error)
	}
	return r, nil
}

// Level is that of searches that have no limits of their own.
func (c *Client) Level() (id int, known bool) { return int(c.level.Load()), c.level.Load() > 0 }

// Bounds are the level's, which there is none of until SetLevel sets one.
func (c *Client) Bounds() pluginclient.Bounds {
	level, known := c.Level()
	return pluginclient.Bounds{Level: level, Known: known, Chosen: true}
}

// SetLevel sets it.
func (c *Client) SetLevel(_ context.Context, id int) error {
	if n := len(c.Info().Levels); id < 1 || id > n {
		return fmt.Errorf("%w: no level %d: levels go from 1 to %d", pluginclient.ErrRefused, id, n)
	}
	c.level.Store(int64(id))
	return nil
}

// Search asks the engine, and tells it to stop when ctx ends.
func (c *Client) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	lim, _ = c.Bounds().Limits(lim)
	return func(yield func([]engine.Line, error) bool) {
		lines, err := pluginclient.Call(ctx, c.link, func(ctx context.Context) ([]engine.Line, error) {
			if err := c.link.Start(); err != nil {
				return nil, err
			}
			r, err := c.exchange(ctx, ask(pos, batch.FormatGame(pos), lim))
			if err != nil {
				return nil, err
			}
			lines, err := r.read(pos)
			if err != nil {
				return nil, fmt.Errorf("%w: %w", pluginclient.ErrInvalidReply, err)
			}
			return lines, nil
		})
		yield(lines, c.link.PrefixName(err))
	}
}

// exchange sends a request and waits for its reply. If ctx ends, it sends stop and waits for the
// reply to that, at most Deadlines.Abort.
func (c *Client) exchange(ctx context.Context, r request) (reply, error) {
	if err := c.link.Send(pluginclient.Sent, encode(r)); err != nil {
		return reply{}, err
	}
	wait, cancel := c.link.ThinkContext(ctx, 0)
	defer cancel()
	said, err := c.hear(wait)
	cause := context.Cause(ctx)
	if err == nil || cause == nil || !errors.Is(err, cause) {
		return said, err
	}
	if err := c.link.Send(pluginclient.Sent, encode(request{Do: "stop"})); err != nil {
		return said, err
	}
	rest, cancelRest := pluginclient.WithDeadline(context.Background(), c.link.Deadlines.Abort)
	defer cancelRest()
	if said, err = c.hear(rest); err == nil && !errors.Is(cause, engine.ErrMoveNow) {
		err = cause
	}
	return said, err
}

// Raw sends a line to an engine that runs and answers the reply.
func (c *Client) Raw(ctx context.Context, line string) ([]string, error) {
	return pluginclient.CallRaw(ctx, c.link, true, func(ctx context.Context) ([]string, error) {
		if err := c.link.Send(pluginclient.Sent, line); err != nil {
			return nil, err
		}
		switch line {
		case encode(request{Do: "quit"}):
			return c.link.ReadUntilExit().Lines, nil
		case encode(request{Do: "stop"}):
			return nil, nil
		}
		wait, cancel := c.link.ThinkContext(ctx, 0)
		defer cancel()
		text, err := c.link.Conn.Receive(wait)
		if err != nil {
			return nil, err
		}
		return []string{text}, nil
	})
}

// Restart ends the engine and starts it again: it keeps no position.
func (c *Client) Restart(ctx context.Context) error {
	return c.link.Do(ctx, func() error {
		c.link.Quit()
		return c.link.Start()
	})
}

// NewGame makes a position the conversation's.
func (c *Client) NewGame(_ context.Context, pos engine.Position) error {
	c.link.SetPosition(pos)
	return nil
}

// Load makes moves.
func (c *Client) Load(_ context.Context, moves ...engine.Move) error {
	pos := c.Position()
	for i, m := range moves {
		next, err := pos.Play(m)
		if err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		pos = next
	}
	c.link.SetPosition(pos)
	return nil
}

// Undo takes back a move.
func (c *Client) Undo(context.Context) error {
	before, _, err := engine.TakeBack(c.Position())
	if err != nil {
		return err
	}
	c.link.SetPosition(before)
	return nil
}

package qhplugin

import (
	"context"
	"errors"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// SetLevel sends LEVEL with a number.
func (c *Client) SetLevel(ctx context.Context, id int) error {
	return c.do(ctx, func() error { return c.setLevel(id) })
}

func (c *Client) setLevel(id int) error {
	if err := c.order(fmt.Sprintf("%s %d", Level, id)); err != nil {
		return err
	}
	c.noteLevel(id)
	return nil
}

// AskLevel sends LEVEL without a number and returns the plugin's reply.
func (c *Client) AskLevel(ctx context.Context) (int, error) {
	return pluginclient.CallStarted(ctx, c.link, func(context.Context) (int, error) {
		if err := c.send(string(Level)); err != nil {
			return 0, err
		}
		wait, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
		defer cancel()
		r, err := c.x.receive(wait, replyNumber)
		if level, known := c.Level(); err == nil && c.quirks.levelCount && known {
			return level, nil
		}
		return r.number, err
	})
}

// NewGame sends FEN, and LOAD if moves have been played.
func (c *Client) NewGame(ctx context.Context, pos engine.Position) error {
	board, err := asXiangqi(pos)
	if err != nil {
		return err
	}
	return c.do(ctx, func() error {
		c.board = nil
		return c.moveTo(board)
	})
}

func asXiangqi(pos engine.Position) (*xiangqi.Position, error) {
	board, ok := pos.(*xiangqi.Position)
	if !ok {
		return nil, fmt.Errorf("a QHPLUGIN plugin plays xiangqi, not %s", pos.Game().Name())
	}
	return board, nil
}

// Load sends LOAD, or PLAY for a single move. An illegal move is an error; nothing is sent then.
func (c *Client) Load(ctx context.Context, moves ...engine.Move) error {
	return c.do(ctx, func() error {
		pos := c.current()
		for _, m := range moves {
			next, err := pos.Play(m)
			if err != nil {
				return err
			}
			pos = next.(*xiangqi.Position)
		}
		return c.moveTo(pos)
	})
}

// Undo takes back the last move. A plugin without UNDO is set to the position before
// it.
func (c *Client) Undo(ctx context.Context) error {
	return c.do(ctx, func() error {
		before := c.current().Before()
		if before == nil {
			return errors.New("there is no move to take back")
		}
		if missing, ok := c.missingMoves(c.current()); !ok || len(missing) > 0 {
			c.board = nil
		} else if err := c.takeBack(before); err != nil {
			return err
		}
		return c.moveTo(before)
	})
}

// SetBGThink sends BGTHINK ON or OFF. A plugin without BGTHINK never thinks in the
// background and is not asked.
func (c *Client) SetBGThink(ctx context.Context, on bool) error {
	if !c.info.BGThink {
		if on {
			return fmt.Errorf("%s: has no BGTHINK", c.info.Name)
		}
		return nil
	}
	return c.do(ctx, func() error { return c.setBGThink(on) })
}

func (c *Client) setBGThink(on bool) error {
	word := "OFF"
	if on {
		word = "ON"
	}
	if err := c.order(string(BGThink) + " " + word); err != nil {
		return err
	}
	c.noteBGThink(on)
	return nil
}

// CompareBoard sends SCR, which the trace marks as added, and compares the plugin's drawing with the
// conversation's board. It implements [pluginclient.BoardComparer].
func (c *Client) CompareBoard(ctx context.Context) (difference string, ok bool, err error) {
	lines, err := pluginclient.Call(ctx, c.link, func(context.Context) (lines []string, err error) {
		if c.quirks.scrNone || c.link.Conn == nil {
			return nil, nil
		}
		err = c.added(func() error {
			if err := c.send(string(Scr)); err != nil {
				return err
			}
			lines, err = c.x.readUntilPing()
			return err
		})
		return lines, err
	})
	if err != nil {
		return "", false, err
	}
	difference, ok = CompareScreen(c.current(), lines)
	return difference, ok, nil
}

package qhplugin

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// safeLine is the longest line in bytes that every real plugin takes as one: one of
// them has a buffer of 79.
const safeLine = 78

// do is for verbs without a value, on a plugin that runs.
func (c *Client) do(ctx context.Context, verb func() error) error {
	return c.link.Do(ctx, func() error {
		if err := c.link.Start(); err != nil {
			return err
		}
		return verb()
	})
}

// SetLevel sends LEVEL with a number.
func (c *Client) SetLevel(ctx context.Context, id int) error {
	return c.do(ctx, func() error { return c.setLevel(id) })
}

func (c *Client) setLevel(id int) error {
	if err := c.order(fmt.Sprintf("%s %d", Level, id)); err != nil {
		return err
	}
	c.setting.level, c.setting.hasLevel, c.told = id, true, id
	c.noteLevel(id, true)
	return nil
}

// AskLevel sends LEVEL without a number and answers the plugin's.
func (c *Client) AskLevel(ctx context.Context) (int, error) {
	return pluginclient.Call(ctx, c.link, func(context.Context) (int, error) {
		if err := c.link.Start(); err != nil {
			return 0, err
		}
		if err := c.send(pluginclient.Sent, string(Level)); err != nil {
			return 0, err
		}
		wait, cancel := c.link.Within(c.link.Deadlines.Reply)
		defer cancel()
		r, err := c.receive(wait, replyNumber)
		if err == nil && c.quirks.LevelCount && c.setting.hasLevel {
			return c.setting.level, nil
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
		if err := c.setBoard(board); err != nil {
			return err
		}
		c.link.SetPosition(board)
		return nil
	})
}

func asXiangqi(pos engine.Position) (*xiangqi.Position, error) {
	board, ok := pos.(*xiangqi.Position)
	if !ok {
		return nil, fmt.Errorf("a QHPLUGIN plugin plays xiangqi, not %s", pos.Game().Name())
	}
	return board, nil
}

// Play sends PLAY, after making sure that the move is legal.
func (c *Client) Play(ctx context.Context, m engine.Move) error { return c.Load(ctx, m) }

// Load sends LOAD, or PLAY for a single move, after making sure that the moves are
// legal.
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
		if err := c.setBoard(pos); err != nil {
			return err
		}
		c.link.SetPosition(pos)
		return nil
	})
}

// Undo takes back the last move. A plugin without UNDO is set to the position before
// it.
func (c *Client) Undo(ctx context.Context) error {
	return c.do(ctx, func() error {
		start, moves := c.current().History()
		if len(moves) == 0 {
			return errors.New("there is no move to take back")
		}
		before, err := replay(start, moves[:len(moves)-1])
		if err != nil {
			return err
		}
		if c.stands(c.current()) {
			err = c.takeBack(before)
		} else {
			c.board = nil
		}
		if err == nil && c.board == nil {
			err = c.setBoard(before)
		}
		if err != nil {
			return err
		}
		c.link.SetPosition(before)
		return nil
	})
}

func replay(start engine.Position, moves []engine.Move) (*xiangqi.Position, error) {
	pos := start
	for _, m := range moves {
		next, err := pos.Play(m)
		if err != nil {
			return nil, err
		}
		pos = next
	}
	return asXiangqi(pos)
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

// Screen sends SCR and answers what the plugin draws, nothing if it has no SCR.
func (c *Client) Screen(ctx context.Context) ([]string, error) {
	return pluginclient.Call(ctx, c.link, func(context.Context) ([]string, error) {
		if err := c.link.Start(); err != nil {
			return nil, err
		}
		if c.quirks.ScrNone {
			return nil, nil
		}
		if err := c.setBoard(c.current()); err != nil {
			return nil, err
		}
		if err := c.send(pluginclient.Sent, string(Scr)); err != nil {
			return nil, err
		}
		return c.upToPing()
	})
}

// upToPing asks for the level and answers every line before the number: the answer of
// a command whose answer has no end mark.
func (c *Client) upToPing() ([]string, error) {
	if err := c.link.Send(pluginclient.Pinged, string(Level)); err != nil {
		return nil, err
	}
	ctx, cancel := c.link.Within(c.link.Deadlines.Reply)
	defer cancel()
	var lines []string
	for len(lines) < maxStray {
		line, err := c.link.Conn.Receive(ctx)
		if err != nil {
			return lines, c.missing(err, "")
		}
		if parseReply(line).word == replyNumber {
			return lines, nil
		}
		lines = append(lines, line)
	}
	return lines, fmt.Errorf("%w: %d lines", pluginclient.ErrFlood, len(lines))
}

// setBoard brings the plugin's board to pos: by the moves that are missing if it is on
// the way there, else by FEN and LOAD from the start of the game.
func (c *Client) setBoard(pos *xiangqi.Position) error {
	start, moves := pos.History()
	if missing, ok := c.missingMoves(start, moves); ok {
		if len(missing) == 0 {
			c.board = pos
			return nil
		}
		return c.sendMoves(pos, missing)
	}
	c.board = nil
	first, err := asXiangqi(start)
	if err != nil {
		return err
	}
	if err := c.sendFEN(first); err != nil {
		return err
	}
	return c.sendMoves(pos, moves)
}

// stands tells whether the plugin's board holds just this game.
func (c *Client) stands(pos *xiangqi.Position) bool {
	missing, ok := c.missingMoves(pos.History())
	return ok && len(missing) == 0
}

// missingMoves are the moves that lead from the plugin's board to a game's end, if the
// board is part of that game.
func (c *Client) missingMoves(start engine.Position, moves []engine.Move) ([]engine.Move, bool) {
	if c.board == nil {
		return nil, false
	}
	theirs, played := c.board.History()
	if theirs.String() != start.String() || len(played) > len(moves) {
		return nil, false
	}
	for i, m := range played {
		if m != moves[i] {
			return nil, false
		}
	}
	return moves[len(played):], true
}

// sendFEN sends board and side alone, which every plugin understands. A line that some
// plugin might take for two, and answer twice, is followed by a ping.
func (c *Client) sendFEN(pos *xiangqi.Position) error {
	line, err := c.quirks.fen(pos)
	if err != nil {
		return err
	}
	err = c.order(line)
	if len(line) <= safeLine || pluginclient.Lost(err) {
		return err
	}
	ctx, cancel := c.link.Within(c.link.Deadlines.Reply)
	defer cancel()
	before := c.strays
	if _, pingErr := c.ping(ctx); pingErr != nil {
		return pingErr
	}
	if c.strays > before {
		c.link.Warn(fmt.Sprintf("%s: answers a line of %d bytes twice, so it may have misread this position: %s", c.info.Name, len(line), line))
	}
	return err
}

// sendMoves plays moves that lead to pos.
func (c *Client) sendMoves(pos *xiangqi.Position, moves []engine.Move) error {
	c.board = nil
	for len(moves) == 1 || len(moves) > 0 && c.quirks.LoadPlay {
		if err := c.order(string(Play) + " " + iccs(moves[0])); err != nil {
			return err
		}
		moves = moves[1:]
	}
	for len(moves) > 0 {
		n := min(len(moves), maxLoad)
		if err := c.order(list(Load, moves[:n])...); err != nil {
			return err
		}
		moves = moves[n:]
	}
	c.board = pos
	return nil
}

// list is a command with a count and a move a line.
func list(word Word, moves []engine.Move) []string {
	lines := []string{string(word) + " " + strconv.Itoa(len(moves))}
	for _, m := range moves {
		lines = append(lines, iccs(m))
	}
	return lines
}

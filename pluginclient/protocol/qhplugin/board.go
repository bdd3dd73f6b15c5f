package qhplugin

import (
	"errors"
	"fmt"
	"strconv"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// This file keeps the plugin's board and level as the client wants them. Each line is sent only if
// needed.

// moveTo sets the position of the plugin and of the conversation.
func (c *Client) moveTo(pos *xiangqi.Position) error {
	if err := c.setBoard(pos); err != nil {
		return err
	}
	c.link.SetPosition(pos)
	return nil
}

// setBoard sets the plugin's position: by the missing moves if its game is a prefix of that of pos,
// otherwise by FEN and LOAD from the start of the game.
func (c *Client) setBoard(pos *xiangqi.Position) error {
	start, moves := pos.History()
	missing, ok := c.missingMoves(pos)
	if !ok {
		first, err := asXiangqi(start)
		if err != nil {
			return err
		}
		if err := c.sendFEN(first); err != nil {
			return err
		}
		missing = moves
	}
	for len(missing) > 0 {
		c.board = nil
		n, lines := 1, []string{string(Play) + " " + iccs(missing[0])}
		if len(missing) > 1 && !c.quirks.loadPlay {
			n = min(len(missing), maxLoad)
			lines = listCommand(Load, missing[:n])
		}
		if err := c.order(lines...); err != nil {
			return err
		}
		missing = missing[n:]
	}
	if !ok {
		c.noteDoubt(false)
	}
	c.board = pos
	return nil
}

// missingMoves returns the moves from the plugin's position to pos; ok is false if that position is
// not part of the game of pos.
func (c *Client) missingMoves(pos *xiangqi.Position) (missing []engine.Move, ok bool) {
	if c.board == nil {
		return nil, false
	}
	return pluginclient.MovesSince(c.board, pos)
}

// sendFEN sends only board and side, which every plugin understands. A line that a plugin might split
// in two, and answer twice, is followed by a ping.
func (c *Client) sendFEN(pos *xiangqi.Position) error {
	c.board = nil
	line, err := c.quirks.FEN(pos)
	if err != nil {
		return err
	}
	err = c.order(line)
	if len(line) <= safeLine || pluginclient.Lost(err) {
		return err
	}
	before := c.x.further
	if pingErr := c.resync(); pingErr != nil {
		return pingErr
	}
	if c.x.further > before {
		c.link.Warn(fmt.Sprintf("%s: answers a line of %d bytes twice, so it may have misread this position: %s", c.info.Name, len(line), line))
	}
	return err
}

// listCommand returns a command with a count and a move per line.
func listCommand(word Word, moves []engine.Move) []string {
	lines := []string{string(word) + " " + strconv.Itoa(len(moves))}
	for _, m := range moves {
		lines = append(lines, iccs(m))
	}
	return lines
}

// takeBack undoes a move that the plugin has played in pos. If UNDO fails, the next search sets the
// position by FEN, and so does the next line of a user if the boards are known to differ since a
// typed call.
func (c *Client) takeBack(pos *xiangqi.Position) error {
	c.board = nil
	if c.info.Undo {
		err := c.order(string(Undo))
		switch {
		case err == nil:
			c.board = pos
			return nil
		case pluginclient.Lost(err):
			return err
		}
		c.link.Trace.Notef("UNDO failed: %v", err)
	}
	c.noteDoubt(!c.stateStale)
	return nil
}

// unban clears the ban list, for plugins that keep it too long. A plugin that refuses has no list.
func (c *Client) unban() error {
	err := c.order(string(Ban) + " 0")
	if errors.Is(err, pluginclient.ErrRefused) {
		c.link.Trace.Notef("BAN 0: %v", err)
		return nil
	}
	return err
}

// useLevel sets the level of a search; 0 means the conversation's level.
func (c *Client) useLevel(level int) error {
	if level == 0 {
		known := false
		if level, known = c.Level(); !known {
			return nil
		}
	}
	if c.sentLevel == level {
		return nil
	}
	if err := c.order(fmt.Sprintf("%s %d", Level, level)); err != nil {
		return err
	}
	c.sentLevel = level
	return nil
}

package qchess

import (
	"context"
	"errors"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/qchess"
	"qhsh/pluginclient"
)

// syncPosition sets the position of the agent, which plays side.
func (c *Client) syncPosition(ctx context.Context, pos *qchess.Position, side engine.Turn) error {
	if c.inGame && c.side == side && c.link.Conn.Alive() && c.continues(pos) {
		return c.sendUpdates(pos)
	}
	custom := !isStandardStart(pos)
	if custom {
		if err := c.requireBoardSupport(ctx); err != nil {
			return err
		}
	}
	if err := c.startGame(side); err != nil {
		return err
	}
	first, _ := pos.History()
	c.agentPos = first.(*qchess.Position)
	if custom { // a board, and its selection if there is one
		board := c.agentPos.Board()
		lines := BoardLines(&board)
		if p, ok := board.Selected(); ok && !board.OutcomePending() {
			u := qchess.Update{From: p.At, Index: int(p.State), Kind: p.Kind()}
			lines = append(lines, u.String())
		}
		if err := c.send(pluginclient.Pinged, lines...); err != nil {
			return err
		}
	}
	return c.sendUpdates(pos)
}

// isStandardStart reports whether the game of a position started as usual, as far as the sides can
// see.
func isStandardStart(pos *qchess.Position) bool {
	first, _ := pos.History()
	board, usual := first.(*qchess.Position).Board(), qchess.NewBoard()
	board = board.View()
	return board.String() == usual.String()
}

// startGame starts an agent without a game, and sends it its side.
func (c *Client) startGame(side engine.Turn) error {
	if c.inGame {
		c.quit("")
	}
	if err := c.link.Start(); err != nil {
		return err
	}
	if err := c.send(pluginclient.Pinged, qchess.ColourName(side)); err != nil {
		return err
	}
	c.inGame, c.side = true, side
	return nil
}

// continues reports whether a position continues the game that the agent knows.
func (c *Client) continues(pos *qchess.Position) bool {
	if c.agentPos == nil {
		return false
	}
	_, ok := pluginclient.MovesSince(c.agentPos, pos)
	return ok
}

// sendUpdates sends the updates of the moves that the agent does not know yet.
func (c *Client) sendUpdates(pos *qchess.Position) error {
	_, known := c.agentPos.History()
	_, moves := pos.History()
	board := c.agentPos.Board()
	var lines []string
	for _, m := range moves[len(known):] {
		u, ready, err := board.DoUpdate(qchess.Step(m))
		if err != nil {
			return err
		}
		if ready {
			lines = append(lines, u.String())
		}
	}
	c.agentPos = pos
	if lines == nil {
		return nil
	}
	return c.send(pluginclient.Pinged, lines...)
}

// send sends lines. Lines that the agent has sent without a request are an error.
func (c *Client) send(dir pluginclient.Direction, lines ...string) error {
	if err := c.checkUnsolicited(); err != nil {
		return err
	}
	return c.link.Send(dir, lines...)
}

// checkUnsolicited returns a verdict if the agent has sent lines without a request.
func (c *Client) checkUnsolicited() error {
	lines := c.link.Conn.Drain()
	if len(lines) == 0 {
		return nil
	}
	return &Verdict{
		Side: c.side, Words: fmt.Sprintf(`GIBBERISH "%s"`, lines[0]), Line: lines[0],
		Err: fmt.Errorf("%w: line without a request", pluginclient.ErrInvalidReply),
	}
}

// probeBoard has a single piece for the agent to select, on a square that is empty at the start.
const probeBoard = "w -,-,-,kk@34,-,-,-,-,-,-,-,-,-,-,-,- -,-,-,kk@30,-,-,-,-,pp0@11,-,-,-,-,-,-,- -"

// requireBoardSupport returns an error if the agent does not obey BOARD. It tests that once.
func (c *Client) requireBoardSupport(ctx context.Context) error {
	if !c.boardProbed {
		board, err := qchess.ParseBoard(probeBoard)
		if err == nil {
			err = c.startGame(qchess.White)
		}
		if err == nil {
			err = c.send(pluginclient.Pinged, append(BoardLines(&board), Selection)...)
		}
		if err != nil {
			return err
		}
		wait, cancel := c.link.ThinkContext(ctx, 0)
		defer cancel()
		line, err := c.link.Conn.Receive(wait)
		switch {
		case errors.Is(err, pluginclient.ErrDied), errors.Is(err, pluginclient.ErrDeadline):
			c.link.Terminate()
		case err != nil:
			return err
		default:
			c.quit("")
			_, err = Judge(&board, line)
		}
		c.supportsBoard, c.boardProbed = err == nil, true
	}
	if !c.supportsBoard {
		return fmt.Errorf("%w: the agent ignores %s, so it can only play games from the usual start", pluginclient.ErrRefused, Board)
	}
	return nil
}

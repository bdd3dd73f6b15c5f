package qchess

import (
	"context"
	"errors"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/qchess"
	"qhsh/pluginclient"
)

// place brings the agent to a position, in which its side is to move.
func (c *Client) place(ctx context.Context, pos *qchess.Position) error {
	board := pos.Board()
	if c.seated && c.side == board.Turn() && c.link.Conn.Alive() && c.follows(pos) {
		return c.tell(pos)
	}
	first, _ := pos.History()
	start := first.(*qchess.Position)
	custom := !isUsual(start)
	if custom {
		if err := c.tryBoard(ctx); err != nil {
			return err
		}
	}
	if err := c.seat(board.Turn()); err != nil {
		return err
	}
	if custom {
		if err := c.tellBoard(start); err != nil {
			return err
		}
	}
	c.there = start
	return c.tell(pos)
}

// isUsual reports whether a game begins so as far as the sides can see.
func isUsual(start *qchess.Position) bool {
	board, usual := start.Board(), qchess.NewBoard()
	board = board.View()
	return board.String() == usual.String()
}

// seat starts an agent that has not been told anything, and tells it its side.
func (c *Client) seat(side engine.Turn) error {
	if c.seated {
		c.quit("")
	}
	if err := c.link.Start(); err != nil {
		return err
	}
	if err := c.send(pluginclient.Pinged, colour(side)); err != nil {
		return err
	}
	c.seated, c.side = true, side
	return nil
}

// follows reports whether a position goes on from what the agent has been told.
func (c *Client) follows(pos *qchess.Position) bool {
	if c.there == nil {
		return false
	}
	there, told := c.there.History()
	start, moves := pos.History()
	if len(told) > len(moves) || there != start && there.String() != start.String() {
		return false
	}
	for i, m := range told {
		if m != moves[i] {
			return false
		}
	}
	return true
}

// tell sends the updates of the moves that the agent does not know yet.
func (c *Client) tell(pos *qchess.Position) error {
	_, told := c.there.History()
	_, moves := pos.History()
	board := c.there.Board()
	var lines []string
	for _, m := range moves[len(told):] {
		u, ready, err := board.Tell(qchess.Step(m))
		if err != nil {
			return err
		}
		if ready {
			lines = append(lines, u.String())
		}
	}
	c.there = pos
	if lines == nil {
		return nil
	}
	return c.send(pluginclient.Pinged, lines...)
}

// tellBoard sends a board, and the selection on it if there is one.
func (c *Client) tellBoard(start *qchess.Position) error {
	board := start.Board()
	lines := BoardLines(&board)
	if p, ok := board.Selected(); ok && !board.Drawing() {
		u := qchess.Update{From: p.At, Index: int(p.State), Kind: p.Kind()}
		lines = append(lines, u.String())
	}
	return c.send(pluginclient.Pinged, lines...)
}

// send sends lines. The agent must not have said anything since it was asked last.
func (c *Client) send(dir pluginclient.Direction, lines ...string) error {
	if err := c.unasked(); err != nil {
		return err
	}
	return c.link.Send(dir, lines...)
}

// unasked is the verdict on an agent that has spoken though it was not asked.
func (c *Client) unasked() error {
	lines := c.link.Conn.Drain()
	if len(lines) == 0 {
		return nil
	}
	return &Verdict{
		Side: c.side, Words: fmt.Sprintf(`GIBBERISH "%s"`, lines[0]), Line: lines[0],
		Err: fmt.Errorf("%w: it speaks without being asked", pluginclient.ErrInvalidReply),
	}
}

// errIgnoresBoard is the error of a position that an agent cannot be told.
var errIgnoresBoard = fmt.Errorf("%w: it ignores %s, so it can only be asked in a game from the usual start", pluginclient.ErrRefused, Board)

// tryBoard makes sure, once, that the agent obeys BOARD: on a board where it has but one piece,
// where there is none at the start, it has to select that.
func (c *Client) tryBoard(ctx context.Context) error {
	if !c.tried {
		obeys, err := c.doesObey(ctx)
		if err != nil {
			return err
		}
		c.obeys, c.tried = obeys, true
	}
	if !c.obeys {
		return errIgnoresBoard
	}
	return nil
}

// trial is the board of that.
const trial = "w -,-,-,kk@34,-,-,-,-,-,-,-,-,-,-,-,- -,-,-,kk@30,-,-,-,-,pp0@11,-,-,-,-,-,-,- -"

func (c *Client) doesObey(ctx context.Context) (bool, error) {
	board, err := qchess.ParseBoard(trial)
	if err != nil {
		return false, err
	}
	if err := c.seat(qchess.White); err != nil {
		return false, err
	}
	if err := c.send(pluginclient.Pinged, append(BoardLines(&board), Selection)...); err != nil {
		return false, err
	}
	wait, cancel := c.link.ThinkContext(ctx, 0)
	defer cancel()
	line, err := c.link.Conn.Receive(wait)
	switch {
	case errors.Is(err, pluginclient.ErrDied), errors.Is(err, pluginclient.ErrDeadline):
		c.link.Terminate()
		return false, nil
	case err != nil:
		return false, err
	}
	c.quit("")
	_, err = Judge(&board, line)
	return err == nil, nil
}

package qtp

import (
	"errors"
	"fmt"

	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
)

// syncHome sets the engine's game to that of the conversation. The trace marks the lines as added.
func (c *Client) syncHome() error {
	c.implicit = true
	defer func() { c.implicit = false }()
	if err := c.syncGame(c.game); err != nil {
		return err
	}
	c.outOfSync = false
	return nil
}

// syncGame sets the engine's game: by undo and the missing moves if the start is the same,
// otherwise from the start.
func (c *Client) syncGame(g *game) error {
	if c.engineGame == nil || !c.engineGame.sameStart(g) {
		return c.setUp(g)
	}
	same := 0
	for same < min(len(g.actions), len(c.engineGame.actions)) && g.actions[same] == c.engineGame.actions[same] {
		same++
	}
	err := c.undo(len(c.engineGame.actions) - same)
	if errors.Is(err, pluginclient.ErrRefused) {
		return c.setUp(g)
	}
	if err != nil {
		return err
	}
	return c.playAll(g.actions[same:])
}

// sameStart reports whether two games start with the same board, regardless of the side to move.
func (g *game) sameStart(h *game) bool {
	own, other := g.boardAt(0), h.boardAt(0)
	own.SetTurn(quoridor.Black)
	other.SetTurn(quoridor.Black)
	return own == other
}

func (c *Client) undo(times int) error {
	command := Undo
	switch {
	case times == 0:
		return nil
	case times > 1:
		command = fmt.Sprintf("%s %d", Undo, times)
	}
	err := c.execute(command)
	if errors.Is(err, pluginclient.ErrRefused) {
		c.judgeRefusal(Undo, err)
	}
	if err == nil {
		c.engineGame.undo(times)
	}
	return err
}

// setUp sets the engine's game from its start.
func (c *Client) setUp(g *game) error {
	start := g.boardAt(0)
	rules, actions, err := route(&start)
	if err != nil {
		return err
	}
	c.engineGame = nil
	for _, command := range []string{
		fmt.Sprintf("%s %d", BoardSize, rules.Size), ClearBoard, fmt.Sprintf("%s %d", Walls, rules.Walls),
	} {
		if err := c.execute(command); err != nil {
			return err
		}
	}
	c.engineGame = newGame(rules)
	if err := c.playAll(actions); err != nil {
		return err
	}
	c.engineGame = newGameFrom(start)
	return c.playAll(g.actions)
}

// playAll plays legal actions. A refusal breaks a rule.
func (c *Client) playAll(actions []quoridor.Action) error {
	for _, a := range actions {
		err := c.execute(formatPlay(a))
		if errors.Is(err, pluginclient.ErrRefused) {
			c.judgeRefusal(fields(formatPlay(a))[0], err)
			return fmt.Errorf("%w, although it is legal", err)
		}
		if err != nil {
			return err
		}
		c.engineGame.do(a)
	}
	return nil
}

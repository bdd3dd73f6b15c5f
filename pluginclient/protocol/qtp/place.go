package qtp

import (
	"errors"
	"fmt"

	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
)

// goHome sets the engine's game to that of the conversation. The trace marks the lines as added.
func (c *Client) goHome() error {
	c.adding = true
	defer func() { c.adding = false }()
	if err := c.place(c.home); err != nil {
		return err
	}
	c.away = false
	return nil
}

// place sets the engine's game: by undo and the missing moves if the start is the same, otherwise from
// the start.
func (c *Client) place(g *game) error {
	if c.there == nil || !c.there.beganAs(g) {
		return c.setUp(g)
	}
	same := 0
	for same < min(len(g.actions), len(c.there.actions)) && g.actions[same] == c.there.actions[same] {
		same++
	}
	err := c.takeBack(len(c.there.actions) - same)
	if errors.Is(err, pluginclient.ErrRefused) {
		return c.setUp(g)
	}
	if err != nil {
		return err
	}
	return c.playAll(g.actions[same:])
}

// beganAs reports whether two games have the same board at their start, whoever's turn it is.
func (g *game) beganAs(h *game) bool {
	mine, others := g.boardAt(0), h.boardAt(0)
	mine.SetTurn(quoridor.Black)
	others.SetTurn(quoridor.Black)
	return mine == others
}

// takeBack undoes moves.
func (c *Client) takeBack(times int) error {
	command := Undo
	switch {
	case times == 0:
		return nil
	case times > 1:
		command = fmt.Sprintf("%s %d", Undo, times)
	}
	err := c.order(command)
	if errors.Is(err, pluginclient.ErrRefused) {
		c.there = nil
		c.find(refusesLegal, err.Error())
	}
	if err == nil {
		c.there.undo(times)
	}
	return err
}

// setUp begins a game from its start.
func (c *Client) setUp(g *game) error {
	start := g.boardAt(0)
	rules, actions, err := route(&start)
	if err != nil {
		return err
	}
	c.there = nil
	for _, command := range []string{
		fmt.Sprintf("%s %d", BoardSize, rules.Size), ClearBoard, fmt.Sprintf("%s %d", Walls, rules.Walls),
	} {
		if err := c.order(command); err != nil {
			return err
		}
	}
	c.there = newGame(rules)
	if err := c.playAll(actions); err != nil {
		return err
	}
	c.there = beginning(start)
	return c.playAll(g.actions)
}

// playAll plays legal actions.
func (c *Client) playAll(actions []quoridor.Action) error {
	for _, a := range actions {
		err := c.order(playing(a))
		if errors.Is(err, pluginclient.ErrRefused) {
			c.there = nil
			c.find(refusesLegal, err.Error())
			return fmt.Errorf("%w, though it is legal", err)
		}
		if err != nil {
			return err
		}
		c.there.do(a)
	}
	return nil
}

package qtp

import (
	"errors"
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/engine/quoridor"
)

// genMove plays for a colour, whoever has moved last and whether or not somebody has won.
// It fails only where there is nothing to play at all, which the protocol does not foresee.
func (c *conversation) genMove(args []string) Reply {
	side, err := quoridor.ParseColour(args[0])
	if err != nil {
		return failure(invalidSyntax)
	}
	board := c.game.board()
	board.SetTurn(side)
	moves := board.AppendWalls(board.AppendSteps(nil, side), side)
	if len(moves) == 0 {
		return failure(noLegalMove)
	}
	a, err := c.think(quoridor.NewPosition(board))
	switch {
	case c.ctx.Err() != nil, c.over:
		return Reply{}
	case err == nil && !slices.Contains(moves, a):
		err = fmt.Errorf("it plays %v, which is illegal", a)
	}
	if err != nil {
		if !errors.Is(err, engine.ErrNoMove) {
			c.warn(err)
		}
		a = quoridor.Ahead(board, moves) // a plain move, for want of an engine's
	}
	c.game.do(a)
	return result(played(a))
}

// think asks the Searcher. One that does not answer a controller who has gone is left alone,
// and the conversation is over.
func (c *conversation) think(pos *quoridor.Position) (quoridor.Action, error) {
	type outcome struct {
		a   quoridor.Action
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		a, err := c.search(pos)
		done <- outcome{a, err}
	}()
	select {
	case o := <-done:
		return o.a, o.err
	case <-c.gone:
		c.over = true
		return 0, nil
	}
}

func (c *conversation) search(pos *quoridor.Position) (quoridor.Action, error) {
	lim := engine.Limits{Time: DefaultTime}
	if c.server.Limits != nil {
		lim = c.server.Limits()
	}
	var best []engine.Line
	for lines, err := range c.server.Searcher.Search(c.thinking, pos, lim) {
		if err != nil {
			return 0, err
		}
		if best = lines; c.server.Watch != nil {
			c.server.Watch(pos, lines)
		}
	}
	if len(best) == 0 || len(best[0].Moves) == 0 {
		return 0, errors.New("it gives no move")
	}
	return quoridor.Action(best[0].Move()), nil
}

// warn tells that a move was made without the Searcher.
func (c *conversation) warn(err error) {
	if c.server.Warn != nil {
		c.server.Warn(fmt.Sprintf("genmove: %v; a plain move was played instead", err))
	}
}

package qtp

import (
	"errors"
	"fmt"
	"slices"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient/serving"
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
	q := serving.Question{Searcher: c.server.Searcher, Pos: pos, Limits: engine.Limits{Time: DefaultTime}}
	if c.server.Limits != nil {
		q.Limits = c.server.Limits()
	}
	if watch := c.server.Watch; watch != nil {
		q.Each = func(_ *serving.Search, lines []engine.Line) { watch(pos, lines) }
	}
	s := serving.Begin(c.thinking, q)
	select {
	case <-s.Done():
	case <-c.gone:
		c.over = true
		return 0, nil
	}
	switch best, err := s.Lines(), s.Err(); {
	case err != nil:
		return 0, err
	case len(best) == 0 || len(best[0].Moves) == 0:
		return 0, errors.New("it gives no move")
	default:
		return quoridor.Action(best[0].Move()), nil
	}
}

// warn tells that a move was made without the Searcher.
func (c *conversation) warn(err error) {
	if c.server.Warn != nil {
		c.server.Warn(fmt.Sprintf("genmove: %v; a plain move was played instead", err))
	}
}

package qtp

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
)

// Search makes the engine play a move at pos with genmove, and takes it back before the next command.
// It yields once: one line with one move and no score, regardless of Limits.Lines.
//
// Limits on nodes and depth and levels are errors, since the protocol cannot express them. It can
// express neither a time limit nor a stop command: an engine that has not answered at the time limit
// plus Deadlines.Late is ended, and so is one that has not answered Deadlines.Abort after ctx ended.
// A banned move is an error that wraps pluginclient.ErrRefused, and an illegal move one that wraps
// pluginclient.ErrIllegal. The conversation's position does not change.
func (c *Client) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		line, err := c.search(ctx, pos, lim)
		if err != nil {
			yield(nil, err)
			return
		}
		yield([]engine.Line{line}, nil)
	}
}

// Untimed implements [pluginclient.Untimed].
func (c *Client) Untimed() {}

func (c *Client) search(ctx context.Context, pos engine.Position, lim engine.Limits) (engine.Line, error) {
	board, err := c.validate(pos, lim)
	if err != nil {
		return engine.Line{}, err
	}
	line, err := pluginclient.Call(ctx, c.link, func(ctx context.Context) (engine.Line, error) {
		if err := c.link.Start(); err != nil {
			return engine.Line{}, err
		}
		c.outOfSync = true
		if err := c.syncGame(newGameTo(board)); err != nil {
			return engine.Line{}, err
		}
		a, err := c.genMove(ctx, board.Turn(), lim.Time)
		switch {
		case err != nil:
			return engine.Line{}, err
		case slices.Contains(lim.Ban, engine.Move(a)):
			return engine.Line{}, fmt.Errorf("%w: banned move %v; the engine cannot exclude moves", pluginclient.ErrRefused, a)
		}
		return engine.Line{Moves: []engine.Move{engine.Move(a)}}, nil
	})
	return line, c.link.PrefixName(err)
}

// UnsupportedLimits are the limits that the protocol cannot express.
const UnsupportedLimits = engine.LimitLevel | engine.LimitNodes | engine.LimitDepth

// validate validates a search.
func (c *Client) validate(pos engine.Position, lim engine.Limits) (*quoridor.Position, error) {
	board, ok := pos.(*quoridor.Position)
	refused := lim.Check(Protocol, UnsupportedLimits)
	switch {
	case !ok || board == nil:
		return nil, c.otherGame(pos)
	case refused != nil:
		return nil, fmt.Errorf("%s: %w", c.Name(), refused)
	case board.Result().Over():
		return nil, fmt.Errorf("%s: %w", board.Result().Reason, engine.ErrNoMove)
	case !slices.ContainsFunc(board.Moves(), func(m engine.Move) bool { return !slices.Contains(lim.Ban, m) }):
		return nil, fmt.Errorf("every legal move is banned: %w", engine.ErrNoMove)
	}
	return board, nil
}

// genMove makes the engine play a move for a side on its current board.
func (c *Client) genMove(ctx context.Context, side engine.Turn, limit time.Duration) (quoridor.Action, error) {
	colour := quoridor.ColourName(side)
	if err := c.send(pluginclient.Sent, GenMove+" "+colour); err != nil {
		return 0, err
	}
	a, _, err := c.readGenMove(ctx, colour, limit)
	return a, err
}

// readGenMove waits for the response to a genmove for a colour, and plays the move in engineGame.
// It may return both a response and an error; an error of ctx takes precedence over one of the
// response.
func (c *Client) readGenMove(ctx context.Context, colour string, limit time.Duration) (quoridor.Action, reply, error) {
	before := c.engineGame
	c.engineGame = nil // until its move is known
	r, err := c.awaitGenMove(ctx, limit)
	if len(r.text) == 0 {
		return 0, r, err
	}
	a, invalid := c.parseGenMoveReply(r, colour)
	if invalid == nil && before != nil {
		invalid = c.playEngineMove(before, a)
	}
	if invalid == nil || r.failed { // a failure changes nothing
		c.engineGame = before
	}
	if err == nil {
		err = invalid
	}
	return a, r, err
}

// parseGenMoveReply parses the response to a genmove for a colour.
func (c *Client) parseGenMoveReply(r reply, colour string) (quoridor.Action, error) {
	side, err := quoridor.ParseColour(colour)
	if r.failed {
		if err == nil {
			c.judge(genMoveNever, "%q", r.raw[0])
		}
		return 0, fmt.Errorf("%w: genmove answered with %q", pluginclient.ErrRefused, pluginclient.Excerpt(r.line()))
	}
	var a quoridor.Action
	if err == nil {
		if a, err = parseGenMove(r.line(), side); err != nil {
			c.judge(genMoveVertex, "%q", r.raw[0])
		}
	}
	if err != nil {
		return 0, fmt.Errorf("%w: genmove: %w", pluginclient.ErrInvalidReply, err)
	}
	return a, nil
}

// playEngineMove plays the engine's move in g, if it is legal.
func (c *Client) playEngineMove(g *game, a quoridor.Action) error {
	if err := g.play(a); err != nil {
		c.judgeAt(genMoveLegal, g.position().String(), "genmove plays %v: %v", a, err)
		return fmt.Errorf("%w: %w", pluginclient.ErrIllegal, err)
	}
	return nil
}

// awaitGenMove waits for the response to genmove until the time limit plus Deadlines.Late. If ctx
// ends, it still waits for the response, since nothing else makes the engine idle, and returns it
// together with the error.
func (c *Client) awaitGenMove(ctx context.Context, limit time.Duration) (reply, error) {
	wait, cancel := c.link.ThinkContext(ctx, limit)
	defer cancel()
	r, err := c.readReply(wait, GenMove)
	switch {
	case err == nil:
		return r, nil
	case errors.Is(err, pluginclient.ErrTimeUp):
		return c.awaitLate(c.link.Deadlines.Late)
	case errors.Is(err, engine.ErrMoveNow):
		return c.awaitLate(c.link.Deadlines.Think)
	case pluginclient.Lost(err) && !errors.Is(err, pluginclient.ErrClosed):
		return r, err
	}
	// Does not end with the session: Close needs an idle engine too.
	rest, cancelRest := pluginclient.WithDeadline(context.Background(), c.link.Deadlines.Abort)
	defer cancelRest()
	r, late := c.readReply(rest, GenMove)
	if late != nil {
		return reply{}, fmt.Errorf("%w, and the protocol has no stop command: %w", err, late)
	}
	return r, err
}

func (c *Client) awaitLate(limit time.Duration) (reply, error) {
	ctx, cancel := c.link.WithDeadline(limit)
	defer cancel()
	return c.readReply(ctx, GenMove)
}

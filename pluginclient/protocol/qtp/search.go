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

func (c *Client) search(ctx context.Context, pos engine.Position, lim engine.Limits) (engine.Line, error) {
	board, err := c.searchable(pos, lim)
	if err != nil {
		return engine.Line{}, err
	}
	line, err := pluginclient.Call(ctx, c.link, func(ctx context.Context) (engine.Line, error) {
		if err := c.link.Start(); err != nil {
			return engine.Line{}, err
		}
		c.away = true
		if err := c.place(gameOf(board)); err != nil {
			return engine.Line{}, err
		}
		a, err := c.generate(ctx, board.Turn(), lim.Time)
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

// searchable validates a search.
func (c *Client) searchable(pos engine.Position, lim engine.Limits) (*quoridor.Position, error) {
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

// generate has the engine play for a side where it is.
func (c *Client) generate(ctx context.Context, side engine.Turn, limit time.Duration) (quoridor.Action, error) {
	colour := quoridor.ColourName(side)
	if err := c.send(pluginclient.Sent, GenMove+" "+colour); err != nil {
		return 0, err
	}
	a, _, err := c.generated(ctx, colour, limit)
	return a, err
}

// generated waits for the response to a genmove for a colour, and follows it where the engine
// is. An error may come with the response; one of ctx goes before what is wrong with that.
func (c *Client) generated(ctx context.Context, colour string, limit time.Duration) (quoridor.Action, reply, error) {
	there := c.there
	c.there = nil // until it has said what it plays
	r, err := c.await(ctx, limit)
	if len(r.text) == 0 {
		return 0, r, err
	}
	a, wrong := c.answered(r, colour)
	if wrong == nil && there != nil {
		wrong = c.follow(there, a)
	}
	if wrong == nil || r.failed { // a failure changes nothing
		c.there = there
	}
	if err == nil {
		err = wrong
	}
	return a, r, err
}

// answered reads the response to a genmove for a colour.
func (c *Client) answered(r reply, colour string) (quoridor.Action, error) {
	side, err := quoridor.ParseColour(colour)
	if r.failed {
		if err == nil {
			c.find(genMoveFails, r.raw[0])
		}
		return 0, fmt.Errorf("%w: genmove answered with %q", pluginclient.ErrRefused, pluginclient.Excerpt(r.line()))
	}
	var a quoridor.Action
	if err == nil {
		if a, err = readPlayed(r.line(), side); err != nil {
			c.find(genMoveNotOne, r.raw[0])
		}
	}
	if err != nil {
		return 0, fmt.Errorf("%w: genmove: %w", pluginclient.ErrInvalidReply, err)
	}
	return a, nil
}

// follow plays what the engine has played.
func (c *Client) follow(g *game, a quoridor.Action) error {
	if err := g.play(a); err != nil {
		c.find(takesIllegal, playing(a))
		return fmt.Errorf("%w: %w", pluginclient.ErrIllegal, err)
	}
	return nil
}

// await waits for the response to genmove until the time limit plus Deadlines.Late. If ctx ends, it
// still waits for the response, since nothing else makes the engine idle, and returns it together with
// the error.
func (c *Client) await(ctx context.Context, limit time.Duration) (reply, error) {
	wait, cancel := c.link.ThinkContext(ctx, limit)
	defer cancel()
	r, err := c.hear(wait, GenMove)
	switch {
	case err == nil:
		return r, nil
	case errors.Is(err, pluginclient.ErrTimeUp):
		return c.hearLate(c.link.Deadlines.Late)
	case errors.Is(err, engine.ErrMoveNow):
		return c.hearLate(c.link.Deadlines.Think)
	case pluginclient.Lost(err) && !errors.Is(err, pluginclient.ErrClosed):
		return r, err
	}
	// Does not end with the session: Close needs an idle engine too.
	rest, cancelRest := pluginclient.WithDeadline(context.Background(), c.link.Deadlines.Abort)
	defer cancelRest()
	r, late := c.hear(rest, GenMove)
	if late != nil {
		return reply{}, fmt.Errorf("%w, and it cannot be told to stop: %w", err, late)
	}
	return r, err
}

func (c *Client) hearLate(limit time.Duration) (reply, error) {
	ctx, cancel := c.link.WithDeadline(limit)
	defer cancel()
	return c.hear(ctx, GenMove)
}

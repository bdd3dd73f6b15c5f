package checkerboard

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"qhsh/engine"
	"qhsh/engine/checkers"
	"qhsh/pluginclient"
)

// UnsupportedLimits are the limits that the API cannot express.
const UnsupportedLimits = engine.LimitLevel | engine.LimitNodes | engine.LimitDepth

// DefaultTime is the time of a search without a time limit.
const DefaultTime = time.Second

// An engine may exceed its time: many start an iteration shortly before the end, and stop it at
// three times the time.
const (
	overrunFactor = 3
	grace         = time.Second // before playnow is sent, and again before the engine is ended
)

// Search makes the engine play at a position. It yields once: one line with one move and no score,
// regardless of Limits.Lines, and with the engine's status as its Text.
//
// Limits on nodes and depth and levels are errors, since the API cannot express them. An engine
// that exceeds three times its time by a second gets playnow, and is ended if it does not move
// within another second. A banned move is an error that wraps pluginclient.ErrRefused, and an
// illegal answer one that wraps pluginclient.ErrIllegal. A position in which the game is over is
// not sent, since some engines crash or hang then.
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
	p, err := c.validate(pos, lim)
	if err != nil {
		return engine.Line{}, err
	}
	line, err := pluginclient.Call(ctx, c.link, func(ctx context.Context) (engine.Line, error) {
		if err := c.link.Start(); err != nil {
			return engine.Line{}, err
		}
		answer, err := c.getMove(ctx, p, lim.Time, lim.Clock)
		if err != nil {
			return engine.Line{}, err
		}
		board := p.Board()
		m, err := answer.LegalMove(&board)
		switch {
		case err != nil:
			return engine.Line{}, err
		case slices.Contains(lim.Ban, engine.Move(m)):
			return engine.Line{}, fmt.Errorf("%w: banned move %s; the engine cannot exclude moves", pluginclient.ErrRefused, board.Format(m))
		}
		return engine.Line{Moves: []engine.Move{engine.Move(m)}, Text: answer.Status}, nil
	})
	return line, c.link.PrefixName(err)
}

// validate validates a search.
func (c *Client) validate(pos engine.Position, lim engine.Limits) (*checkers.Position, error) {
	p, err := c.checkPosition(pos)
	if err != nil {
		return nil, err
	}
	refused := lim.Check(Protocol, UnsupportedLimits)
	switch {
	case refused != nil:
		return nil, fmt.Errorf("%s: %w", c.Name(), refused)
	case p.Result().Over():
		return nil, fmt.Errorf("%s: %w", p.Result().Reason, engine.ErrNoMove)
	case engine.FirstAllowed(p, lim.Ban) == engine.NoMove:
		return nil, fmt.Errorf("every legal move is banned: %w", engine.ErrNoMove)
	}
	return p, nil
}

// getMove makes the engine search a position.
func (c *Client) getMove(ctx context.Context, p *checkers.Position, limit time.Duration, clock engine.Clock) (Answer, error) {
	if limit == 0 {
		limit = DefaultTime
	}
	board := p.Board()
	info, moreinfo := c.parameters(p, clock)
	c.last = nil
	if err := c.sendHistory(p); err != nil {
		return Answer{}, err
	}
	c.link.Command, c.link.SentAt = GetMove, time.Now()
	if err := c.link.Send(pluginclient.Sent, Request(&board, limit, info, moreinfo)); err != nil {
		return Answer{}, err
	}
	pluginclient.SearchStarted(ctx)
	longest := overrunFactor * limit
	if c.sendClock {
		longest = max(longest, clock.Left)
	}
	answer, err := c.await(ctx, longest)
	if err == nil {
		c.last = p
	}
	return answer, err
}

// sendHistory sends the game so far, as CheckerBoard does before every getmove. Engines need not
// understand it.
func (c *Client) sendHistory(p *checkers.Position) error {
	ctx, cancel := c.link.WithDeadline(c.link.Deadlines.Reply)
	defer cancel()
	_, _, err := c.command(ctx, pluginclient.Sent, setGameHistory+" "+gameHistory(p))
	return err
}

// await waits for the answer to getmove. If the wait ends early for any reason, it sends playnow,
// since nothing else makes the engine idle.
func (c *Client) await(ctx context.Context, longest time.Duration) (Answer, error) {
	wait, cancel := c.link.ThinkContext(ctx, longest+grace)
	defer cancel()
	answer, err := c.readAnswer(wait)
	if err == nil || pluginclient.Lost(err) && !errors.Is(err, pluginclient.ErrClosed) {
		return answer, err
	}
	// Does not end with the session: Close needs an idle engine too.
	if sent := c.link.Send(pluginclient.Sent, PlayNow); sent != nil {
		return Answer{}, sent
	}
	rest, cancelRest := pluginclient.WithDeadline(context.Background(), max(grace, c.link.Deadlines.Abort))
	defer cancelRest()
	answer, late := c.readAnswer(rest)
	switch {
	case late != nil:
		return Answer{}, late
	case errors.Is(err, engine.ErrMoveNow), errors.Is(err, pluginclient.ErrTimeUp):
		return answer, nil
	}
	return Answer{}, err
}

// readAnswer reads up to the answer to getmove.
func (c *Client) readAnswer(ctx context.Context) (Answer, error) {
	for {
		line, err := c.link.Conn.Receive(ctx)
		if err != nil {
			return Answer{}, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt)
		}
		switch word, rest, _ := strings.Cut(line, " "); word {
		case Status:
		case Move:
			return ParseAnswer(rest)
		default:
			return Answer{}, fmt.Errorf("%w: to %s: %q", pluginclient.ErrInvalidReply, GetMove, pluginclient.Excerpt(line))
		}
	}
}

package qchess

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"qhsh/engine"
	"qhsh/engine/qchess"
	"qhsh/pluginclient"
)

// UnsupportedLimits are the limits that no agent can be given.
const UnsupportedLimits = engine.LimitLevel | engine.LimitNodes | engine.LimitDepth

// Search asks the agent for the selection or the move at a position. It yields once, one line of
// one move without a score, however many lines are wanted.
//
// An agent cannot be told the time, nor to stop. One that has not answered when the time and
// Deadlines.Late are over is ended, and so is one that a caller does not wait for any more and that
// does not answer within Deadlines.Abort. An answer that the server would not take is an error that
// wraps a [Verdict]: the agent is told that it has lost, and ended. A banned move is an error that
// wraps pluginclient.ErrRefused.
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
	at, err := c.validate(pos, lim)
	if err != nil {
		return engine.Line{}, err
	}
	line, err := pluginclient.Call(ctx, c.link, func(ctx context.Context) (engine.Line, error) {
		s, err := c.request(ctx, at, lim.Time)
		switch {
		case err != nil:
			return engine.Line{}, c.reportLoss(err)
		case slices.Contains(lim.Ban, engine.Move(s)):
			return engine.Line{}, fmt.Errorf("%w: it plays %v, which is banned: it cannot be told to leave moves out", pluginclient.ErrRefused, s)
		}
		return engine.Line{Moves: []engine.Move{engine.Move(s)}}, nil
	})
	return line, c.link.PrefixName(err)
}

// validate refuses what cannot be asked of an agent.
func (c *Client) validate(pos engine.Position, lim engine.Limits) (*qchess.Position, error) {
	at, ok := pos.(*qchess.Position)
	refused := lim.Check(Protocol, UnsupportedLimits)
	switch {
	case !ok || at == nil:
		return nil, fmt.Errorf("%s: %w", c.name, engine.OtherGame(pos, qchess.Rules))
	case refused != nil:
		return nil, fmt.Errorf("%s: %w", c.name, refused)
	case at.Result().Over():
		return nil, fmt.Errorf("%s: %w", at.Result().Reason, engine.ErrNoMove)
	case at.Turn() == engine.Chance:
		return nil, fmt.Errorf("it is chance's turn: %w", engine.ErrNoMove)
	case !slices.ContainsFunc(at.Moves(), func(m engine.Move) bool { return !slices.Contains(lim.Ban, m) }):
		return nil, fmt.Errorf("every legal move is banned: %w", engine.ErrNoMove)
	}
	return at, nil
}

// request brings the agent to a position, and asks it for a square.
func (c *Client) request(ctx context.Context, pos *qchess.Position, limit time.Duration) (qchess.Step, error) {
	if err := c.link.Start(); err != nil {
		return 0, err
	}
	if err := c.syncPosition(ctx, pos); err != nil {
		return 0, err
	}
	board := pos.Board()
	request := Selection
	if _, moving := board.Selected(); moving {
		request = Move
	}
	c.link.Command, c.link.SentAt = request, time.Now()
	if err := c.send(pluginclient.Sent, request); err != nil {
		return 0, noAnswerVerdict(c.side, err, "")
	}
	pluginclient.SearchStarted(ctx)
	line, err := c.await(ctx, limit)
	if err != nil {
		return 0, err
	}
	return Judge(&board, line)
}

// await waits for the answer: to the end of the time and a little longer. When the caller gives up,
// it is waited for all the same, since nothing else brings the agent to rest.
func (c *Client) await(ctx context.Context, limit time.Duration) (string, error) {
	wait, cancel := c.link.ThinkContext(ctx, limit)
	defer cancel()
	line, err := c.receive(wait)
	switch {
	case err == nil:
		return line, nil
	case errors.Is(err, pluginclient.ErrTimeUp):
		return c.receiveLate(c.link.Deadlines.Late)
	case errors.Is(err, engine.ErrMoveNow):
		return c.receiveLate(c.link.Deadlines.Think)
	case pluginclient.Lost(err):
		return "", err
	}
	rest, cancelRest := pluginclient.WithDeadline(context.Background(), c.link.Deadlines.Abort)
	defer cancelRest()
	if _, late := c.receive(rest); late != nil {
		return "", fmt.Errorf("%w, and it cannot be told to stop: %w", err, late)
	}
	c.agentPos = nil // it takes its answer for played
	return "", err
}

func (c *Client) receiveLate(limit time.Duration) (string, error) {
	ctx, cancel := c.link.WithDeadline(limit)
	defer cancel()
	return c.receive(ctx)
}

// receive waits for a line. No answer is a verdict.
func (c *Client) receive(ctx context.Context) (string, error) {
	line, err := c.link.Conn.Receive(ctx)
	if err == nil {
		return line, nil
	}
	part := c.link.Conn.Partial()
	return "", noAnswerVerdict(c.side, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt), part)
}

// reportLoss tells the agent of a verdict on it, and ends it.
func (c *Client) reportLoss(err error) error {
	var v *Verdict
	if errors.As(err, &v) && c.link.Conn != nil {
		c.quit(v.Result())
	}
	return err
}

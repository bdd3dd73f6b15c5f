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

// UnsupportedLimits are the limits that the protocol cannot express.
const UnsupportedLimits = engine.LimitLevel | engine.LimitNodes | engine.LimitDepth

// Search asks the agent for the selection or the move at a position. It yields once: one line with
// one move and no score, regardless of Limits.Lines.
//
// The protocol can express neither a time limit nor a stop command. An agent that has not answered
// at the time limit plus Deadlines.Late is ended, and so is one that has not answered
// Deadlines.Abort after ctx ended. An answer that the server would reject is an error that wraps a
// [Verdict]: the agent is told that it has lost, and ended. A banned move is an error that wraps
// pluginclient.ErrRefused.
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
			return engine.Line{}, fmt.Errorf("%w: banned move %v; the agent cannot exclude moves", pluginclient.ErrRefused, s)
		}
		return engine.Line{Moves: []engine.Move{engine.Move(s)}}, nil
	})
	return line, c.link.PrefixName(err)
}

// validate validates a search.
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

// request sets the agent's position and requests a square.
func (c *Client) request(ctx context.Context, pos *qchess.Position, limit time.Duration) (qchess.Step, error) {
	if err := c.link.Start(); err != nil {
		return 0, err
	}
	if err := c.syncPosition(ctx, pos, pos.Turn()); err != nil {
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

// await waits for the answer until the time limit plus Deadlines.Late. If ctx ends, it still waits
// for the answer, since nothing else makes the agent idle.
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
		return "", fmt.Errorf("%w, and the protocol has no stop command: %w", err, late)
	}
	c.agentPos = nil // the agent assumes that its answer was played
	return "", err
}

func (c *Client) receiveLate(limit time.Duration) (string, error) {
	ctx, cancel := c.link.WithDeadline(limit)
	defer cancel()
	return c.receive(ctx)
}

// receive waits for a line. If none comes, the error wraps a Verdict.
func (c *Client) receive(ctx context.Context) (string, error) {
	line, err := c.link.Conn.Receive(ctx)
	if err == nil {
		return line, nil
	}
	part := c.link.Conn.Partial()
	return "", noAnswerVerdict(c.side, c.link.Conn.ExplainTimeout(err, "", pluginclient.Excerpt), part)
}

// reportLoss sends the agent a verdict on it, and ends it.
func (c *Client) reportLoss(err error) error {
	var v *Verdict
	if errors.As(err, &v) && c.link.Conn != nil {
		c.quit(v.Result())
	}
	return err
}

package puzzle

import (
	"context"
	"errors"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// An Only is a [batch.Asker] whose replies show whether one move alone is right: they have the best move of a position
// without its history, and the best of all others, unless there is none. Of the Options, only Prove, Time and Scale
// matter.
type Only struct {
	Engine
	Options
}

// Identity describes the engine, with the limits of these searches.
func (o Only) Identity() batch.Reply {
	reply := o.Engine.Identity()
	reply.Limits = batch.LimitsOf(engine.Limits{Level: o.Prove, Time: o.Time}, o.Prove > 0)
	return reply
}

// Ask searches a position, and again without the best move.
func (o Only) Ask(ctx context.Context, pos engine.Position) (batch.Reply, error) {
	c, reply := Composer(o), o.Identity()
	start, err := withoutHistory(pos)
	if err != nil {
		reply.Err = err
		return reply, nil
	}
	first, err := c.search(ctx, start, o.Prove)
	var other line
	if err == nil {
		other, err = c.search(ctx, start, o.Prove, first.moves[0])
	}
	var failed positionError
	switch {
	case errors.As(err, &failed):
		reply.Err, err = failed.error, nil
	case err == nil && len(other.moves) == 0:
		reply.Hints = []batch.Hint{first.hint}
	case err == nil:
		reply.Hints = []batch.Hint{first.hint, other.hint}
	}
	return reply, err
}

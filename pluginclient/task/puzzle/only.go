package puzzle

import (
	"context"
	"errors"

	"qhsh/engine"
	"qhsh/pluginclient/task/batch"
)

// An Only is a [batch.Asker] that proves that one move alone is right: its replies have the best move of a position
// without its history, and the best of all others, unless there is none; they have no hints if that is not proved. Of the
// Options, only Prove, Time, Scale and Known matter.
type Only struct {
	Engine
	Options
	// Again is the level at which what Prove has found is proved once more, since a search at one level is often
	// wrong about close moves; Prove: it is not.
	Again int
	// Apart are how much less the chance of winning is by all other moves at both levels.
	Apart [2]float64
}

// Identity describes the engine, with the limits of the first searches.
func (o Only) Identity() batch.Reply { return o.identity(o.Prove) }

func (o Only) identity(level int) batch.Reply {
	reply := o.Engine.Identity()
	reply.Limits = batch.LimitsOf(engine.Limits{Level: level, Time: o.Time}, level > 0)
	return reply
}

// Ask searches a position, and again without the best move, at both levels.
func (o Only) Ask(ctx context.Context, pos engine.Position) (batch.Reply, error) {
	reply := o.identity(o.Again)
	start, err := engine.WithoutHistory(pos)
	if err != nil {
		reply.Err = err
		return reply, nil
	}
	c, right := Composer{o.Engine, o.Options}, engine.NoMove
	for i, level := range []int{o.Prove, o.Again} {
		if i > 0 && level == o.Prove {
			break
		}
		first, err := c.search(ctx, start, level)
		var other line
		if err == nil {
			other, err = c.search(ctx, start, level, first.moves[0])
		}
		var failed positionError
		switch {
		case errors.As(err, &failed):
			reply.Err = failed.error
			return reply, nil
		case err != nil:
			return reply, err
		case i > 0 && first.moves[0] != right, len(other.moves) > 0 && first.chance-other.chance < o.Apart[i]:
			reply.Hints = nil
			return reply, nil
		}
		right, reply.Hints = first.moves[0], []batch.Hint{first.hint}
		if len(other.moves) > 0 {
			reply.Hints = append(reply.Hints, other.hint)
		}
	}
	return reply, nil
}

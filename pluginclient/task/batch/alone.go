package batch

import (
	"context"
	"errors"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// Alone is a crew of one engine that somebody else has opened, and looks after: search asks
// it for its best lines. They are checked, and an error of the engine's is the Reply's.
func Alone(s pluginclient.Session, search func(ctx context.Context, pos engine.Position) ([]engine.Line, error)) Crew {
	return alone{s, search}
}

type alone struct {
	session pluginclient.Session
	search  func(ctx context.Context, pos engine.Position) ([]engine.Line, error)
}

func (a alone) Size() int  { return 1 }
func (a alone) Who() Reply { return whoIs(a.session) }

func (a alone) Ask(ctx context.Context, pos engine.Position) (Reply, error) {
	reply := a.Who()
	lines, err := a.search(ctx, pos)
	if err == nil {
		reply.Hints, err = showAll(pos, lines)
	}
	switch {
	case err == nil:
		return reply, nil
	case ctx.Err() != nil:
		return reply, context.Cause(ctx)
	case errors.Is(err, pluginclient.ErrStart):
		return reply, err
	}
	reply.Err = pluginclient.Untimed(err)
	return reply, nil
}

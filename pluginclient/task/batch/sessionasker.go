package batch

import (
	"context"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/asking"
)

// A SessionAsker is an Asker that uses one session.
type SessionAsker struct {
	session pluginclient.Session
	policy  asking.Policy
	limits  engine.Limits
}

// NewSessionAsker returns an Asker that uses a session which the caller opens and closes. The
// policy says how the engine is asked; an engine's error becomes the Reply's Err.
func NewSessionAsker(s pluginclient.Session, policy asking.Policy, lim engine.Limits) SessionAsker {
	return SessionAsker{s, policy, lim}
}

func (a SessionAsker) Size() int       { return 1 }
func (a SessionAsker) Identity() Reply { return identityOf(a.session, "", a.limits) }

func (a SessionAsker) Ask(ctx context.Context, pos engine.Position) (Reply, error) {
	return a.Query(ctx, Query{Pos: pos, Limits: a.limits})
}

// Query is Ask with the limits of q.
func (a SessionAsker) Query(ctx context.Context, q Query) (Reply, error) {
	policy := a.policy
	if q.OnLines != nil {
		policy.OnLines = q.OnLines
	}
	lines, err := policy.Ask(ctx, a.session, q.Pos, q.Limits)
	return replyOf(ctx, identityOf(a.session, "", q.Limits), q.Pos, lines, err)
}

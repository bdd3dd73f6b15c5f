package batch

import (
	"context"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/asking"
)

// NewSessionAsker returns an Asker that uses a session which the caller opens and closes. The
// policy says how the engine is asked; an engine's error becomes the Reply's Err.
func NewSessionAsker(s pluginclient.Session, policy asking.Policy, lim engine.Limits) Asker {
	return sessionAsker{s, policy, lim}
}

type sessionAsker struct {
	session pluginclient.Session
	policy  asking.Policy
	limits  engine.Limits
}

func (a sessionAsker) Size() int       { return 1 }
func (a sessionAsker) Identity() Reply { return identityOf(a.session, "", a.limits) }

func (a sessionAsker) Ask(ctx context.Context, pos engine.Position) (Reply, error) {
	lines, err := a.policy.Ask(ctx, a.session, pos, a.limits)
	return replyOf(ctx, a.Identity(), pos, lines, err)
}

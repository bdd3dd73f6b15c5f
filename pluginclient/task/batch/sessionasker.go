package batch

import (
	"context"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/asking"
)

// NewSessionAsker is a crew of one engine that somebody else has opened, and looks after. How it is asked
// is the policy's; an error of the engine's is the Reply's.
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

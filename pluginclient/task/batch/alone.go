package batch

import (
	"context"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/asking"
)

// Alone is a crew of one engine that somebody else has opened, and looks after. How it is asked
// is the policy's; an error of the engine's is the Reply's.
func Alone(s pluginclient.Session, policy asking.Policy, lim engine.Limits) Crew {
	return alone{s, policy, lim}
}

type alone struct {
	session pluginclient.Session
	policy  asking.Policy
	limits  engine.Limits
}

func (a alone) Size() int  { return 1 }
func (a alone) Who() Reply { return whoIs(a.session, "", a.limits) }

func (a alone) Ask(ctx context.Context, pos engine.Position) (Reply, error) {
	lines, err := a.policy.Ask(ctx, a.session, pos, a.limits)
	return replyOf(ctx, a.Who(), pos, lines, err)
}

package annotate

import (
	"context"

	"qhsh/pluginclient/task/batch"
)

// suspicious is the part of the loss of an inaccuracy from which a move is looked at again: less
// than 1, because a first search may underrate the loss.
const suspicious = .8

// recheck has the positions around suspicious moves searched again and judges the moves anew, until
// every mark rests on two deeper searches. Every position is searched again once at most. Which ones
// depends on the scores alone, whatever the number of engines.
func (a *Annotated) recheck(ctx context.Context, done Progress) error {
	deeper := a.Options.Deeper
	if deeper == nil || deeper.Identity().Limits == a.Limits {
		return nil
	}
	a.Deeper = deeper.Identity().Limits
	for plies := a.nextSuspects(); len(plies) > 0; plies = a.nextSuspects() {
		before := done.Second
		done.Again += len(plies)
		a.progress(done)
		if err := a.search(ctx, deeper, plies, func(t batch.Tally) { done.Second = before.Plus(t); a.progress(done) }); err != nil {
			return err
		}
		a.judge()
	}
	return nil
}

// nextSuspects returns the plies before and after suspicious moves, in game order, but for those that
// it has returned before.
func (a *Annotated) nextSuspects() (plies []*Ply) {
	for i := range a.Plies[1:] {
		if !a.isSuspicious(i + 1) {
			continue
		}
		plies = append(plies, a.Plies[i].unsearched(2)...)
		plies = append(plies, a.Plies[i+1].unsearched(2)...)
	}
	return plies
}

// isSuspicious reports whether a move is bad or nearly so, or was misjudged: the score falls after the
// engine's own move as after a bad one, or rises as much as it falls by a mistake, so that the
// position before was better than it seemed, and the move that led to it worse.
func (a *Annotated) isSuspicious(ply int) bool {
	class, t := a.Plies[ply].Class, a.Options.Thresholds
	loss, ok := a.lossOf(ply)
	if !ok || class == Unjudged {
		return false
	}
	limit := t.Inaccuracy
	if class != Best {
		limit *= suspicious
	}
	return loss >= limit || loss <= -t.Mistake
}

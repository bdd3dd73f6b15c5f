// Package asking is the policy of asking an engine about one position. It stands here once;
// hints, trees, scripts, annotations, matches and the shell state what differs in a [Policy].
//
// To ask means:
//
//  1. The engine forgets what it has searched ([engine.Forget]), so that an answer depends on
//     the position alone, not on who was asked what before. One that does not, though it is told
//     to, has to be started anew for that.
//  2. It searches. An engine that is lost is started again by its Session on the way; one that
//     does not start is started once more.
//  3. No engine is believed that its moves are legal: an answer with an illegal move is a failure.
//  4. After a failure it is asked once more. One that runs but talks nonsense is restarted before
//     that, since what has confused it may last. One that was late is not asked again: it would
//     be late again. Nor is one that cannot be started, or after the context's end.
//
// What follows a failure is the caller's: hints have an error at the position, a tree has a
// failed node, a script ends. In a match a failure is a fault, so there an engine is asked once
// and keeps what it knows from its earlier moves.
package asking

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// tries is how often an engine is asked before its answer counts as failed, and how often it is
// started in a row before it counts as gone.
const tries = 2

// A Policy is how an engine is asked. The zero value is that of a task whose positions have
// nothing to do with each other.
type Policy struct {
	NoRetry   bool // a failure is final
	KeepState bool // the engine does not forget
	Restart   bool // the engine is started anew instead of being told to forget
	// Accept checks an answer; its error is the failure. Nil: the answer is cut to as many lines
	// as the Limits want, and the first move of each must be legal.
	Accept func(lines []engine.Line) error
	// OnRetry, if not nil, is told of a failure before the engine is asked once more.
	OnRetry func(pos engine.Position, failure error)
	// OnLines, if not nil, is told during a search of every list so far, if its moves are legal.
	OnLines func(lines []engine.Line)
}

// Ask asks an engine, which is restarted where it is a [pluginclient.Session], or has that
// method. The error is that of the last try; or it wraps [pluginclient.ErrStart], when the engine
// is gone; or it is the cause of the context's end, or what the search made of it.
func (p Policy) Ask(ctx context.Context, s engine.Searcher, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	for try := 1; ; try++ {
		lines, err := p.search(ctx, s, pos, lim)
		if err == nil {
			lines, err = p.accept(s, pos, lines, lim)
		}
		if err == nil {
			return lines, nil
		}
		if try == p.tries() || ctx.Err() != nil || errors.Is(err, pluginclient.ErrStart) || errors.Is(err, pluginclient.ErrTimedOut) {
			return nil, err
		}
		if p.OnRetry != nil {
			p.OnRetry(pos, err)
		}
		if err := mend(ctx, s, err); err != nil {
			return nil, err
		}
	}
}

func (p Policy) tries() int {
	if p.NoRetry {
		return 1
	}
	return tries
}

// search searches, again if the engine does not start.
func (p Policy) search(ctx context.Context, s engine.Searcher, pos engine.Position, lim engine.Limits) (lines []engine.Line, err error) {
	for range p.tries() {
		if err = p.forget(ctx, s); err == nil {
			lines, err = engine.Best(ctx, p.watched(s), pos, lim)
		}
		if !errors.Is(err, pluginclient.ErrStart) || ctx.Err() != nil {
			break
		}
	}
	return lines, err
}

// forget makes an engine answer as if it were new, unless it keeps what it knows.
func (p Policy) forget(ctx context.Context, s engine.Searcher) error {
	r, ok := engine.As[restarter](s)
	switch {
	case p.KeepState:
		return nil
	case p.Restart && ok:
		return r.Restart(ctx)
	}
	engine.Forget(s)
	return nil
}

// A restarter can be started again, as a [pluginclient.Session] can.
type restarter interface {
	Restart(ctx context.Context) error
}

// watched is s, of whose lists Seen is told.
func (p Policy) watched(s engine.Searcher) engine.Searcher {
	if p.OnLines == nil {
		return s
	}
	return watched{s, p.OnLines}
}

type watched struct {
	engine.Searcher
	seen func(lines []engine.Line)
}

func (w watched) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		for lines, err := range w.Searcher.Search(ctx, pos, lim) {
			if sofar := wanted(lines, lim); err == nil && legal(pos, sofar) == nil {
				w.seen(sofar)
			}
			if !yield(lines, err) {
				return
			}
		}
	}
}

// accept checks an answer.
func (p Policy) accept(s engine.Searcher, pos engine.Position, lines []engine.Line, lim engine.Limits) ([]engine.Line, error) {
	if p.Accept != nil {
		return lines, p.Accept(lines)
	}
	lines = wanted(lines, lim)
	err := legal(pos, lines)
	if session, ok := engine.As[pluginclient.Session](s); ok && err != nil {
		err = &pluginclient.Error{Engine: session.Info().Name, Command: "search", Err: err}
	}
	return lines, err
}

// wanted is lines without those that were not asked for.
func wanted(lines []engine.Line, lim engine.Limits) []engine.Line {
	return lines[:min(len(lines), max(lim.Lines, 1))]
}

// legal returns an error that wraps [pluginclient.ErrIllegal] if a line does not begin with a legal
// move. A continuation may be illegal: it is shown as far as it is not.
func legal(pos engine.Position, lines []engine.Line) error {
	for i, line := range lines {
		if len(line.Moves) > 0 {
			if _, err := pos.Play(line.Move()); err == nil {
				continue
			}
		}
		return fmt.Errorf("%w as hint %d", pluginclient.ErrIllegal, i+1)
	}
	return nil
}

// NeedsRestart reports whether an engine that failed so is started again before it is asked next.
func NeedsRestart(failure error) bool { return pluginclient.Lost(failure) || nonsense(failure) }

func nonsense(failure error) bool {
	return errors.Is(failure, pluginclient.ErrInvalidReply) || errors.Is(failure, pluginclient.ErrIllegal)
}

// mend restarts an engine that runs but talks nonsense. A lost one starts by itself when it is
// asked next, and so does one that this failure to restart has lost, unless it cannot be started.
func mend(ctx context.Context, s engine.Searcher, failure error) error {
	r, ok := engine.As[restarter](s)
	if !ok || pluginclient.Lost(failure) || !nonsense(failure) {
		return nil
	}
	err := r.Restart(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, pluginclient.ErrStart):
		return err
	}
	return nil
}

// Package asking searches a position with any engine, with retries and restarts. Hints, trees,
// scripts, annotations, matches and the shell all use it; a [Policy] holds their differences.
//
// [Policy.Ask] works as follows:
//
//  1. The engine forgets earlier searches ([engine.Forget]), so that the result depends only on
//     the position. If an engine ignores that, use Policy.Restart.
//  2. The engine searches. If it is lost, its Session starts it again ([pluginclient.Link.Start]). If it
//     cannot be started, Ask tries once more.
//  3. The result is checked: an illegal move is a failure.
//  4. After a failure the search is repeated once. An engine that sent an invalid or illegal reply
//     is restarted first, since its state may be corrupt. There is no second try after a timeout, if
//     the engine resigns, does not know the position or cannot be started, or if the context has ended.
//
// What the engine is asked for stands in the limits: lines with scores, or, with
// [engine.Limits].Play, a move that is played, as match does.
//
// The caller decides what a failure means: hints write an error for the position, a tree has a
// failed node, a script ends. In a match a failure counts against the engine, so it is asked only
// once and keeps its hash table between moves.
package asking

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// tries is how often a search is tried, and how often an engine is started in a row.
const tries = 2

// A Policy controls Ask. The zero value suits tasks whose positions are independent of each other.
type Policy struct {
	NoRetry   bool // do not repeat a failed search
	KeepState bool // do not make the engine forget earlier searches
	Restart   bool // restart the engine instead of making it forget
	// Accept checks the lines of a search. nil: the result is cut to Limits.Lines lines, and the
	// first move of each must be legal.
	Accept func(lines []engine.Line) error
	// OnRetry, if not nil, is called with a failure before the search is repeated.
	OnRetry func(pos engine.Position, failure error)
	// OnLines, if not nil, is called during a search with every list whose moves are legal.
	OnLines func(lines []engine.Line)
}

// Ask searches pos with s and returns the final lines. If s has a Restart method, as a
// [pluginclient.Session] has, Ask may restart it. It returns the error of the last try, an error
// that wraps [pluginclient.ErrStart] if the engine cannot be started, or the cause of ctx.
func (p Policy) Ask(ctx context.Context, s engine.Searcher, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	observed := s
	if p.OnLines != nil {
		observed = observedSearcher{s, p.OnLines}
	}
	for try := 1; ; try++ {
		var lines []engine.Line
		var err error
		for range p.tries() { // again if the engine does not start
			if err = p.forget(ctx, s); err == nil {
				lines, err = engine.Best(ctx, observed, pos, lim)
			}
			if !errors.Is(err, pluginclient.ErrStart) || ctx.Err() != nil {
				break
			}
		}
		if err == nil {
			lines, err = p.accept(s, pos, lines, lim)
		}
		if err == nil {
			return lines, nil
		}
		if try == p.tries() || ctx.Err() != nil || isFinal(err) {
			return nil, err
		}
		if p.OnRetry != nil {
			p.OnRetry(pos, err)
		}
		if err := restartAfter(ctx, s, err); err != nil {
			return nil, err
		}
	}
}

// isFinal reports whether another try would fail in the same way.
func isFinal(failure error) bool {
	return slices.ContainsFunc([]error{pluginclient.ErrStart, pluginclient.ErrTimedOut, pluginclient.ErrResigned, pluginclient.ErrUnknown}, func(reason error) bool {
		return errors.Is(failure, reason)
	})
}

func (p Policy) tries() int {
	if p.NoRetry {
		return 1
	}
	return tries
}

// forget makes an engine forget earlier searches, unless KeepState is set.
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

// A restarter can be restarted, like a [pluginclient.Session].
type restarter interface {
	Restart(ctx context.Context) error
}

type observedSearcher struct {
	engine.Searcher
	onLines func(lines []engine.Line)
}

func (w observedSearcher) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		for lines, err := range w.Searcher.Search(ctx, pos, lim) {
			if sofar := firstLines(lines, lim); err == nil && checkLegal(pos, sofar) == nil {
				w.onLines(sofar)
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
	lines = firstLines(lines, lim)
	err := checkLegal(pos, lines)
	if session, ok := engine.As[pluginclient.Session](s); ok && err != nil {
		err = &pluginclient.Error{Engine: session.Info().Name, Command: "search", Err: err}
	}
	return lines, err
}

// firstLines returns the first Limits.Lines lines.
func firstLines(lines []engine.Line, lim engine.Limits) []engine.Line {
	return lines[:min(len(lines), max(lim.Lines, 1))]
}

// checkLegal returns an error that wraps [pluginclient.ErrIllegal] if a line does not begin with a legal
// move. Later moves may be illegal: the line is shown up to the first of them.
func checkLegal(pos engine.Position, lines []engine.Line) error {
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

// NeedsRestart reports whether an engine is restarted after failure before its next search.
func NeedsRestart(failure error) bool { return pluginclient.Lost(failure) || isInvalidReply(failure) }

func isInvalidReply(failure error) bool {
	return errors.Is(failure, pluginclient.ErrInvalidReply) || errors.Is(failure, pluginclient.ErrIllegal)
}

// restartAfter restarts an engine after an invalid or illegal reply. A lost engine is restarted by its next
// search. A failed restart is an error only if the engine cannot be started.
func restartAfter(ctx context.Context, s engine.Searcher, failure error) error {
	r, ok := engine.As[restarter](s)
	if !ok || pluginclient.Lost(failure) || !isInvalidReply(failure) {
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

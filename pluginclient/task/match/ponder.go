package match

import (
	"context"
	"errors"
	"maps"
	"slices"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// Players think on their opponent's time in one of two ways. A QHPLUGIN plugin does so by itself
// after BGTHINK ON. The others, those with a [pluginclient.Ponderer], search the position after the
// expected reply: from the end of their move until the opponent has moved. If that was the expected
// move, the search continues as that of their own move; its time limit and their clock run from then
// on. If not, it is stopped, on their own time.

// Causes of ponder searches that are stopped.
var (
	errMissed   = errors.New("another move was played")
	errGameOver = errors.New("the game is over")
)

type ponderSearch struct {
	pos    engine.Position // after the expected reply
	hit    chan struct{}   // closed when that is played
	cancel context.CancelCauseFunc
	done   chan struct{} // closed after the search; guards what follows
	lines  []engine.Line
	err    error
}

// begin tells an engine before its first move whether it may think on its opponent's time. An engine
// that refuses BGTHINK OFF plays all the same.
func (s *gamePlayer) begin(ctx context.Context) error {
	if s.begun {
		return nil
	}
	s.begun = true
	_, s.ponders = pluginclient.As[pluginclient.Ponderer](s.session)
	s.ponders = s.ponders && s.Ponder
	b, ok := pluginclient.As[pluginclient.BackgroundThinker](s.session)
	byItself := s.Ponder && !s.ponders
	switch {
	case byItself && !ok:
		return &PonderError{s.Name, errors.New("its protocol has no such command and does not tell the expected reply")}
	case byItself && s.Hints:
		return &PonderError{s.Name, errors.New("it is asked for hints, and BGTHINK is for moves")}
	case !ok:
		return nil
	}
	err := b.SetBGThink(ctx, byItself)
	var fault *pluginclient.Error
	switch {
	case !byItself && errors.Is(err, pluginclient.ErrRefused):
		return nil
	case byItself && err != nil && !errors.As(err, &fault):
		return &PonderError{s.Name, err}
	}
	return err
}

// A PonderError is the error of a player that was to think on its opponent's time and cannot. It ends
// the match.
type PonderError struct {
	Player string
	Why    error
}

func (e *PonderError) Error() string { return "cannot think on its opponent's time: " + e.Why.Error() }

func (e *PonderError) Unwrap() error { return e.Why }

// ponder starts to search on the opponent's time, after a player's move with the given line.
func (g *liveGame) ponder(ctx context.Context, s *gamePlayer, line engine.Line) {
	if !s.ponders {
		return
	}
	pos, seen := g.expected(line.Moves[1:])
	if pos == nil {
		return
	}
	lim, _ := s.limitsAt(g.judge, pos, seen)
	p := &ponderSearch{pos: pos, hit: make(chan struct{}), done: make(chan struct{})}
	ctx, p.cancel = context.WithCancelCause(ctx)
	go func() {
		defer close(p.done)
		p.lines, p.err = answer(ctx, pluginclient.PonderSearcher{Searcher: s.session, Hit: p.hit}, pos, lim)
	}()
	s.pondering = p
}

// expected returns the position in which the side that has just moved is to move again if the game
// continues with these moves, and the occurrences of positions up to it. It returns nil if that side
// does not get there by moves of its opponent alone.
func (g *liveGame) expected(moves []engine.Move) (engine.Position, map[uint64]int) {
	pos, opponent, seen := g.pos, g.pos.Turn(), maps.Clone(g.seen)
	for _, m := range moves {
		next, err := pos.Play(m)
		if err != nil {
			return nil, nil
		}
		pos = next
		seen[pos.Key()]++
		if resultOfPosition(g.judge, pos, seen[pos.Key()]).Over() {
			return nil, nil
		}
		switch pos.Turn() {
		case opponent:
		case opponent.Other():
			return pos, seen
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// search searches pos, or continues the search of it on the opponent's time.
func (s *gamePlayer) search(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	p := s.pondering
	s.pondering = nil
	switch {
	case p == nil:
	case sameMoves(p.pos, pos):
		defer p.cancel(nil)
		defer context.AfterFunc(ctx, func() { p.cancel(context.Cause(ctx)) })()
		close(p.hit)
		<-p.done
		return p.lines, p.err
	default:
		p.stop(errMissed)
		if err := s.session.Idle(ctx); err != nil {
			return nil, err
		}
	}
	return answer(ctx, s.session, pos, lim)
}

func (p *ponderSearch) stop(why error) {
	p.cancel(why)
	<-p.done
}

// sameMoves reports whether two positions of a game were reached by the same moves.
func sameMoves(a, b engine.Position) bool {
	_, one := a.History()
	_, other := b.History()
	return slices.Equal(one, other)
}

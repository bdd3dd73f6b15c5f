package ucifamily

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
)

// ErrGone is why a search is given up whose host has gone.
var ErrGone = errors.New("the host has gone")

// stopGrace is how long a search may take to end when the host quits.
const stopGrace = 900 * time.Millisecond

// A Search is what a server asks the Searcher behind it.
type Search struct {
	Pos    *xiangqi.Position
	Limits engine.Limits
	Ponder bool                                 // on the opponent's time, until Hit
	Hold   bool                                 // an answer that comes by itself waits for Stop
	Each   func(a *Asking, lines []engine.Line) // told of every list, on another goroutine
}

// An Asking is a search under way.
type Asking struct {
	Pos    *xiangqi.Position
	Limits engine.Limits
	Begun  time.Time
	Done   <-chan struct{} // closed at the end

	cancel context.CancelCauseFunc
	hit    chan struct{}
	hitOne sync.Once
	now    bool // it was told to move

	mu   sync.Mutex
	best []engine.Line // the list so far
	err  error         // why it ended, if not with an answer
}

// Ask begins a search. It ends with ctx.
func (s Served) Ask(ctx context.Context, q Search) *Asking {
	if s.LevelsOnly {
		q.Limits.Nodes, q.Limits.Depth = 0, 0
	}
	return begin(ctx, q.Pos, q.Limits, func(ctx context.Context, a *Asking) {
		lists := s.Searcher.Search(ctx, a.Pos, a.Limits)
		if q.Ponder {
			lists = pluginclient.Ponder(ctx, s.Searcher, a.Pos, a.Limits, a.hit)
		}
		for lines, err := range lists {
			if err != nil {
				a.end(err)
				return
			}
			a.set(lines)
			if q.Each != nil {
				q.Each(a, lines)
			}
		}
		if q.Hold {
			a.end(pluginclient.AwaitHit(ctx, nil))
		}
	})
}

// begin runs something that can be stopped as a search can.
func begin(ctx context.Context, pos *xiangqi.Position, lim engine.Limits, run func(ctx context.Context, a *Asking)) *Asking {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	a := &Asking{Pos: pos, Limits: lim, Begun: time.Now(), Done: done, cancel: cancel, hit: make(chan struct{})}
	go func() {
		defer close(done)
		defer cancel(nil)
		run(ctx, a)
	}()
	return a
}

// Stop makes the search answer with what it has.
func (a *Asking) Stop() {
	a.now = true
	a.Enough()
}

// Enough makes it end, as Stop does. It may be called from Each.
func (a *Asking) Enough() { a.cancel(engine.ErrMoveNow) }

// GiveUp ends the search without an answer.
func (a *Asking) GiveUp(why error) { a.cancel(why) }

// Hit tells that the expected reply was played.
func (a *Asking) Hit() { a.hitOne.Do(func() { close(a.hit) }) }

// Hurry makes the search answer now, and waits for it within reason. It answers whether it
// did; one that did not is given up.
func (a *Asking) Hurry(ctx context.Context) bool {
	a.Stop()
	timer := time.NewTimer(stopGrace)
	defer timer.Stop()
	select {
	case <-a.Done:
		return true
	case <-timer.C:
		a.GiveUp(ErrGone)
	case <-ctx.Done():
	}
	return false
}

func (a *Asking) set(lines []engine.Line) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.best = lines
}

func (a *Asking) end(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.err = err
}

// Lines is the list so far, best first.
func (a *Asking) Lines() []engine.Line {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.best
}

// Verdict is the best line of a search that is Done, made sure of. After Stop there always
// is one.
func (a *Asking) Verdict() (engine.Line, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err != nil && !a.now {
		return engine.Line{}, a.err
	}
	for _, line := range a.best {
		if len(line.Moves) > 0 && slices.Contains(a.Pos.Moves(), line.Move()) && !slices.Contains(a.Limits.Ban, line.Move()) {
			return line, nil
		}
	}
	if a.now {
		return engine.Line{Moves: []engine.Move{Allowed(a.Pos, a.Limits.Ban)}}, nil
	}
	return engine.Line{}, errors.New("it gave no legal move")
}

// Allowed is the first legal move that is not banned; NoMove if there is none.
func Allowed(pos engine.Position, ban []engine.Move) engine.Move {
	for _, m := range pos.Moves() {
		if !slices.Contains(ban, m) {
			return m
		}
	}
	return engine.NoMove
}

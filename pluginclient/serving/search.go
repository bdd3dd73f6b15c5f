package serving

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// Grace is how long a search may take to end when it is told to. QHPLUGIN wants an answer within
// about a second; the embedded engines need a few milliseconds.
const Grace = 900 * time.Millisecond

// Errors of a search that has no answer.
var (
	ErrHostGone    = errors.New("the host has gone")
	ErrNoLegalMove = errors.New("it gave no legal move")
)

// A Request is what a Searcher is asked.
type Request struct {
	Searcher engine.Searcher
	Pos      engine.Position
	Limits   engine.Limits
	Ponder   bool                                 // on the opponent's time, until Hit
	Hold     bool                                 // an answer that comes by itself waits for MoveNow
	OnLines  func(s *Search, lines []engine.Line) // called with every list, on another goroutine; may be nil
	After    *Search                              // not nil: the search begins when this one has ended
}

// A Search is a search under way. One goroutine at a time, the server's, may use it; MoveNow and
// Lines may be called from Each too.
type Search struct {
	Pos       engine.Position
	Limits    engine.Limits
	StartedAt time.Time

	done   chan struct{}
	cancel context.CancelCauseFunc
	hit    chan struct{}
	hitOne sync.Once

	mu    sync.Mutex
	now   bool          // it was told to move
	lines []engine.Line // the list so far
	err   error         // why it ended, if not with an answer
}

// StartSearch begins a search. It ends with ctx.
func StartSearch(ctx context.Context, q Request) *Search {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &Search{
		Pos: q.Pos, Limits: q.Limits, StartedAt: time.Now(),
		done: make(chan struct{}), cancel: cancel, hit: make(chan struct{}),
	}
	go func() {
		defer close(s.done)
		defer cancel(nil)
		if q.After != nil {
			<-q.After.done
		}
		if err := s.run(ctx, q); err != nil {
			s.fail(err)
		}
	}()
	return s
}

func (s *Search) run(ctx context.Context, q Request) error {
	search := q.Searcher.Search
	if q.Ponder {
		search = func(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
			return pluginclient.Ponder(ctx, q.Searcher, pos, lim, s.hit)
		}
	}
	for lines, err := range search(ctx, q.Pos, q.Limits) {
		if err != nil {
			return err
		}
		s.set(lines)
		if q.OnLines != nil {
			q.OnLines(s, lines)
		}
	}
	if q.Hold {
		return pluginclient.AwaitHit(ctx, nil)
	}
	return nil
}

func (s *Search) set(lines []engine.Line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = lines
}

func (s *Search) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

// Done is closed when the search has ended.
func (s *Search) Done() <-chan struct{} { return s.done }

// MoveNow makes the search answer with what it has.
func (s *Search) MoveNow() {
	s.mu.Lock()
	s.now = true
	s.mu.Unlock()
	s.cancel(engine.ErrMoveNow)
}

// GiveUp ends the search without an answer.
func (s *Search) GiveUp(why error) { s.cancel(why) }

// PonderHit tells that the expected reply was played.
func (s *Search) PonderHit() { s.hitOne.Do(func() { close(s.hit) }) }

// Wait waits for the end, but no longer than within, and reports whether it has come.
func (s *Search) Wait(within time.Duration) bool {
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-s.done:
		return true
	case <-timer.C:
		return false
	}
}

// FinishNow makes the search answer now and waits for it within Grace. It reports whether there is an
// answer; a search that has none is given up.
func (s *Search) FinishNow() bool {
	s.MoveNow()
	if s.Wait(Grace) {
		return true
	}
	s.GiveUp(ErrHostGone)
	return false
}

// Lines is the list so far, best first.
func (s *Search) Lines() []engine.Line {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lines
}

// Err is why the search has ended, if not with an answer.
func (s *Search) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Answer is the validated answer: the lines so far whose moves are legal and not banned, as many
// as Limits.Lines and at least one. After MoveNow there always is one, even if the search does not
// end.
func (s *Search) Answer() ([]engine.Line, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil && !s.now {
		return nil, s.err
	}
	most, moves := max(s.Limits.Lines, 1), s.Pos.Moves()
	legal := make([]engine.Line, 0, len(s.lines))
	for _, line := range s.lines {
		if len(legal) < most && len(line.Moves) > 0 && slices.Contains(moves, line.Move()) && !slices.Contains(s.Limits.Ban, line.Move()) {
			legal = append(legal, line)
		}
	}
	switch {
	case len(legal) > 0:
		return legal, nil
	case s.now:
		return []engine.Line{{Moves: []engine.Move{engine.FirstAllowed(s.Pos, s.Limits.Ban)}}}, nil
	}
	return nil, ErrNoLegalMove
}

// Best is the first line of the Answer.
func (s *Search) Best() (engine.Line, error) {
	lines, err := s.Answer()
	if err != nil {
		return engine.Line{}, err
	}
	return lines[0], nil
}

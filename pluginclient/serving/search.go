package serving

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

// Grace is how long a search may take to end after it is told to stop. QHPLUGIN requires an answer
// within about a second; the embedded engines need a few milliseconds.
const Grace = 900 * time.Millisecond

// Errors of a search that has no answer.
var (
	ErrHostGone    = errors.New("the host has gone")
	ErrNoLegalMove = errors.New("it gave no legal move")
)

// A Foreign is a Searcher in front of a program. Where it gives no move the host gets none: any legal
// move at worst is for the Searchers of this process.
type Foreign interface {
	engine.Searcher
	// NoMove is called with the error of a search that is answered without a move.
	NoMove(err error)
}

// A Request describes a search.
type Request struct {
	Searcher engine.Searcher
	Pos      engine.Position
	Limits   engine.Limits
	Ponder   bool                                 // on the opponent's time, until Hit
	Hold     bool                                 // an answer that comes by itself waits for MoveNow
	OnLines  func(s *Search, lines []engine.Line) // called with every list, on another goroutine; may be nil
	After    *Search                              // not nil: the search begins when this one has ended
}

// A Search is a search in progress. Only the server's goroutine may use it, but OnLines may call
// MoveNow and Lines too.
type Search struct {
	Pos       engine.Position
	Limits    engine.Limits
	StartedAt time.Time

	searcher engine.Searcher
	done     chan struct{}
	cancel   context.CancelCauseFunc
	hit      chan struct{}
	hitOne   sync.Once

	mu    sync.Mutex
	now   bool          // it was told to move
	lines []engine.Line // the list so far
	err   error         // why it ended, if not with an answer
}

// StartSearch starts a search. It ends with ctx.
func StartSearch(ctx context.Context, q Request) *Search {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &Search{
		Pos: q.Pos, Limits: q.Limits, StartedAt: time.Now(), searcher: q.Searcher,
		done: make(chan struct{}), cancel: cancel, hit: make(chan struct{}),
	}
	go func() {
		defer close(s.done)
		defer cancel(nil)
		if q.After != nil {
			<-q.After.done
		}
		err := s.run(ctx, q)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.err = err
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
		s.mu.Lock()
		s.lines = lines
		s.mu.Unlock()
		if q.OnLines != nil {
			q.OnLines(s, lines)
		}
	}
	if q.Hold {
		return pluginclient.AwaitHit(ctx, nil)
	}
	return nil
}

// Done returns a channel that is closed when the search has ended.
func (s *Search) Done() <-chan struct{} { return s.done }

// MoveNow makes the search end with the best move so far.
func (s *Search) MoveNow() {
	s.mu.Lock()
	s.now = true
	s.mu.Unlock()
	s.cancel(engine.ErrMoveNow)
}

// GiveUp ends the search without an answer.
func (s *Search) GiveUp(why error) { s.cancel(why) }

// PonderHit tells the search that the expected reply was played.
func (s *Search) PonderHit() { s.hitOne.Do(func() { close(s.hit) }) }

// Wait waits for the end of the search, at most within, and reports whether it has ended.
func (s *Search) Wait(within time.Duration) bool {
	select {
	case <-s.done:
		return true
	case <-time.After(within):
		return false
	}
}

// FinishNow calls MoveNow and waits for the end of the search, at most Grace. If the search does not
// end, it is abandoned and FinishNow returns false; Answer then has the moves so far.
func (s *Search) FinishNow() bool {
	s.MoveNow()
	if s.Wait(Grace) {
		return true
	}
	s.GiveUp(ErrHostGone)
	return false
}

// Lines returns the lines so far, best first.
func (s *Search) Lines() []engine.Line {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lines
}

// Failed reports whether the search has ended with an error before it was told to move.
func (s *Search) Failed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err != nil && !s.now
}

// Answer returns the validated lines so far: those whose first move is legal and not banned, at most
// Limits.Lines, at least one. After MoveNow it succeeds even if the search has failed or has not ended:
// if there is no line, it returns any allowed move. If the Searcher is Foreign, that is an error.
func (s *Search) Answer() ([]engine.Line, error) {
	ended := false
	select {
	case <-s.done:
		ended = true
	default:
	}
	s.mu.Lock()
	lines, now, err := s.lines, s.now, s.err
	s.mu.Unlock()
	most, moves := max(s.Limits.Lines, 1), s.Pos.Moves()
	legal := make([]engine.Line, 0, len(lines))
	for _, line := range lines {
		if len(legal) < most && len(line.Moves) > 0 && slices.Contains(moves, line.Move()) && !slices.Contains(s.Limits.Ban, line.Move()) {
			legal = append(legal, line)
		}
	}
	foreign, isForeign := engine.As[Foreign](s.searcher)
	switch {
	case len(legal) > 0 && (err == nil || now):
		return legal, nil
	case now && !isForeign:
		return []engine.Line{{Moves: []engine.Move{engine.FirstAllowed(s.Pos, s.Limits.Ban)}}}, nil
	case err == nil && ended:
		err = ErrNoLegalMove
	case err == nil:
		err = fmt.Errorf("%w %v after it was told to move", pluginclient.ErrNoReply, Grace)
		if session, ok := engine.As[pluginclient.Session](s.searcher); ok {
			err = &pluginclient.Error{Engine: session.Info().Name, Err: err}
		}
	}
	if isForeign {
		foreign.NoMove(err)
	}
	return nil, err
}

// Best returns the first line of Answer.
func (s *Search) Best() (engine.Line, error) {
	lines, err := s.Answer()
	if err != nil {
		return engine.Line{}, err
	}
	return lines[0], nil
}

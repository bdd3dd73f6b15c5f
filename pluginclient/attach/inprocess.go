package attach

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/bench"
)

var (
	_ Repeater                      = inProcess{}
	_ pluginclient.LanguageProvider = (*inProcessSession)(nil)
	_ bench.Counter                 = (*inProcessSession)(nil)
	_ DirectSearcher                = (*inProcessSession)(nil)
)

// inProcess is the Row of the embedded engine of a game without a protocol. Its Session calls the
// engine directly and has a few commands for the shell's prompt.
type inProcess struct{ embedded }

func (r inProcess) Open(ctx context.Context, s Spec, o Options) (pluginclient.Session, error) {
	e, err := r.make(ctx, s, o)
	if err != nil {
		return nil, s.OptionError(err)
	}
	return &inProcessSession{
		engineSession: newEngineSession(e, r.games), name: r.name, trace: pluginclient.NewTrace(r.name, o.Log), position: e.game.Start(),
		turn: pluginclient.NewTurn(func() string { return r.name }),
	}, nil
}

// An inProcessSession is the Session of an embedded engine without a protocol.
type inProcessSession struct {
	*engineSession
	name  string
	trace *pluginclient.Trace
	turn  *pluginclient.Turn // to search

	mu       sync.Mutex
	position engine.Position
	kill     context.CancelCauseFunc // ends the search in progress; may be nil
}

// Info is the engine's name and its levels.
func (t *inProcessSession) Info() pluginclient.Info {
	return pluginclient.Info{
		Protocol: "in process", Name: "qhsh", Levels: t.searcher.Levels(),
		Text: slices.Concat([]string{"The embedded engine of qhsh for " + engine.Title(t.engine.game)}, t.engine.Text),
	}
}

// Trace returns the commands of the prompt with their replies.
func (t *inProcessSession) Trace() *pluginclient.Trace { return t.trace }

// Position returns the current position.
func (t *inProcessSession) Position() engine.Position {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.position
}

// set sets the conversation's position.
func (t *inProcessSession) set(pos engine.Position) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.position = pos
}

// Search calls the engine.
func (t *inProcessSession) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return t.search(ctx, tracedSearcher{t.searcher, t.trace}, pos, t.limits(lim))
}

// Ponder calls the engine on its opponent's time.
func (t *inProcessSession) Ponder(ctx context.Context, pos engine.Position, lim engine.Limits, hit <-chan struct{}) iter.Seq2[[]engine.Line, error] {
	return t.search(ctx, pluginclient.PonderSearcher(tracedSearcher{t.searcher, t.trace}, hit), pos, t.limits(lim))
}

// search runs a search by s with exactly these limits, ignoring the level.
func (t *inProcessSession) search(ctx context.Context, s engine.Searcher, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if err := t.turn.Acquire(ctx); err != nil {
			yield(nil, err)
			return
		}
		defer t.turn.Release()
		ctx, unbind := t.turn.Bind(ctx)
		defer unbind()
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		t.setKill(cancel)
		defer t.setKill(nil)
		s.Search(ctx, pos, lim)(yield)
	}
}

// LatestLines implements [pluginclient.LiveThinker].
func (t *inProcessSession) LatestLines() []engine.Line { return t.latest.Load().linesFor(t.Position()) }

// NewGame sets the conversation's position.
func (t *inProcessSession) NewGame(_ context.Context, pos engine.Position) error {
	if pos.Game().Name() != t.engine.game.Name() {
		return engine.OtherGame(pos, t.engine.game)
	}
	t.set(pos)
	return nil
}

// Load makes moves.
func (t *inProcessSession) Load(_ context.Context, moves ...engine.Move) error {
	pos := t.Position()
	for i, m := range moves {
		next, err := pos.Play(m)
		if err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		pos = next
	}
	t.set(pos)
	return nil
}

// Undo takes back a move.
func (t *inProcessSession) Undo(context.Context) error {
	before, _, err := engine.TakeBack(t.Position())
	switch {
	case err != nil:
		return err
	case before == nil:
		return errors.New("there is no move to take back")
	}
	t.set(before)
	return nil
}

// Restart makes the engine answer as if new.
func (t *inProcessSession) Restart(context.Context) error {
	t.Forget()
	return nil
}

// State returns StatusRunning until Close: an engine in this process cannot be lost.
func (t *inProcessSession) State() pluginclient.State {
	if t.turn.Lifetime.Err() != nil {
		return pluginclient.State{Status: pluginclient.StatusEnded}
	}
	return pluginclient.State{}
}

// Idle waits until no search runs.
func (t *inProcessSession) Idle(ctx context.Context) error { return t.turn.Idle(ctx) }

func (t *inProcessSession) setKill(kill context.CancelCauseFunc) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kill = kill
}

// Kill makes the search in progress fail; there is no process to kill.
func (t *inProcessSession) Kill() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kill != nil {
		t.kill(&pluginclient.Error{Engine: t.name, Err: pluginclient.ErrDied})
	}
}

// Close ends the search in progress and releases the engine's memory.
func (t *inProcessSession) Close() error {
	t.turn.Close(t.engine.release)
	return nil
}

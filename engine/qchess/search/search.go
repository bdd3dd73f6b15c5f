// Package search has two engines for quantum chess that keep the promises of [engine.Searcher].
//
// Ply looks at each selection, at what may come of it with which probability, and at the moves
// after that: it takes the most that it can expect to win in this turn. Search looks further, at
// the turns after it, as long as its limits allow; what is still hanging in the positions where it
// stops is counted by expectation (evaluate.go).
//
// Neither looks at a kind that has not shown: a search begins with the view of the board
// ([qchess.Board.View]), and takes the second kinds with the probabilities that follow from what
// has shown. In the positions ahead it continues with those of the root.
//
// What a caller can rely on: never more than Limits.Nodes nodes; the same answer on every machine
// for the same seed, unless there is Limits.Time; always an answer. Limits.Depth counts turns, of
// which Ply looks at one. At chance's turn there is no move to choose from.
package search

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"qhsh/engine"
	"qhsh/engine/qchess"
)

// An Agent is a way to play.
type Agent string

// The agents.
const (
	Ply    Agent = "ply"
	Search Agent = "search"
)

// Agents returns all of them.
func Agents() []Agent { return []Agent{Search, Ply} }

// Options say how an Engine plays.
type Options struct {
	Agent Agent // empty: Search
	Seed  int   // decides between steps that are worth nearly the same
}

// An Engine is an engine.Searcher for quantum chess. It keeps nothing from one search to the next,
// and may run several at once.
type Engine struct{ options Options }

var (
	_ engine.Searcher = (*Engine)(nil)
	_ engine.Leveler  = (*Engine)(nil)
)

// New makes an engine. The error names an option that makes no sense.
func New(o Options) (*Engine, error) {
	if o.Agent == "" {
		o.Agent = Search
	}
	if !slices.Contains(Agents(), o.Agent) {
		return nil, fmt.Errorf("agent=%s: want %s or %s", o.Agent, Ply, Search)
	}
	return &Engine{o}, nil
}

// Levels returns engine.NodeLevels.
func (e *Engine) Levels() []engine.Level { return engine.NodeLevels() }

// Search looks at a position of quantum chess; one of another game is an error. It yields the list
// after every turn that it has looked ahead.
func (e *Engine) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		if err := e.search(ctx, pos, lim, yield); err != nil {
			yield(nil, fmt.Errorf("search: %w", err))
		}
	}
}

func (e *Engine) search(ctx context.Context, pos engine.Position, lim engine.Limits, yield func([]engine.Line, error) bool) error {
	at, ok := pos.(*qchess.Position)
	if !ok || at == nil {
		return engine.OtherGame(pos, qchess.Rules)
	}
	lim, err := lim.AtLevel(e.Levels())
	if err != nil {
		return err
	}
	board := at.Board()
	view := board.View()
	steps, err := rootSteps(&view, lim.Ban)
	if err != nil {
		return err
	}
	w := newWorker(newBudget(ctx, lim), &view, e.options)
	if err := w.abortCause(); err != nil {
		return err
	}
	return w.iterativeDeepening(&view, steps, lim, yield)
}

// rootSteps returns the legal steps that are not banned, at least one.
func rootSteps(b *qchess.Board, ban []engine.Move) ([]qchess.Step, error) {
	switch result := b.Result(); {
	case result.Over():
		return nil, fmt.Errorf("%s: %w", result.Reason, engine.ErrNoMove)
	case b.OutcomePending():
		return nil, fmt.Errorf("it is chance's turn: %w", engine.ErrNoMove)
	}
	steps := slices.DeleteFunc(b.AppendSteps(nil), func(s qchess.Step) bool { return slices.Contains(ban, engine.Move(s)) })
	if len(steps) == 0 {
		return nil, fmt.Errorf("every move is banned: %w", engine.ErrNoMove)
	}
	return withoutStuck(b, steps), nil
}

// withoutStuck returns the steps without selections of pieces that cannot move whatever they show,
// unless there are no others: such a selection gives the turn away.
func withoutStuck(b *qchess.Board, steps []qchess.Step) []qchess.Step {
	if _, moving := b.Selected(); moving {
		return steps
	}
	able := slices.DeleteFunc(slices.Clone(steps), func(s qchess.Step) bool { return !b.CanMove(s.Square()) })
	if len(able) == 0 {
		return steps
	}
	return able
}

// Package search has two engines for quantum chess. Both implement [engine.Searcher].
//
// Ply searches one turn: each selection, its outcomes with their probabilities, and the moves after
// them. It maximizes the expected gain. Search also searches the following turns, as deep as its
// limits allow; the evaluation of the last positions includes expected captures (evaluate.go).
//
// Neither uses hidden kinds: a search begins with the players' view ([qchess.Board.View]) and the
// probabilities of the second kinds given the revealed ones. Deeper positions use the probabilities
// of the root.
//
// Guarantees: a search never visits more than Limits.Nodes nodes; with the same seed it gives the same
// answer on every machine, unless Limits.Time is set; there is always an answer. Limits.Depth counts
// turns; Ply always searches one. At chance's turn there is no answer.
package search

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"qhsh/engine"
	"qhsh/engine/alphabeta"
	"qhsh/engine/qchess"
)

// An Agent is a search algorithm.
type Agent string

// The agents.
const (
	Ply    Agent = "ply"
	Search Agent = "search"
)

// Options configure an Engine.
type Options struct {
	Agent Agent // empty: Search
	Seed  int   // breaks near ties between steps
}

// An Engine is an engine.Searcher for quantum chess. It has no state between searches and can run
// several at once.
type Engine struct{ options Options }

var (
	_ engine.Searcher = (*Engine)(nil)
	_ engine.Leveler  = (*Engine)(nil)
)

// New returns an engine. It returns an error if an option is invalid.
func New(o Options) (*Engine, error) {
	o.Agent = cmp.Or(o.Agent, Search)
	if o.Agent != Search && o.Agent != Ply {
		return nil, fmt.Errorf("agent=%s: want %s or %s", o.Agent, Ply, Search)
	}
	return &Engine{o}, nil
}

// Levels returns engine.NodeLevels.
func (e *Engine) Levels() []engine.Level { return engine.NodeLevels() }

// Search searches a position of quantum chess; other positions are an error. It yields the lines
// after each iteration.
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
	if board.OutcomePending() {
		return fmt.Errorf("it is chance's turn: %w", engine.ErrNoMove)
	}
	moves, err := engine.AllowedMoves(at, lim.Ban)
	if err != nil {
		return err
	}
	if err := engine.AbortCause(ctx); err != nil {
		return err
	}
	const pollEvery = 64 // nodes between checks of the clock and the context
	w := newWorker(alphabeta.NewBudget(ctx, lim, 0, pollEvery), &view, e.options)
	return w.iterativeDeepening(ctx, &view, withoutStuck(&view, moves), lim, yield)
}

// withoutStuck returns the steps, but for selections of pieces that cannot move as any of their kinds,
// unless there are no others: such a selection loses the turn.
func withoutStuck(b *qchess.Board, moves []engine.Move) []qchess.Step {
	var steps, able []qchess.Step
	_, moving := b.Selected()
	for _, m := range moves {
		s := qchess.Step(m)
		steps = append(steps, s)
		if !moving && b.CanMove(s.Square()) {
			able = append(able, s)
		}
	}
	if len(able) == 0 {
		return steps
	}
	return able
}

package search

import (
	"slices"

	"qhsh/engine"
	"qhsh/engine/alphabeta"
	"qhsh/engine/checkers"
)

// Check returns an error if pos is not of the engine's variant.
func (w *worker) Check(pos engine.Position) error {
	root, ok := pos.(*checkers.Position)
	if !ok || root == nil {
		return engine.OtherGame(pos, w.rules)
	}
	if rules := root.Game().(checkers.Rules); rules != w.rules {
		return &engine.OtherGameError{Position: rules.Title(), Engine: w.rules.Title()}
	}
	return nil
}

// Begin prepares a search.
func (w *worker) Begin(b *alphabeta.Budget, pos engine.Position, moves []engine.Move) []alphabeta.RootMove {
	root := pos.(*checkers.Position)
	w.Budget = b
	for c := range w.history {
		alphabeta.Age(w.history[c][:])
	}
	w.age++
	f := &w.stack[0]
	f.board, f.quiet = root.Board(), root.QuietPlies()
	w.gameKeys = w.gameKeys[:0] // of the positions of the game that can repeat
	for before := pos; len(w.gameKeys) < root.QuietPlies(); {
		before, _ = before.Undo()
		w.gameKeys = append(w.gameKeys, before.Key())
	}
	slices.Reverse(w.gameKeys)
	known, _ := w.table.Probe(f.board.Key(), 0)
	static := w.evaluate(f) // all that is known if the budget ends within the first move: captures may take hundreds of nodes
	roots := make([]alphabeta.RootMove, len(moves))
	for i, m := range moves {
		roots[i] = alphabeta.RootMove{Move: m, Order: w.moveOrder(f, checkers.Move(m), known.Move), Score: static}
	}
	return roots
}

// Forget clears the tables.
func (w *worker) Forget() {
	w.table.Forget()
	w.history = history{}
	for i := range w.stack {
		w.stack[i].killers = [2]checkers.Move{}
	}
}

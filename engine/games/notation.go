package games

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// AnyNotation returns the game whose positions parse moves in any notation.
func (t Table) AnyNotation(g engine.Game) engine.Game {
	if r := t.Row(g); r.AnyNotation != nil {
		return r.AnyNotation
	}
	return g
}

// ReadMove parses a legal move in any notation of the game. The error wraps [engine.ErrMalformed]
// if the text is not a move at all.
func (t Table) ReadMove(p engine.Position, text string) (engine.Move, error) {
	if r, ok := t.AnyNotation(p.Game()).(interface {
		ReadMove(p engine.Position, text string) (engine.Move, error)
	}); ok {
		return r.ReadMove(p, text)
	}
	return p.Parse(text)
}

// MovePlayer returns a function that parses and plays a legal move in any notation. It is faster
// than ReadMove and Play for many moves, and has the errors of ReadMove.
func (t Table) MovePlayer(g engine.Game) func(p engine.Position, text string) (engine.Position, error) {
	if r, ok := t.AnyNotation(g).(interface {
		PlayMove(p engine.Position, text string) (engine.Position, error)
	}); ok {
		return r.PlayMove
	}
	return func(p engine.Position, text string) (engine.Position, error) {
		m, err := t.ReadMove(p, text)
		if err != nil {
			return nil, err
		}
		return p.Play(m)
	}
}

// CheckNotation returns an error like [Table.Unsupported] if a game does not have a notation.
func (t Table) CheckNotation(g engine.Game, name string) error {
	has := func(r *Row) bool { return slices.Contains(r.Notations, name) }
	if has(t.Row(g)) {
		return nil
	}
	return t.Unsupported(g, name, has)
}

// Notations returns the names of the notations of all games, that of the usual game's positions
// first.
func (t Table) Notations() (names []string) {
	for _, r := range t.rows {
		for _, name := range r.Notations {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// NotationFor returns the notation of moves that readers of a language expect.
func (t Table) NotationFor(g engine.Game, language string) string {
	r := t.Row(g)
	if name := r.NotationFor[language]; name != "" || r.Notations == nil {
		return name
	}
	return r.Notations[0]
}

// PageNotations returns the notations that a web page of a game offers, among them chosen. A game
// without named notations has one, named like the game.
func (t Table) PageNotations(g engine.Game, chosen string) []string {
	offered := t.Row(g).ReadableNotations
	switch {
	case offered == nil:
		return []string{g.Name()}
	case !slices.Contains(offered, chosen):
		return append(slices.Clip(offered), chosen)
	}
	return offered
}

// ParseNotation parses the name of a notation of any game, in any case.
func (t Table) ParseNotation(text string) (name string, err error) {
	name = strings.ToLower(text)
	if name == "ucci" { // as the UCCI documents call it
		name = "uci"
	}
	if all := t.Notations(); !slices.Contains(all, name) {
		return "", fmt.Errorf("unknown notation %q: use %s", text, printable.OneOf(all))
	}
	return name, nil
}

// NotationOf parses the name of a notation of a game, in any case. A game with one notation has no
// names.
func (t Table) NotationOf(g engine.Game, text string) (name string, err error) {
	name, err = t.ParseNotation(text)
	switch {
	case err != nil:
		return "", err
	case t.Row(g).Notations == nil:
		return "", fmt.Errorf("notation %s: %s has one notation", text, engine.Title(g))
	}
	if err := t.CheckNotation(g, name); err != nil {
		return "", fmt.Errorf("notation %w", err)
	}
	return name, nil
}

// MoveNames returns consecutive moves, up to the first illegal one, in a notation of the game, or
// in that of its positions if it does not have the notation.
func (t Table) MoveNames(p engine.Position, moves []engine.Move, notation string) []string {
	if r := t.Row(p.Game()); slices.Contains(r.Notations, notation) {
		return r.Names(p, moves, notation)
	}
	return engine.FormatMoves(p, moves)
}

// MoveName is MoveNames for one move. It is empty if the move is illegal.
func (t Table) MoveName(p engine.Position, m engine.Move, notation string) string {
	return strings.Join(t.MoveNames(p, []engine.Move{m}, notation), "")
}

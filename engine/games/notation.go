package games

import (
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
)

// A MoveReader is a Row whose game has several notations.
type MoveReader interface {
	// AnyNotation returns the game whose positions, and method ReadMove, parse moves in all
	// notations. It may have a method PlayMove that is faster than parsing and playing.
	AnyNotation() engine.Game
}

// AnyNotation returns the game whose positions parse moves in any notation.
func (t Table) AnyNotation(g engine.Game) engine.Game {
	if r, ok := t.row(g).(MoveReader); ok {
		return r.AnyNotation()
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

// A Notator is a Row whose game's moves can be written in several notations.
type Notator interface {
	// Notations returns their names in lower case, that of the game's positions first.
	Notations() []string
	// ReadableNotations returns those meant for people, in the order in which a web page offers
	// them.
	ReadableNotations() []string
	// Names returns consecutive moves in a notation, up to the first illegal one.
	Names(p engine.Position, moves []engine.Move, notation string) []string
}

// CheckNotation returns an error like [Unsupported] if a game does not have a notation.
func (t Table) CheckNotation(g engine.Game, name string) error {
	has := func(r Row) bool {
		n, ok := r.(Notator)
		return ok && slices.Contains(n.Notations(), name)
	}
	if has(t.row(g)) {
		return nil
	}
	return t.unsupported(g, name, has)
}

// Notations returns the names of the notations of all games, that of the usual game's positions
// first.
func (t Table) Notations() (names []string) {
	for _, r := range t.rows {
		n, ok := r.(Notator)
		if !ok {
			continue
		}
		for _, name := range n.Notations() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// PageNotations returns the notations that a web page of a game offers, and the one selected at
// first: chosen, if the game has named notations. A game without them has one, named like the game.
func (t Table) PageNotations(g engine.Game, chosen string) (offered []string, first string) {
	n, ok := t.row(g).(Notator)
	if !ok {
		return []string{g.Name()}, g.Name()
	}
	offered = n.ReadableNotations()
	if !slices.Contains(offered, chosen) {
		offered = append(slices.Clip(offered), chosen)
	}
	return offered, chosen
}

// ucci is the name in the UCCI documents of the notation called uci here.
const ucci = "ucci"

// ParseNotation parses the name of a notation of any game, in any case.
func (t Table) ParseNotation(text string) (name string, err error) {
	name = strings.ToLower(text)
	if name == ucci {
		name = "uci"
	}
	if all := t.Notations(); !slices.Contains(all, name) {
		return "", fmt.Errorf("unknown notation %q: use %s", text, OneOf(all))
	}
	return name, nil
}

// NotationOf parses the name of a notation of a game, in any case. A game without a [Notator] has
// no names.
func (t Table) NotationOf(g engine.Game, text string) (name string, err error) {
	name, err = t.ParseNotation(text)
	switch _, several := t.row(g).(Notator); {
	case err != nil:
		return "", err
	case !several:
		return "", fmt.Errorf("notation %s: %s has one notation", text, engine.Title(g))
	}
	if err := t.CheckNotation(g, name); err != nil {
		return "", fmt.Errorf("notation %w", err)
	}
	return name, nil
}

// OneOf joins words for a message: "a, b or c".
func OneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// MoveNames returns consecutive moves, up to the first illegal one, in a notation of the game, or
// in that of its positions if it does not have the notation.
func (t Table) MoveNames(p engine.Position, moves []engine.Move, notation string) []string {
	if n, ok := t.row(p.Game()).(Notator); ok && slices.Contains(n.Notations(), notation) {
		return n.Names(p, moves, notation)
	}
	return engine.FormatMoves(p, moves)
}

package script

import (
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/games"
)

// What members of boards need of their game, beside [games.HasPieces] and [games.HasRuleSets].
func hasChecks(r *games.Row) bool   { return r.InCheck != nil }
func hasCounters(r *games.Row) bool { return r.MoveNumber != nil }
func hasKinds(r *games.Row) bool    { return r.Kinds != nil }

// attributeOf returns an attribute of the boards of games for whose rows has returns true.
func attributeOf[R any](has func(*games.Row) bool, sig, doc string, get func(*games.Row, engine.Position) R) *member {
	return requires(has, attribute(sig, doc, func(b *board) R { return get(b.kind.row, b.pos) }))
}

// requires restricts a member to the boards of games for whose rows has returns true.
func requires(has func(*games.Row) bool, m *member) *member {
	m.unsupported = func(self starlark.Value) error {
		b := self.(*board)
		if has(b.kind.row) {
			return nil
		}
		return b.at(b.kind.Unsupported(b.kind.game, m.name, has))
	}
	return m
}

// moveMethod returns a method that takes a legal move.
func moveMethod(sig, doc string, get func(b *board, m engine.Move) any) *member {
	return method(sig, doc, func(b *board, text string) (any, error) {
		m, err := b.kind.ReadMove(b.pos, text)
		if err != nil {
			return nil, b.at(err)
		}
		return get(b, m), nil
	})
}

// notationMethod returns a method that formats a legal move in the notation it is named after, if
// the game has that notation.
func notationMethod(sig, doc string) *member {
	name, _, _ := strings.Cut(sig, "(")
	m := moveMethod(sig, doc, func(b *board, m engine.Move) any {
		return b.kind.MoveNames(b.pos, []engine.Move{m}, name)[0]
	})
	m.unsupported = func(self starlark.Value) error {
		b := self.(*board)
		if err := b.kind.CheckNotation(b.kind.game, name); err != nil {
			return b.at(err)
		}
		return nil
	}
	return m
}

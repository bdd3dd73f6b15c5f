package script

import (
	"fmt"
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
func attributeOf(has func(*games.Row) bool, sig, doc string, get func(*games.Row, engine.Position) starlark.Value) member {
	return requires(has, attribute(sig, doc, func(b *board) (starlark.Value, error) { return get(b.kind.row, b.pos), nil }))
}

// methodOf returns a method of the boards of games for whose rows has returns true.
func methodOf(has func(*games.Row) bool, sig, doc string, run func(*games.Row, *board, *call) (starlark.Value, error)) member {
	return requires(has, method(sig, doc, func(b *board, c *call) (starlark.Value, error) { return run(b.kind.row, b, c) }))
}

// requires restricts a member to the boards of games for whose rows has returns true.
func requires(has func(*games.Row) bool, m member) member {
	m.unsupported = func(self starlark.Value) error {
		b := self.(*board)
		if has(b.kind.row) {
			return nil
		}
		return b.unsupportedError(b.kind.Unsupported(b.kind.game, m.name, has))
	}
	return m
}

// moveMethod returns a method that takes a legal move.
func moveMethod(sig, doc string, get func(b *board, m engine.Move) starlark.Value) member {
	return method(sig, doc, func(b *board, c *call) (starlark.Value, error) {
		var text string
		if err := c.unpack(&text); err != nil {
			return nil, err
		}
		m, err := b.kind.ReadMove(b.pos, text)
		if err != nil {
			return nil, b.at(c, err)
		}
		return get(b, m), nil
	})
}

// notationMethod returns a method that formats a legal move in the notation it is named after, if
// the game has that notation.
func notationMethod(sig, doc string) member {
	name, _, _ := strings.Cut(sig, "(")
	m := moveMethod(sig, doc, func(b *board, m engine.Move) starlark.Value {
		return starlark.String(b.kind.MoveNames(b.pos, []engine.Move{m}, name)[0])
	})
	m.unsupported = func(self starlark.Value) error {
		b := self.(*board)
		if err := b.kind.CheckNotation(b.kind.game, name); err != nil {
			return b.unsupportedError(err)
		}
		return nil
	}
	return m
}

// unsupportedError adds the position to the error of an unsupported member.
func (b *board) unsupportedError(err error) error { return fmt.Errorf("%w (position %s)", err, b.pos) }

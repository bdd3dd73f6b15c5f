package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/games"
)

// attributeOf returns an attribute of boards whose game has the ability A.
func attributeOf[A any](sig, doc string, get func(A, engine.Position) starlark.Value) member {
	return requires[A](attribute(sig, doc, func(b *board) (starlark.Value, error) {
		return get(ability[A](b), b.pos), nil
	}))
}

// methodOf returns a method of boards whose game has the ability A.
func methodOf[A any](sig, doc string, run func(A, *board, *call) (starlark.Value, error)) member {
	return requires[A](method(sig, doc, func(b *board, c *call) (starlark.Value, error) {
		return run(ability[A](b), b, c)
	}))
}

// ability returns the ability of a board for a member that requires it.
func ability[A any](b *board) A {
	able, _ := games.Ability[A](b.kind.Table, b.kind.game) // checked by requires
	return able
}

// requires restricts a member to boards whose game has the ability A.
func requires[A any](m member) member {
	m.unsupported = func(self starlark.Value) error {
		b := self.(*board)
		if _, ok := games.Ability[A](b.kind.Table, b.kind.game); ok {
			return nil
		}
		return b.unsupportedError(games.Unsupported[A](b.kind.Table, b.kind.game, m.name))
	}
	return m
}

// notationMethod returns a method that formats a legal move in the notation it is named after, if
// the game has that notation.
func notationMethod(sig, doc string) member {
	m := method(sig, doc, func(b *board, c *call) (starlark.Value, error) {
		m, err := b.legalMove(c)
		if err != nil {
			return nil, err
		}
		return starlark.String(b.kind.MoveNames(b.pos, []engine.Move{m}, c.fn.Name())[0]), nil
	})
	m.unsupported = func(self starlark.Value) error {
		b := self.(*board)
		if err := b.kind.CheckNotation(b.kind.game, m.name); err != nil {
			return b.unsupportedError(err)
		}
		return nil
	}
	return m
}

// unsupportedError adds the position to the error of an unsupported member.
func (b *board) unsupportedError(err error) error { return fmt.Errorf("%w (position %s)", err, b.pos) }

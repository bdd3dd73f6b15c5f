package script

import (
	"fmt"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/games"
)

// attributeOf returns an attribute of boards whose game has an ability.
func attributeOf[A any](sig, doc string, get func(A, engine.Position) starlark.Value) member {
	return requires[A](attribute(sig, doc, func(b *board) (starlark.Value, error) {
		return get(ability[A](b), b.pos), nil
	}))
}

// methodOf returns a method of boards whose game has an ability.
func methodOf[A any](sig, doc string, run func(A, *board, *call) (starlark.Value, error)) member {
	return requires[A](method(sig, doc, func(b *board, c *call) (starlark.Value, error) {
		return run(ability[A](b), b, c)
	}))
}

// ability returns what a member that is needing it works with.
func ability[A any](b *board) A {
	able, _ := games.Ability[A](b.kind.Table, b.kind.game) // needing has looked
	return able
}

// requires makes a member one of boards whose game has an ability.
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

// notationMethod returns a method that writes a legal move in the notation of its name, where the game
// has that.
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

// unsupportedError returns the error of a member that the board does not have, with the position.
func (b *board) unsupportedError(err error) error { return fmt.Errorf("%w (position %s)", err, b.pos) }

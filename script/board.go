package script

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
	"qhsh/pluginclient/batch"
)

// A board is a game under way. It is a position, which never changes and has the whole
// history; a move puts another in its place, and so does taking one back.
type board struct {
	pos    engine.Position
	frozen bool
}

var (
	_ described           = (*board)(nil)
	_ starlark.HasAttrs   = (*board)(nil)
	_ starlark.Comparable = (*board)(nil)
)

// newBoard is a board with a position and its history.
func newBoard(pos engine.Position) *board { return &board{pos: pos} }

// position is where the game stands, with its history.
func (b *board) position() engine.Position { return b.pos }

func (b *board) String() string               { return b.pos.String() }
func (b *board) Type() string                 { return "board" }
func (b *board) Truth() starlark.Bool         { return true }
func (b *board) class() *class                { return boardClass }
func (b *board) AttrNames() []string          { return boardClass.attrNames(b) }
func (b *board) MarshalJSON() ([]byte, error) { return marshal(b.pos.String()) }

func (b *board) Attr(name string) (starlark.Value, error) { return boardClass.attr(b, name) }

// Freeze keeps the board as it is. A frozen board may be shared by threads, so nothing is
// written where nothing changes.
func (b *board) Freeze() {
	if !b.frozen {
		b.frozen = true
	}
}

// Hash is that of the position's text, by which boards are equal.
func (b *board) Hash() (uint32, error) {
	if !b.frozen {
		return 0, fmt.Errorf("unhashable: a board changes; use b.fen or b.hash")
	}
	return starlark.String(b.pos.String()).Hash()
}

// CompareSameType knows equality alone: boards are equal if their texts are, counters
// included, whatever was played before.
func (b *board) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	o := other.(*board)
	same := b.pos.Key() == o.pos.Key() && b.pos.Game() == o.pos.Game() && b.pos.String() == o.pos.String()
	return compareEqual(op, same, "board")
}

// compareEqual answers a comparison of values that are equal or not, and have no order.
func compareEqual(op syntax.Token, same bool, typ string) (bool, error) {
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("%s %s %s: they have no order", typ, op, typ)
}

// at is an error with the position that it is about.
func (b *board) at(c *call, err error) error {
	return fmt.Errorf("%s: %w (position %s)", c.fn.Name(), err, b.pos)
}

// thaw is an error if the board must not change.
func (b *board) thaw(c *call) error {
	if b.frozen {
		return fmt.Errorf("%s: cannot change a frozen board: take b.copy()", c.fn.Name())
	}
	return nil
}

// gameOf is a game by its name. Size and walls are those of Quoridor; walls may be None, for
// as many as the size usually has.
func gameOf(name string, size int, walls starlark.Value) (engine.Game, error) {
	switch name {
	case xiangqi.Rules.Name():
		return notation.Rules, nil
	case quoridor.Default.Name():
		n := quoridor.UsualWalls(size)
		if walls != starlark.None {
			var err error
			if n, err = starlark.AsInt32(walls); err != nil {
				return nil, fmt.Errorf("walls %s: want a number", walls)
			}
		}
		return quoridor.NewRules(size, n)
	}
	return nil, fmt.Errorf("unknown game %s: want %q or %q", starlark.String(name), xiangqi.Rules.Name(), quoridor.Default.Name())
}

var boardFunction = function(`board(fen: str = "startpos", game: str = "xiangqi", size: int = 9, walls: int | None = None) -> Board`,
	`A board with a position. fen is a FEN, of which the board alone is required, or
"startpos"; the word moves and moves may follow. The game "quoridor" is for size x size
cells and so many walls for each side, 10 where the size is 9; its positions have a text
of their own in place of a FEN.
>>> board().fen
"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
>>> board("startpos moves h2e2 h9g7").move_stack
["H2-E2", "H9-G7"]
>>> board(game = "quoridor", size = 5, walls = 3).play("C4", "B3h").fen
"5 b C4/3 C1/2 B3h"`,
	func(c *call) (starlark.Value, error) {
		fen, name, size := "startpos", xiangqi.Rules.Name(), quoridor.Default.Size
		var walls starlark.Value = starlark.None
		if err := c.unpack(&fen, &name, &size, &walls); err != nil {
			return nil, err
		}
		game, err := gameOf(name, size, walls)
		if err != nil {
			return nil, fmt.Errorf("board: %w", err)
		}
		item := batch.Parse(game, fen)
		if item.Err != nil {
			return nil, fmt.Errorf("board: %w (in %s)", item.Err, starlark.String(item.Input))
		}
		return newBoard(item.Pos), nil
	})

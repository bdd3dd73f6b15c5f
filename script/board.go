package script

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/pluginclient/task/batch"
)

// A board is a position with its history. A move replaces the immutable position, and so does
// taking one back.
type board struct {
	pos    engine.Position
	kind   *kind
	item   *batch.Item // as which a file has it; nil if no file has it
	frozen bool
}

var _ starlark.Comparable = (*board)(nil)

func (b *board) String() string               { return b.pos.String() }
func (b *board) Type() string                 { return "board" }
func (b *board) Truth() starlark.Bool         { return true }
func (b *board) class() *class                { return boardClass }
func (b *board) AttrNames() []string          { return boardClass.attrNames(b) }
func (b *board) MarshalJSON() ([]byte, error) { return printable.JSON(b.pos.String()) }

func (b *board) Attr(name string) (starlark.Value, error) { return boardClass.attr(b, name) }

// Freeze makes the board unchangeable. It writes only once, because a frozen board may be shared by
// threads.
func (b *board) Freeze() {
	if !b.frozen {
		b.frozen = true
	}
}

// Hash returns the hash of the position's text, by which boards are compared.
func (b *board) Hash() (uint32, error) {
	if !b.frozen {
		return 0, fmt.Errorf("unhashable: boards are mutable, use b.fen or b.hash")
	}
	return starlark.String(b.pos.String()).Hash()
}

// CompareSameType supports only equality: boards are equal if their texts are, including counters,
// whatever the history.
func (b *board) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	o := other.(*board)
	same := b.pos.Key() == o.pos.Key() && b.pos.Game() == o.pos.Game() && b.pos.String() == o.pos.String()
	return compareEqual(op, same, "board")
}

func (b *board) at(err error) error { return fmt.Errorf("%w (position %s)", err, b.pos) }

var errFrozen = errors.New("cannot change a frozen board: use b.copy()")

func boardDoc(t games.Table) string {
	return `A board with a position. fen is a FEN, of which only the board is required, or "startpos", optionally followed by the word moves and moves. Games without FEN have their own text form. The games are ` + strings.Join(t.Names(), ", ") + `; their options are numbers:` + boardOptions(t) + `
>>> board().fen
"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
>>> board("startpos moves h2e2 h9g7").move_stack
["H2-E2", "H9-G7"]` + otherStarts(t)
}

func boardOptions(t games.Table) string {
	var b strings.Builder
	for _, o := range t.GameOptions() {
		fmt.Fprintf(&b, "\n%s: of %s, %s.", o.Name, engine.Title(o.Game), strings.ReplaceAll(o.Help, "`", ""))
	}
	return b.String()
}

// otherStarts returns examples for the games other than the default.
func otherStarts(t games.Table) string {
	var b strings.Builder
	for _, name := range t.Names()[1:] {
		game, err := t.New(name, nil)
		if err != nil {
			panic(fmt.Sprintf("script: a game of the table: %v", err)) // a test makes them all
		}
		fmt.Fprintf(&b, "\n>>> board(game = %q).fen\n%q", name, game.Start())
	}
	return b.String()
}

func boardFunction(g *catalog) *member {
	sig := fmt.Sprintf(`board(fen: str = "startpos", %s) -> Board`, gameParameters(g.Table))
	return function(sig, boardDoc(g.Table), func(fen string, choice gameArgument) (*board, error) {
		item, err := g.parse(fen, choice)
		if err == nil && item.Err != nil {
			err = fmt.Errorf("%w (in %s)", item.Err, starlark.String(item.Input))
		}
		if err != nil {
			return nil, err
		}
		return g.itemBoard(item), nil
	})
}

func (c *catalog) parse(text string, choice gameArgument) (batch.Item, error) {
	game, err := c.New(choice.name, choice.options)
	if err != nil {
		return batch.Item{}, err
	}
	return batch.Parse(c.AnyNotation(game), text), nil
}

func (c *catalog) itemBoard(item batch.Item) *board {
	b := c.newBoard(item.Pos)
	if item.ID != "" || len(item.Ops)+len(item.Fields)+len(item.BM)+len(item.AM) > 0 {
		b.item = &item
	}
	return b
}

func (b *board) id() (starlark.Value, error) {
	switch {
	case b.item == nil || b.item.ID == "":
		return starlark.None, nil
	case b.item.IDNumber:
		return decodeJSON(b.item.ID)
	}
	return starlark.String(b.item.ID), nil
}

func (b *board) fields() (starlark.Value, error) {
	if b.item == nil {
		return starlark.NewDict(0), nil
	}
	text, err := b.item.Data().MarshalJSON()
	if err != nil {
		return nil, err
	}
	return decodeJSON(string(text))
}

// A validity says whether a text is a position.
type validity struct{ err error }

func validFunction(g *catalog) *member {
	sig := fmt.Sprintf(`valid(fen: str, %s) -> Validity`, gameParameters(g.Table))
	return function(sig, `Whether board(fen) makes a board of this text. The reason of the result says why not.
>>> valid("startpos moves h2e2"), bool(valid("9/9 w"))
(valid, False)
>>> valid("9/9 w").reason
"2 ranks instead of 10"`, func(fen string, choice gameArgument) (v validity, err error) {
		item, err := g.parse(fen, choice)
		return validity{item.Err}, err
	})
}

func (v validity) class() *class { return validityClass }
func (v validity) truth() bool   { return v.err == nil }
func (v validity) reason() error { return v.err }

func (v validity) equal(other data) bool { return v.String() == other.String() }

// String returns "valid", or the reason.
func (v validity) String() string {
	if v.err != nil {
		return v.err.Error()
	}
	return "valid"
}

func (v validity) MarshalJSON() ([]byte, error) { return printable.JSON(v.truth()) }

var validityClass = newClass("Validity", `Whether a text is a position, from valid(fen). It is true in a condition if it is one: if valid(fen). In JSON it is true or false.`,
	attribute("reason: str | None", `Why it is none. None if it is one.`, validity.reason),
)

package script

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
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

func (b *board) push(text string) error {
	if b.frozen {
		return errFrozen
	}
	next, err := b.kind.play(b.pos, text)
	if err != nil {
		return b.at(err)
	}
	b.pos = next
	return nil
}

func (b *board) pop() (starlark.Value, error) {
	if b.frozen {
		return nil, errFrozen
	}
	before, last := b.pos.Undo()
	if before == nil {
		return nil, b.at(errors.New("no move has been played on this board"))
	}
	b.pos = before
	return b.kind.move(before, last), nil
}

func (b *board) play(moves starlark.Tuple) (*board, error) {
	pos := b.pos
	for i, move := range moves {
		text, ok := starlark.AsString(move)
		if !ok {
			return nil, fmt.Errorf("move %d is a %s; want a string (for a list use play(*moves))", i+1, move.Type())
		}
		var err error
		if pos, err = b.kind.play(pos, text); err != nil {
			return nil, b.at(fmt.Errorf("move %d: %w", i+1, err))
		}
	}
	return b.kind.newBoard(pos), nil
}

func (b *board) isLegal(text string) (bool, error) {
	_, err := b.kind.ReadMove(b.pos, text)
	var choice record.AmbiguousMove // it can mean several legal moves
	if errors.Is(err, engine.ErrMalformed) || errors.As(err, &choice) && len(choice.Choices()) > 1 {
		return false, b.at(err)
	}
	return err == nil, nil
}

// maxPerft is the maximum depth, far beyond what is feasible.
const maxPerft = 100

func (b *board) perft(t *task, depth int) (int64, error) {
	if depth < 0 || depth > maxPerft {
		return 0, b.at(fmt.Errorf("depth %d: want 0 to %d", depth, maxPerft))
	}
	n, err := b.kind.Perft(t.ctx, b.pos, depth)
	if err != nil {
		return 0, b.at(err)
	}
	return n, nil
}

func (b *board) odds() *starlark.Dict {
	p, ok := b.pos.(engine.Odds)
	if !ok || b.pos.Turn() != engine.Chance {
		return starlark.NewDict(0)
	}
	return dictOf(b.pos.Moves(), func(m engine.Move) (string, float64) { return b.pos.Format(m), p.Odds(m) })
}

// cut returns text, or its beginning if it has more than most bytes.
func cut(text string, most int) string {
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

// shorten quotes text from a script, cut if it is long.
func shorten(text string) string { return starlark.String(cut(text, 40)).String() }

func (b *board) pieceAt(point string) (string, error) {
	point, err := b.kind.row.Board.Point(b.pos, point)
	if err != nil {
		return "", b.at(err)
	}
	for _, p := range b.kind.row.Pieces(b.pos) {
		if p.Point == point {
			return string(rune(p.Letter)), nil
		}
	}
	return "", nil
}

func (b *board) kinds() *starlark.Dict {
	orNone := func(name string) any {
		if name == "" {
			return nil
		}
		return name
	}
	return dictOf(b.kind.row.Kinds(b.pos), func(p games.PieceKinds) (string, *starlark.Dict) {
		kinds := starlark.NewList(nil)
		for _, name := range p.Kinds {
			_ = kinds.Append(toValue(orNone(name))) // it is not frozen
		}
		return p.Point, dictOfPairs([][2]any{
			{"side", engine.SideName(b.pos.Game(), p.Side)},
			{"kinds", kinds},
			{"now", orNone(p.Now)},
			{"odds", dictOf(p.Odds, func(o games.KindOdds) (string, float64) { return o.Kind, o.Odds })},
		})
	})
}

// ending returns what the tables of endings say; None if they do not have the position.
func (b *board) ending() (starlark.Value, error) {
	e, err := b.kind.row.Endings("").Query(b.pos, "")
	switch {
	case errors.Is(err, engine.ErrUnknownEnding):
		return starlark.None, nil
	case err != nil:
		return nil, err
	}
	var fields [][2]any
	add := func(is bool, name string, value any) {
		if is {
			fields = append(fields, [2]any{name, value})
		}
	}
	add(true, "value", e.Value)
	if e.Plies != nil {
		add(true, "dtm", *e.Plies)
	}
	add(e.ByRule, "byRule", true)
	add(e.Cursed, "cursed", true)
	add(e.Repeated, "repeated", true)
	add(e.Disputed != "", "disputed", e.Disputed)
	add(true, "moves", engine.FormatEach(b.pos, e.Moves))
	return dictOfPairs(fields), nil
}

func (b *board) material() *starlark.Dict {
	var counts [256]int
	for _, p := range b.kind.row.Pieces(b.pos) {
		counts[p.Letter]++
	}
	found := slices.DeleteFunc([]byte(b.kind.row.Letters), func(letter byte) bool { return counts[letter] == 0 })
	return dictOf(found, func(letter byte) (string, int) { return string(rune(letter)), counts[letter] })
}

func (b *board) attackers(name, point string) ([]string, error) {
	side, err := parseSide(b.pos.Game(), name)
	var found []string
	if err == nil {
		found, err = b.kind.row.Attackers(b.pos, side, point)
	}
	if err != nil {
		return nil, b.at(err)
	}
	return found, nil
}

func parseSide(g engine.Game, text string) (engine.Turn, error) {
	for _, side := range []engine.Turn{engine.First, engine.Second} {
		if engine.SideName(g, side) == text {
			return side, nil
		}
	}
	return 0, fmt.Errorf("side %s: want %q or %q", shorten(text), engine.SideName(g, engine.First), engine.SideName(g, engine.Second))
}

func (b *board) mirror() (*board, error) {
	pos, err := b.kind.row.Mirror(b.pos)
	if err != nil {
		return nil, b.at(err)
	}
	return b.kind.newBoard(pos), nil
}

// defaultStyle is the default style of text(). For games without it the game's own default is used.
const defaultStyle = "ascii"

func (b *board) text(style string, flip bool) (string, error) {
	styles := b.kind.row.Styles
	known := slices.Contains(styles, strings.ToLower(style))
	switch {
	case len(styles) == 0 && (flip || style != defaultStyle):
		return "", b.at(fmt.Errorf("style and flip do not apply to %s", engine.Title(b.pos.Game())))
	case !known && style != defaultStyle:
		return "", fmt.Errorf("style %s: want %s", shorten(style), strings.Join(styles, ", "))
	case !known:
		style = ""
	}
	text := b.kind.Draw(b.pos, games.TextOptions{Style: style, Flip: flip})
	return strings.TrimSuffix(text, "\n"), nil // print ends the line
}

func (b *board) svg(arrows, marks stringsArgument, letters, flip, chinese bool) (string, error) {
	svg, err := b.kind.SVG(b.pos, games.ImageOptions{Arrows: arrows, Marks: marks, Letters: letters, Flip: flip, Chinese: chinese})
	if err != nil {
		return "", b.at(err)
	}
	return svg, nil
}

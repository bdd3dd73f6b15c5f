package quoridor

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
)

// String returns the board's text form, in five fields with a blank between:
//
//	9 b E9/10 E1/9 B5h,C3v
//
// The size; whose turn it is, b or w; where Black's pawn stands and how many walls Black
// has left; the same for White; and the walls, horizontal ones first, - if there is none.
// Who built a wall is not told, since nothing depends on it.
func (b *Board) String() string {
	var walls []string
	for _, wall := range b.BuiltWalls() {
		walls = append(walls, wall.String())
	}
	return fmt.Sprintf("%d %s %v/%d %v/%d %s", b.size, ColourName(b.turn)[:1],
		b.pawns[Black], b.left[Black], b.pawns[White], b.left[White], cmp.Or(strings.Join(walls, ","), "-"))
}

// ParseBoard parses a board's text form. The error names the invalid field. The board must be
// possible in a game: pawns on different cells, walls that do not cross, and a path for either
// pawn.
func ParseBoard(text string) (Board, error) {
	fields := strings.Fields(text)
	if len(fields) != 5 {
		return Board{}, fmt.Errorf("position %s has %s: want 5, such as 9 b E9/10 E1/10 -", engine.Quote(text), printable.Plural(len(fields), "field"))
	}
	size, err := strconv.Atoi(fields[0])
	if err != nil {
		return Board{}, fmt.Errorf("size %s: want a number", engine.Quote(fields[0]))
	}
	rules, err := NewRules(size, 0)
	if err != nil {
		return Board{}, err
	}
	b := Board{size: rules.Size}
	b.markEdge()
	if b.turn, err = ParseColour(fields[1]); err != nil {
		return Board{}, fmt.Errorf("side to move: %w", err)
	}
	for _, side := range [...]engine.Turn{Black, White} {
		field := fields[2+side]
		vertex, walls, ok := strings.Cut(field, "/")
		at, err := ParseVertex(vertex)
		if !ok || err != nil || at.Row() >= b.size || at.Col() >= b.size {
			return Board{}, fmt.Errorf("%s %s: want a cell and walls such as E9/10", ColourName(side), engine.Quote(field))
		}
		n, err := strconv.Atoi(walls)
		if err != nil || n < 0 || n > MaxWalls {
			return Board{}, fmt.Errorf("%s %s: want 0 to %d walls after the slash", ColourName(side), engine.Quote(field), MaxWalls)
		}
		b.pawns[side], b.left[side] = at, n
	}
	if b.pawns[Black] == b.pawns[White] {
		return Board{}, fmt.Errorf("both pawns stand on %v", b.pawns[Black])
	}
	b.key = b.hash()
	return b, b.parseWalls(fields[4])
}

// parseWalls builds walls. They are lent to Black for the time, so that they can be
// checked as any.
func (b *Board) parseWalls(field string) error {
	if field == "-" {
		return nil
	}
	for name := range strings.SplitSeq(field, ",") {
		wall, err := ParseAction(name, Black)
		if err == nil && (wall.Kind() == Step || strings.Contains(name, ":")) {
			err = fmt.Errorf("%s is no wall: want one such as B5h", engine.Quote(name))
		}
		if err != nil {
			return fmt.Errorf("walls: %w", err)
		}
		left, turn := b.left[Black], b.turn
		b.SetWalls(Black, 1)
		if err := b.Check(wall); err != nil {
			return fmt.Errorf("walls: %w", err)
		}
		b.Do(wall)
		b.SetWalls(Black, left)
		b.SetTurn(turn)
	}
	return nil
}

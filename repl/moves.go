package repl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
)

func movesFrom(pieces *games.Row, pos engine.Position, text string) ([]engine.Move, error) {
	point, err := pieces.Board.Point(pos, text)
	if err != nil {
		return nil, err
	}
	all := pieces.Pieces(pos)
	i := slices.IndexFunc(all, func(p games.Piece) bool { return p.Point == point })
	switch {
	case i < 0:
		return nil, fmt.Errorf("there is no piece on %s", point)
	case all[i].Side != pos.Turn():
		return nil, fmt.Errorf("the %s on %s belongs to the side that is not to move", all[i].Kind, point)
	}
	return slices.DeleteFunc(pos.Moves(), func(m engine.Move) bool { return origin(pieces, pos, m) != point }), nil
}

// origin returns the point from which a legal move starts.
func origin(pieces *games.Row, pos engine.Position, m engine.Move) string {
	ends, _ := pieces.Board.Ends(pos, pos.Format(m)) // the text is valid
	return ends[0]
}

// listByPiece lists the legal moves, or those of the piece on a point, one line per piece, ordered
// by kind. It returns "" if there are none.
func listByPiece(pieces *games.Row, pos engine.Position, point string, name func(engine.Move) string) (string, error) {
	moves := pos.Moves()
	if point != "" {
		var err error
		if moves, err = movesFrom(pieces, pos, point); err != nil {
			return "", err
		}
	}
	names := map[string][]string{} // of moves, by their starting point
	for _, m := range moves {
		from := origin(pieces, pos, m)
		names[from] = append(names[from], name(m))
	}
	var rows [][]string
	for _, p := range movable(pieces, pos, moves) {
		rows = append(rows, []string{p.Kind + " " + p.Point, strings.Join(names[p.Point], " ")})
	}
	return printable.Table(rows, "l"), nil
}

// movable returns the pieces that moves start from, ordered by kind, and within a kind in the
// order of the moves.
func movable(pieces *games.Row, pos engine.Position, moves []engine.Move) (found []games.Piece) {
	at := map[string]games.Piece{}
	for _, p := range pieces.Pieces(pos) {
		at[p.Point] = p
	}
	for _, m := range moves {
		if p, ok := at[origin(pieces, pos, m)]; ok {
			found = append(found, p)
			delete(at, p.Point)
		}
	}
	slices.SortStableFunc(found, func(a, b games.Piece) int {
		return cmp.Compare(strings.IndexByte(pieces.Letters, a.Letter), strings.IndexByte(pieces.Letters, b.Letter))
	})
	return found
}

// listMoves lists the legal moves whose names start with text, ignoring case, as many in a row as the width
// allows. It returns "" if the game is over, and an error if no move matches.
func listMoves(pos engine.Position, text string, name func(engine.Move) string, width int) (string, error) {
	var names []string
	for _, m := range pos.Moves() {
		if name := name(m); len(name) >= len(text) && strings.EqualFold(name[:len(text)], text) {
			names = append(names, name)
		}
	}
	switch {
	case len(names) > 0:
		return wrap(strings.Join(names, " ")+"\n", width), nil
	case text != "" && !pos.Result().Over():
		return "", fmt.Errorf("no legal move starts with %q", text)
	}
	return "", nil
}

const notationUsage = "[-notation NOTATION]"

func notationCommand(all games.Table) *command {
	return &command{
		name: ".notation", usage: "[" + strings.Join(all.Notations(), "|") + "]", many: true, most: 1,
		summary: "print or choose the notation in which moves of " + all.TitlesWith(func(r *games.Row) bool { return r.Notations != nil }) + " are shown",
		help: `H2-E2 is ICCS, h2e2 is UCI, C2=5 WXF, 炮二平五 Chinese in simplified or in traditional
characters, Che2 SAN. The notation applies to .moves, .history, .hints, .analyze, .tree and
completion; -notation chooses another one for a single command. Moves that you type or load may
use any of these notations. Protocol commands use ICCS.
`,
		complete: words(all.Notations()...), run: runNotation,
	}
}

// usualNotation returns the name of the notation that positions of the default game use.
func usualNotation(all games.Table) string { return cmp.Or(all.Notations()...) }

func runNotation(c *call) error {
	name := c.operand()
	if name == "" {
		fmt.Fprintln(c.out, c.shell.style)
		return nil
	}
	style, err := c.shell.host.Games.ParseNotation(name)
	if err != nil {
		return c.usageError("%w", err)
	}
	c.shell.style = style
	return nil
}

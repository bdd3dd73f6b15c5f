package script

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/annotate"
)

// A game is a game record.
type game struct {
	*record.Game
	kind   *kind // of its boards
	damage error // what could not be read; nil: nothing

	// The result of annotate; nil: not annotated.
	judged   *annotate.Annotated
	language annotate.Language
}

// String returns a summary: the players, the result and the length.
func (g *game) String() string {
	style := g.kind.PGN(g.kind.game)
	text := style.FormatResult(g.Result)
	if first, second := g.Tags.Get(style.First), g.Tags.Get(style.Second); first+second != "" {
		text = cmp.Or(first, "?") + " - " + cmp.Or(second, "?") + " " + text
	}
	plies := "plies"
	if g.Plies() == 1 {
		plies = "ply"
	}
	return fmt.Sprintf("game %s, %d %s", text, g.Plies(), plies)
}

func (g *game) class() *class { return gameClass }

// MarshalJSON returns a line as written by qhsh convert.
func (g *game) MarshalJSON() ([]byte, error) {
	text, err := g.written("json", "")
	return []byte(strings.TrimSuffix(text, "\n")), err
}

// written returns the game in a file format.
func (g *game) written(name, notation string) (string, error) {
	records := g.kind.Records(g.kind.game)
	format, ok := records.FormatByName(name)
	if !ok || format.Binary {
		return "", fmt.Errorf("form %s: want %s", shorten(name), printable.OneOf(textFormats(records)))
	}
	var b bytes.Buffer
	w, err := records.NewWriter(&b, format, notation)
	if err == nil {
		err = w.Write(g.Game)
	}
	return b.String(), err
}

// textFormats returns the names of the writable formats of text.
func textFormats(records *record.Library) (names []string) {
	for _, f := range records.Formats() {
		if f.CanWrite() && !f.Binary {
			names = append(names, f.Name)
		}
	}
	return names
}

func (g *game) root() gameNode { return gameNode{kind: g.kind, pos: g.Start, Node: g.Root} }

// nodes returns the nodes with the positions after their moves, each before its children.
func (g *game) nodes(variations bool) (all []gameNode) {
	for pending := []gameNode{g.root()}; len(pending) > 0; {
		n := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		all = append(all, n)
		next := n.next()
		if !variations {
			next = next[:min(1, len(next))]
		}
		slices.Reverse(next)
		pending = append(pending, next...)
	}
	return all
}

var gameClass = newClass("Game",
	`The record of a game, from a file or made by game(...): a start position and a tree of moves. The main line is what was played; the rest are variations. A game is immutable and equal only to itself. Its JSON is that of qhsh convert.
>>> g = game(board("startpos moves h2e2 h9g7"), {"Red": "Hu"}, comments={1: "central"})
>>> g.moves
("H2-E2", "H9-G7")
>>> [n.comment for n in g.line]
["", "central", ""]`,
	attribute("tags: dict[str, str]", `A new dict of the PGN tags, such as Red, Black, Event and Date.`, func(g *game) *starlark.Dict {
		return dictOf(g.Tags, func(tag record.Tag) (name, value string) { return tag.Name, tag.Value })
	}),
	attribute("result: str", `"1-0" if Red won, "0-1", "1/2-1/2", or "*" if unknown.`,
		func(g *game) string { return g.kind.PGN(g.kind.game).FormatResult(g.Result) }),
	attribute("start: Board", `A new board with the start position.`,
		func(g *game) *board { return g.kind.newBoard(g.Start) }),
	attribute("board: Board", `A new board at the end of the main line, with all its moves.`, func(g *game) *board {
		last := g.Start
		for _, pos := range g.Positions(false) {
			last = pos
		}
		return g.kind.newBoard(last)
	}),
	attribute("moves: tuple[str, ...]", `The moves of the main line.`,
		func(g *game) starlark.Tuple { return g.root().line() }),
	attribute("positions: list[Board]", `New boards of the main line, from the start to the end.`, func(g *game) (all []*board) {
		for _, pos := range g.Positions(false) {
			all = append(all, g.kind.newBoard(pos))
		}
		return all
	}),
	attribute("root: GameNode", `The start node; its children are the first moves.`, (*game).root),
	attribute("line: tuple[GameNode, ...]", `The nodes of the main line, the root first.`,
		func(g *game) []gameNode { return g.nodes(false) }),
	attribute("comments: dict[int, str]", `A new dict of the comments of the main line by ply; 0 is the comment on the game.
>>> game(board(), comments={0: "not played"}).comments
{0: "not played"}`, func(g *game) *starlark.Dict {
		commented := slices.DeleteFunc(g.nodes(false), func(n gameNode) bool { return n.Comment == "" })
		return dictOf(commented, func(n gameNode) (ply int, text string) { return n.ply, n.Comment })
	}),
	attribute("variations: tuple[GameNode, ...]", `The first moves of all variations, including nested ones.`, func(g *game) (all []gameNode) {
		for _, n := range g.nodes(true) {
			if next := n.next(); len(next) > 1 {
				all = append(all, next[1:]...)
			}
		}
		return all
	}),
	fallible("judgement: str | None", `The result of annotate as a line of JSON like that of qhsh annotate, for json.decode. None if the game is not annotated.`, (*game).judgement),
	attribute("error: str | None", `What could not be read of a damaged game. None if it is complete.`,
		func(g *game) error { return g.damage }),

	method(`annotate(engine: Engine, language: str = "en", scale: int = 380, deeper: int = 3, book: str = "") -> Game`, `The game annotated by an engine. It searches each position of the main line and judges a move by the winning chance that it loses: comments have scores, and bad moves get a glyph and the engine's move as a variation. The languages are "en" and "zh". scale is the score in centipawns of a winning chance of 73 %. Suspicious moves are searched again, so many levels deeper; 0 is quick and often wrong. The moves of the opening that two other games have in book, a database of qhsh explore, are not judged.`, (*game).annotate),
	method(`report(notation: str = "iccs") -> str`, `An annotated game as a self-contained interactive HTML page.`, (*game).report),
	method(`puzzles(engine: Engine, prove: int = 7, min: int = 1, max: int = 0, win: float = 0.8, other: float = 0.55, scale: int = 380, captures: bool = False) -> list[Puzzle]`, `The positions of the main line in which exactly one move wins, and whose win the move before has allowed. They are looked for at the engine's level and proved at the level prove. min and max bound the moves of the solver; max=0 is no bound. win is the winning chance that the winning move has at least, and other the one that every other move has at most; scale is as for annotate. With captures there are also puzzles whose whole solution is one move that takes a piece.`, (*game).puzzles),
	method("walk() -> list[GameNode]", `All nodes, each before its children.`,
		func(g *game) []gameNode { return g.nodes(true) }),
	method(`pgn(notation: str = "iccs") -> str`, `The game as PGN, with variations and comments. The notations are "iccs", "uci", "wxf",
"chinese", "traditional" and "san".
>>> game(board("startpos moves h2e2")).pgn("chinese").splitlines()[-1]
"1. 炮二平五 *"`,
		func(g *game, notation optional[string]) (string, error) { return g.text("pgn", notation) }),
	method(`text(form: str = "pgn", notation: str = "iccs") -> str`, `The game in a file format: "pgn", "dhtmlxq", "html", "json" or "moves".
>>> game(board("startpos moves h2e2")).text("moves", "wxf")
"startpos moves C2=5"`,
		(*game).text),
)

// text returns the game in a file format, without the end of its last line, which print adds.
func (g *game) text(form string, notation optional[string]) (string, error) {
	name, err := g.kind.notation(notation.or(g.kind.NotationFor(g.kind.game, "")))
	if err != nil {
		return "", err
	}
	text, err := g.written(form, name)
	return strings.TrimSuffix(text, "\n"), err
}

var gameFunction = function(`game(board: Board, tags: dict[str, str] = {}, result: str = "", comments: dict[int, str] = {}, glyphs: dict[int, int] = {}) -> Game`,
	`The record of the game that led to a board. The result is "1-0", "0-1", "1/2-1/2" or "*"; by default it follows from the rules. Comments and annotation glyphs, as numbered in PGN, are by ply from 1; 0 is the start.
>>> game(board("startpos moves h2e2"), glyphs={1: 1}, result="1/2-1/2")
game 1/2-1/2, 1 ply`, makeGame)

func makeGame(b *board, tags *starlark.Dict, result string, comments, glyphs *starlark.Dict) (*game, error) {
	g := &game{Game: record.FromPosition(b.pos), kind: b.kind}
	if result != "" {
		outcome, err := b.kind.parseResult(result)
		if err != nil {
			return nil, err
		}
		g.Result = outcome
	}
	line := g.nodes(false)
	return g, errors.Join(
		eachEntry("tags", tags, func(name, value string) error { g.Tags.Set(name, strings.Join(strings.Fields(value), " ")); return nil }),
		eachEntry("comments", comments, func(ply int, text string) error {
			return atPly(line, ply, func(n *record.Node) { n.Comment = text })
		}),
		eachEntry("glyphs", glyphs, func(ply, glyph int) error {
			if glyph < 1 || glyph > 255 {
				return fmt.Errorf("glyph %d: want 1 to 255", glyph)
			}
			return atPly(line, ply, func(n *record.Node) { n.Glyphs = []uint8{uint8(glyph)} })
		}),
	)
}

// eachEntry calls f for the entries of a dict argument until it returns an error.
func eachEntry[K, V any](name string, dict *starlark.Dict, f func(K, V) error) error {
	for key, value := range dict.Entries() {
		var k K
		var v V
		if err := errors.Join(starlark.UnpackArg(key, &k), starlark.UnpackArg(value, &v)); err != nil {
			return fmt.Errorf("%s: entry %s: %w", name, key, err)
		}
		if err := f(k, v); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func atPly(line []gameNode, ply int, set func(*record.Node)) error {
	if ply < 0 || ply >= len(line) {
		return fmt.Errorf("ply %d: the game has plies 0 to %d", ply, len(line)-1)
	}
	set(line[ply].Node)
	return nil
}

// A gameNode is a node of a game with its position. There may be several values for one node; they
// are equal.
type gameNode struct {
	kind *kind // of its board
	pos  engine.Position
	name string // of the move; empty at the root
	ply  int
	*record.Node
}

// String returns a summary: "ply 3: H0-G2".
func (n gameNode) String() string {
	if n.name == "" {
		return "start of a game"
	}
	return fmt.Sprintf("ply %d: %s", n.ply, n.name)
}

func (n gameNode) class() *class         { return gameNodeClass }
func (n gameNode) equal(other data) bool { return n.Node == other.(gameNode).Node }

// MarshalJSON returns the node without its children, with the keys of a note in a game's JSON and the
// position.
func (n gameNode) MarshalJSON() ([]byte, error) {
	var glyphs []int
	for _, glyph := range n.Glyphs {
		glyphs = append(glyphs, int(glyph))
	}
	return printable.JSON(struct {
		Ply      int    `json:"ply"`
		Move     string `json:"move,omitempty"`
		Position string `json:"position"`
		Before   string `json:"before,omitempty"`
		Text     string `json:"text,omitempty"`
		Glyphs   []int  `json:"glyphs,omitempty"`
	}{n.ply, n.name, n.pos.String(), n.StartingComment, n.Comment, glyphs})
}

func (n gameNode) next() (all []gameNode) {
	for _, next := range n.Next {
		if pos, err := n.pos.Play(next.Move); err == nil {
			all = append(all, gameNode{n.kind, pos, n.pos.Format(next.Move), n.ply + 1, next})
		}
	}
	return all
}

// line returns the main line from the node.
func (n gameNode) line() starlark.Tuple {
	var moves []engine.Move
	for next := n.Next; len(next) > 0; next = next[0].Next {
		moves = append(moves, next[0].Move)
	}
	return n.kind.moves(n.pos, moves)
}

var gameNodeClass = newClass("GameNode",
	`A move of a recorded game, with its comments and continuations. The root is the start of the game and has no move. Nodes are immutable, and equal if they are the same node of the same game. In JSON a node is an object with ply, move, position, before, text and glyphs.`,
	attribute("move: str | None", `The move. None at the root.`,
		func(n gameNode) string { return n.name }),
	attribute("ply: int", `The number of moves played, including this one.`,
		func(n gameNode) int { return n.ply }),
	attribute("board: Board", `A new board after the move, with its history.`,
		func(n gameNode) *board { return n.kind.newBoard(n.pos) }),
	attribute("comment: str", `The comment after the move; at the root, on the game.`,
		func(n gameNode) string { return n.Comment }),
	attribute("before: str", `The comment before the move, at the start of a variation.`,
		func(n gameNode) string { return n.StartingComment }),
	attribute("glyphs: tuple[int, ...]", `Annotation glyphs as numbered in PGN: 1 is !, 2 is ?.`,
		func(n gameNode) []uint8 { return n.Glyphs }),
	attribute("next: tuple[GameNode, ...]", `The child nodes, main line first.`,
		gameNode.next),
	attribute("line: tuple[str, ...]", `The main line after this move. board.play(*line) plays it.`,
		gameNode.line),
)

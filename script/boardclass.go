package script

import (
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/games"
)

var boardClass = newClass("Board",
	`A position with the moves that led to it. Methods accept moves in any notation: "H2-E2", "h2e2", "C2=5", "炮二平五", "Che2". Boards are equal if their fen is. A frozen board, one that another module or pmap uses, cannot be changed: copy it. In JSON a board is its fen. Members for pieces, checks, notations and rulings exist only for games that have them.
>>> b = board()
>>> b.push("h2e2")
>>> b.legal_moves[:3]
["A9-A7", "A9-A8", "I9-I7"]
>>> b.pop()
"H2-E2"`,
	attribute("fen: str", `The position with all six fields, in the letters rnbakcp, upper case for Red.
>>> board("4k4/9/9/9/9/9/9/9/9/3K4R").fen
"4k4/9/9/9/9/9/9/9/9/3K4R w - - 0 1"`, (*board).String),
	attribute("turn: str", `The side to move, such as "red" or "black".`,
		func(b *board) string { return engine.SideName(b.pos.Game(), b.pos.Turn()) }),
	attribute("legal_moves: list[str]", `A new list of the legal moves, in an order that depends only on the position.
>>> len(board().legal_moves)
44`, func(b *board) *starlark.List { return b.kind.legalMoves(b.pos) }),
	attribute("move_stack: list[str]", `The moves played so far.`,
		func(b *board) starlark.Tuple { return b.kind.moves(b.pos.History()) }),
	attribute("start_fen: str", `The fen before the moves of move_stack.`, func(b *board) string {
		start, _ := b.pos.History()
		return start.String()
	}),
	attributeOf(hasChecks, "is_check: bool", `Whether the side to move is in check.`,
		func(g *games.Row, p engine.Position) bool { return g.InCheck(p) }),
	attributeOf(hasChecks, "is_checkmate: bool", `Whether the side to move is in check and has no move.`, overBy("checkmate")),
	attributeOf(hasChecks, "is_stalemate: bool", `Whether the side to move has no move and is not in check. outcome says who won.`, overBy("stalemate")),
	attribute("is_game_over: bool", `Whether the game has ended by the rules on moves, such as checkmate. It ignores repetition and lack of progress; see judge().outcome.`,
		func(b *board) bool { return b.pos.Result().Over() }),
	attribute("outcome: Outcome | None", `How the game ended by the rules of is_game_over. None while it is in progress.
>>> board("3k5/4P4/4R4/9/9/9/9/9/9/4K4 b").outcome
red wins by stalemate`, func(b *board) starlark.Value { return outcomeBy(b.pos, b.pos.Result()) }),
	attribute("hash: int", `A number of 64 bits that is equal for equal pieces and side to move, on every machine.
>>> board("startpos moves h2e2 h9g7 e2h2 g7h9").hash == board().hash
True`, func(b *board) uint64 { return b.pos.Key() }),
	attributeOf(hasCounters, "fullmove_number: int", `The full move number, from 1. It increases after Black's moves.`,
		func(g *games.Row, p engine.Position) int { return g.MoveNumber(p) }),
	attributeOf(hasCounters, "halfmove_clock: int", `Plies since the last capture.`,
		func(g *games.Row, p engine.Position) int { return g.QuietPlies(p) }),
	attribute("odds: dict[str, float]", `The moves of chance with their probabilities, at chance's turn. Empty at a side's turn.`, (*board).odds),

	fallible("id: str | int | float | None", `The id of the position in the file that positions() has read, or in the EPD that board() was given. None without one.
>>> board("startpos bm h2e2; id \"first\"; dm 4;").id
"first"`, (*board).id),
	fallible("fields: dict[str, object]", `A new dict of what that file has about the position: other keys of JSON, columns of CSV, which are strings, and operations of EPD. bm and am are lists of moves; if they cannot be read, unscored says why. A copy of the board has the same id and fields, one after other moves has none.
>>> board("startpos bm h2e2; id \"first\"; dm 4;").fields
{"bm": ["H2-E2"], "dm": 4}`, (*board).fields),

	method("push(move: str) -> None", `Plays a move. An illegal one is an error that says why.`, (*board).push),
	method("pop() -> str", `Takes the last move back and returns it.`, (*board).pop),
	method("copy() -> Board", `A board with the same position and moves.`,
		func(b *board) *board { return &board{pos: b.pos, kind: b.kind, item: b.item} }),
	method("play(*moves: str) -> Board", `A new board after the moves. This one is not changed.
>>> board().play("h2e2", "h9g7").turn
"red"`, (*board).play),
	method("is_legal(move: str) -> bool", `Whether a move is legal. Text that is not a move at all is an error.
>>> board().is_legal("h2h9"), board().is_legal("a0a9")
(True, False)`, (*board).isLegal),
	moveMethod("parse(text: str) -> str", `Parses a legal move in any notation and returns it in the notation of scripts. The error of an illegal move says why it is illegal.
>>> board().parse("h2e2"), board().parse("馬八進七")
("H2-E2", "B0-C2")`, func(b *board, m engine.Move) any { return b.kind.move(b.pos, m) }),
	notationMethod("iccs(move: str) -> str", `A legal move in ICCS, "H2-E2", the notation of all moves in scripts.`),
	notationMethod("uci(move: str) -> str", `A legal move in UCI notation.
>>> board().uci("H2-E2")
"h2e2"`),
	notationMethod("wxf(move: str) -> str", `A legal move in the notation of the World Xiangqi Federation.
>>> board().wxf("H2-E2")
"C2=5"`),
	notationMethod("chinese(move: str) -> str", `A legal move in Chinese, in simplified characters.
>>> board().chinese("H2-E2")
"炮二平五"`),
	notationMethod("traditional(move: str) -> str", `A legal move in Chinese, in traditional characters.
>>> board().play("H2-E2").traditional("H9-G7")
"馬８進７"`),
	notationMethod("san(move: str) -> str", `A legal move in XBoard's SAN: the piece and its target.
>>> board().san("H2-E2")
"Che2"`),
	requires(hasChecks, moveMethod("gives_check(move: str) -> bool", `Whether a legal move puts the other side in check.
>>> board().gives_check("b2e2"), board("4k4/9/9/9/9/9/9/9/9/3K4R").gives_check("i0i9")
(False, True)`, func(b *board, m engine.Move) any { return b.kind.row.GivesCheck(b.pos, m) })),
	requires(games.HasPieces, moveMethod("is_capture(move: str) -> bool", `Whether a legal move captures a piece.
>>> board().is_capture("h2h9")
True`, func(b *board, m engine.Move) any { return b.kind.row.Captures(b.pos, m) })),
	requires(hasCounters, method("is_repetition(count: int = 3) -> bool", `Whether the position has occurred count times, including now, since the last capture.
>>> board("startpos moves h2e2 h9g7 e2h2 g7h9").is_repetition(2)
True`, func(b *board, count int) bool { return b.kind.row.Occurrences(b.pos) >= count })),
	requires(games.HasRuleSets, method(`judge(rules: str = "asian") -> Ruling`, `The ruling on repetition and lack of progress, as from qhsh judge. The rules are "asian", "wxf", "chinese" and "computer".
>>> b = board("3k5/9/9/R8/2c6/9/9/9/9/5K3 w moves a6a5 c5c6 a5a6 c6c5 a6a5 c5c6 a5a6 c6c5")
>>> b.outcome, b.judge().verdict, b.judge().outcome
(None, "loss", black wins by perpetual chase)
>>> b.judge("chinese").reason
"perpetual attack"`, (*board).judge)),

	requires(games.HasEndings, method(`ending() -> dict | None`, `What a position with few men is worth, exactly. value is "win", "draw" or "loss" for the side to move, dtm the plies to the end of the game, and moves those that keep the value, best first. byRule, cursed, repeated and disputed are there where qhsh endings query says so. None if no table in the program has the position; engine("builtin,endings=FOLDER") knows others.
>>> board("3aka3/9/9/9/9/9/9/9/4R4/3K5 b").ending()
{"value": "loss", "dtm": 6, "moves": ("F9-E8",)}
>>> print(board().ending())
None`, (*board).ending)),

	requires(games.HasPieces, method("piece_at(square: str) -> str | None", `The letter of the piece on a point, upper case for Red. None on an empty one.
>>> board().piece_at("h2"), board().piece_at("h7"), board().piece_at("h5")
("C", "c", None)`, (*board).pieceAt)),
	requires(games.HasPieces, method("pieces() -> dict[str, str]", `The letters of all pieces by their points, from the top left as in a FEN.
>>> board("4k4/9/9/9/9/9/9/9/9/3K4R").pieces()
{"E9": "k", "D0": "K", "I0": "R"}`, func(b *board) *starlark.Dict {
		return dictOf(b.kind.row.Pieces(b.pos), func(p games.Piece) (point, letter string) { return p.Point, string(rune(p.Letter)) })
	})),
	requires(hasKinds, method("kinds() -> dict[str, dict]", `The pieces of a game with hidden kinds by their squares, as both sides know them. side is the piece's colour. kinds has its two kinds, None if unknown. now is its current kind, None in superposition. odds are the probabilities of its kind when it is selected.`, (*board).kinds)),
	requires(games.HasPieces, method("material() -> dict[str, int]", `The number of pieces of each letter, in the order RNBAKCP rnbakcp. Letters without pieces are left out.
>>> board("4k4/9/9/9/9/9/9/9/9/R2K4R").material()
{"R": 2, "K": 1, "k": 1}`, (*board).material)),
	requires(games.HasPieces, method("attackers(side: str, square: str) -> list[str]", `The points of a side's pieces that attack or protect a point, including pinned ones.
>>> board().attackers("red", "e2")
["C0", "G0"]`, (*board).attackers)),
	requires(games.HasPieces, method("mirror() -> Board", `The board with left and right exchanged, including its moves.
>>> board().play("h2e2").mirror().move_stack
["B2-E2"]`, (*board).mirror)),

	method(`text(style: str = "ascii", flip: bool = False) -> str`, `The board as lines of text. The styles are "ascii", "letters" and "chinese". flip puts
Black at the bottom.`, (*board).text),
	method("svg(arrows: list[str] = [], marks: list[str] = [], letters: bool = False, flip: bool = False, chinese: bool = False) -> str", `The board as SVG. The last move is marked. arrows are moves, legal or not;
marks are points. letters shows pieces as letters instead of hanzi; flip puts Black at the
bottom; chinese names the files as the Chinese notation does.`, (*board).svg),
	method("perft(depth: int) -> int", `The number of leaf nodes of the given depth.
>>> board().perft(2)
1920`, (*board).perft),
)

func overBy(reason string) func(*games.Row, engine.Position) bool {
	return func(_ *games.Row, p engine.Position) bool { return p.Result().Reason == reason }
}

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
		return b.kind.MoveName(b.pos, m, name)
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

package script

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/engine/games/gamestest"
	"qhsh/engine/xiangqi"
)

const (
	startQuoted = `"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"`
	start       = "(position rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1)"
)

func TestBoard(t *testing.T) {
	newBench(t.Context()).expect(t, [][2]string{
		{`board()`, strings.Trim(startQuoted, `"`)},
		{`board().fen`, startQuoted},
		{`board("4k4/9/9/9/9/9/9/9/9/3K4R").fen`, `"4k4/9/9/9/9/9/9/9/9/3K4R w - - 0 1"`},
		{`board("startpos moves h2e2").fen`, `"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1"`},
		{`board(game="xiangqi") == board()`, `True`},
		{`type(board()), bool(board())`, `("board", True)`},
		{`board().turn, board().play("h2e2").turn`, `("red", "black")`},
		{`board().play("h2e2", "H9G7", "H0-G2").move_stack`, `["H2-E2", "H9-G7", "H0-G2"]`},
		{`board().play("h2e2").start_fen == board().fen`, `True`},
		{`board().play("h2e2", "h9g7").fullmove_number, board().play("h2e2", "h9g7").halfmove_clock`, `(2, 2)`},
		{`len(board().legal_moves), board().legal_moves[0] in board().legal_moves`, `(44, True)`},
		{`board().legal_moves == board().legal_moves`, `True`},
		{`board().is_check, board().is_checkmate, board().is_stalemate, board().is_game_over, board().outcome`, `(False, False, False, False, None)`},
		{`board("4ka3/4R4/9/9/9/9/9/9/9/3K5 b").is_check`, `True`},
		{`board("3k5/4P4/4R4/9/9/9/9/9/9/4K4 b").is_stalemate`, `True`},
		{`board("R3k4/R8/9/9/9/9/9/9/9/3K5 b").is_checkmate`, `True`},
		{`board("R3k4/R8/9/9/9/9/9/9/9/3K5 b").outcome`, `red wins by checkmate`},
		{`board("R3k4/R8/9/9/9/9/9/9/9/3K5 b").is_game_over`, `True`},
		{`board().hash == board().play("h2e2").hash`, `False`},
		{`board().hash == board().mirror().hash`, `True`},
		{`board().is_legal("h2e2"), board().is_legal("h2h9"), board().is_legal("h2d6")`, `(True, True, False)`},
		{`board().parse("H2E2"), board().iccs("h2e2"), board().uci("H2-E2")`, `("H2-E2", "H2-E2", "h2e2")`},
		{`board().parse("C2=5"), board().parse("炮二平五"), board().parse("砲八平五"), board().parse("Nc2")`, `("H2-E2", "H2-E2", "B2-E2", "B0-C2")`},
		{`board().wxf("h2e2"), board().chinese("C2=5"), board().traditional("h0g2"), board().san("炮二平五")`, `("C2=5", "炮二平五", "馬二進三", "Che2")`},
		{`board().play("炮二平五", "H8+7", "Hg2").move_stack`, `["H2-E2", "H9-G7", "H0-G2"]`},
		{`board().is_legal("C2=5"), board().is_legal("炮二退五")`, `(True, False)`},
		{`board().is_capture("h2h9"), board().is_capture("h2e2")`, `(True, False)`},
		{`board("4k4/9/9/9/9/9/9/9/9/3K4R").gives_check("i0i9")`, `True`},
		{`board().is_repetition(), board().is_repetition(1)`, `(False, True)`},
		{`board("startpos moves h2e2 h9g7 e2h2 g7h9 h2e2 h9g7 e2h2 g7h9").is_repetition()`, `True`},
		{`board().piece_at("H2"), board().piece_at("e9"), board().piece_at("e5")`, `("C", "k", None)`},
		{`board("4k4/9/9/9/9/9/9/9/9/3K4R").pieces()`, `{"E9": "k", "D0": "K", "I0": "R"}`},
		{`board().material()`, `{"R": 2, "N": 2, "B": 2, "A": 2, "K": 1, "C": 2, "P": 5, "r": 2, "n": 2, "b": 2, "a": 2, "k": 1, "c": 2, "p": 5}`},
		{`board().attackers("red", "e2"), board().attackers("black", "e2"), board().attackers("black", "e7")`, `(["C0", "G0"], [], ["C9", "G9"])`},
		{`board("3ak4/9/9/9/9/9/9/9/9/3K4R w - - 5 9 moves i0i9").mirror()`, `R3ka3/9/9/9/9/9/9/9/9/5K3 b - - 6 9`},
		{`[board().perft(n) for n in range(4)]`, `[1, 44, 1920, 79666]`},
		{`board().text(style="letters", flip=True) == board().mirror().text(style="letters", flip=True)`, `True`},
		{`dir(board())`, `["attackers", "chinese", "copy", "ending", "fen", "fields", "fullmove_number", "gives_check", "halfmove_clock", "hash", "iccs", "id", "is_capture", "is_check", "is_checkmate", "is_game_over", "is_legal", "is_repetition", "is_stalemate", "judge", "legal_moves", "material", "mirror", "move_stack", "odds", "outcome", "parse", "perft", "piece_at", "pieces", "play", "pop", "push", "san", "start_fen", "svg", "text", "traditional", "turn", "uci", "wxf"]`},
	})
}

func TestBoardErrors(t *testing.T) {
	newBench(t.Context()).expect(t, [][2]string{
		{`board("9/9")`, `error: board: 2 ranks instead of 10 (in "9/9")`},
		{
			`dir(board(game="quoridor"))`,
			`["copy", "fen", "fields", "hash", "id", "is_game_over", "is_legal", "legal_moves", "move_stack", "odds", "outcome", "parse", "perft", "play", "pop", "push", "start_fen", "svg", "text", "turn"]`,
		},
		{`hasattr(board(game="quoridor"), "mirror"), hasattr(board(game="quoridor"), "is_check"), hasattr(board(), "mirror")`, `(False, False, True)`},
		{`board(game="quoridor").mirror()`, `error: mirror: boards of Quoridor have no such thing, those of Xiangqi do (position 9 b E9/10 E1/10 -)`},
		{`board(game="quoridor").push("E8") or board(game="quoridor").parse("B3 h")`, `"B3h"`},
		{`board("startpos moves E8 B3 h c3 V", game="quoridor").move_stack`, `["E8", "B3h", "C3v"]`},
		{`board(game="qchess").text(flip=True).startswith("      7     6 ")`, `True`},
		{`hasattr(board(game="qchess"), "kinds"), hasattr(board(), "kinds")`, `(True, False)`},
		{`len(board(game="qchess").kinds()), {p: k["now"] for p, k in board("startpos moves @36 0=pawn 36-35", game="qchess").kinds().items() if k["now"]}`, `(32, {"35": "pawn"})`},
		{`board("startpos moves @36 0=pawn 36-34", game="qchess").kinds()["34"]["kinds"]`, `["pawn", None]`},
		{`{k: round(v * 100) for k, v in board("startpos moves @36 0=pawn 36-34", game="qchess").kinds()["34"]["odds"].items()}`, `{"pawn": 89, "rook": 3, "knight": 3, "bishop": 3, "queen": 1}`},
		{`board(game="go")`, `error: board: ` + unknown(games.Default)},
		{`board("startpos moves h2h2")`, `error: board: move 1: H2-H2: start and target are the same (in "startpos moves h2h2")`},
		{`board(1)`, `error: board: for parameter fen: got int, want string`},
		{`board().push("H2-H0")`, `error: push: H2-H0: own piece on H0 ` + start},
		{`board().push("zz")`, `error: push: "zz": not a move: want one such as H2-E2, C2=5 or 炮二平五 ` + start},
		{`board().push("")`, `error: push: "": not a move: want one such as H2-E2, C2=5 or 炮二平五 ` + start},
		{`board("3k5/9/9/9/9/9/9/2C6/9/4K4").wxf("C6=5")`, `error: wxf: C6=5: red has no such cannon on file 6; possible: C7-2 C7-1 C7=9 C7=8 C7=6 C7=5 C7=4 C7=3 C7=2 C7=1 C7+1 C7+2 C7+3 C7+4 C7+5 C7+6 C7+7 (position 3k5/9/9/9/9/9/9/2C6/9/4K4 w - - 0 1)`},
		{`board("3k5/9/9/9/9/9/9/2R3R2/9/4K4").is_legal("Re2")`, `error: is_legal: Re2: ambiguous move; possible: C2-E2 G2-E2 (position 3k5/9/9/9/9/9/9/2R3R2/9/4K4 w - - 0 1)`},
		{`board().push()`, `error: push: missing argument for move`},
		{`board().push(1)`, `error: push: for parameter move: got int, want string`},
		{`board().push("h2e2", "h9g7")`, `error: push: got 2 arguments, want at most 1`},
		{`board().pop()`, `error: pop: no move has been played on this board ` + start},
		{`board().play("h2e2", "h2e2")`, `error: play: move 2: H2-E2: no piece on H2 ` + start},
		{`board().play(["h2e2"])`, `error: play: move 1 is a list; want a string (for a list use play(*moves))`},
		{`board().is_legal("hh")`, `error: is_legal: "hh": not a move: want one such as H2-E2, C2=5 or 炮二平五 ` + start},
		{`board().uci("a0a0")`, `error: uci: A0-A0: start and target are the same ` + start},
		{`board().piece_at("j1")`, `error: piece_at: point "j1": want a file and a rank, such as "H2" ` + start},
		{`board().attackers("white", "e4")`, `error: attackers: side "white": want "red" or "black" ` + start},
		{`board().text(style="oil")`, `error: text: style "oil": want ascii, letters, chinese`},
		{`board().svg(arrows=["e"])`, `error: svg: arrows: "e": not a move: want one such as H2-E2, C2=5 or 炮二平五 ` + start},
		{`board().svg(marks="e4")`, `error: svg: for parameter "marks": got string, want a list of strings`},
		{`board().svg(marks=[4])`, `error: svg: for parameter "marks": element 0 is a int, want a string`},
		{`board().perft(-1)`, `error: perft: depth -1: want 0 to 100 ` + start},
		{`board() < board()`, `error: board < board: not ordered`},
		{`{board(): 1}`, `error: unhashable: boards are mutable, use b.fen or b.hash`},
		{`board().color`, `error: board has no .color field or method`},
	})
}

func TestPerftIsStopped(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	newBench(ctx).expect(t, [][2]string{{`board().perft(9)`, `error: perft: perft: enough ` + start}})
}

func TestFrozenBoard(t *testing.T) {
	b := newBench(t.Context())
	frozen := testGames.newBoard(xiangqi.Start())
	frozen.Freeze()
	b.names["frozen"] = frozen
	b.expect(t, [][2]string{
		{`frozen.push("h2e2")`, `error: push: cannot change a frozen board: use b.copy()`},
		{`frozen.pop()`, `error: pop: cannot change a frozen board: use b.copy()`},
		{`frozen.copy().push("h2e2")`, `None`},
		{`frozen.play("h2e2").pop()`, `"H2-E2"`},
		{`{frozen: 1}[frozen], frozen == board()`, `(1, True)`},
	})
}

// TestOtherGames plays a game for which only the core is available.
func TestOtherGames(t *testing.T) {
	b := newBench(t.Context())
	pos := enginetest.Stones.Start()
	b.names["b"] = testGames.newBoard(pos)
	first := pos.Format(pos.Moves()[0])
	b.names["first"] = starlark.String(first)
	b.expect(t, [][2]string{
		{`b.turn`, `"chance"`},
		{`b.legal_moves[0] == first, b.parse(first) == first`, `(True, True)`},
		{`b.is_legal("nonsense")`, `error: is_legal: stones: no move "nonsense" in "7 first": want one such as "take 1" or "roll 2" (position 7 first)`},
		{`b.push(first)`, `None`},
		{`b.move_stack == [first]`, `True`},
		{`b.pop() == first, b.move_stack`, `(True, [])`},
		{`b.pop()`, `error: pop: no move has been played on this board (position ` + pos.String() + `)`},
		{`b.is_check`, `error: is_check: boards of ` + engine.Title(pos.Game()) + ` have no such thing, those of Xiangqi do (position ` + pos.String() + `)`},
		{`b.mirror()`, `error: mirror: boards of ` + engine.Title(pos.Game()) + ` have no such thing, those of Xiangqi do (position ` + pos.String() + `)`},
		{`b == board()`, `False`},
	})
}

// TestNewGame: a game that provides only its row has boards that can be played, drawn and counted,
// without optional abilities.
func TestNewGame(t *testing.T) {
	table := newCatalog(games.Default.With(&games.Row{Game: enginetest.Stones}))
	b := newBenchOf(t.Context(), table)
	b.names["b"] = table.newBoard(enginetest.Stones.Start())
	b.expect(t, [][2]string{
		{`board(game="stones") == b`, `True`},
		{`b, b.turn, b.legal_moves`, `(7 first, "chance", ["roll 1", "roll 2"])`},
		{`b.push("roll 2")`, `None`},
		{`b.play("take 2", "take 1").move_stack`, `["roll 2", "take 2", "take 1"]`},
		{`b.play("take 2").pop(), b.pop(), b.move_stack`, `("take 2", "roll 2", [])`},
		{`b.parse("roll 1"), b.is_legal("roll 2")`, `("roll 1", True)`},
		{`[b.perft(depth) for depth in range(4)]`, `[1, 2, 3, 6]`},
		{`b.text(), b.svg().startswith("<svg")`, `("7 first", True)`},
		{`board("3 second 2", game="stones").play("take 2").fen`, `"1 second 2"`},
		{`board(b.fen, game="stones") == b`, `True`},
		{`board("1 first 1", game="stones").play("take 1").outcome`, `first wins by last stone`},
		{`dir(b)`, `["copy", "fen", "fields", "hash", "id", "is_game_over", "is_legal", "legal_moves", "move_stack", "odds", "outcome", "parse", "perft", "play", "pop", "push", "start_fen", "svg", "text", "turn"]`},
		{`b.piece_at("E4")`, `error: piece_at: boards of Stones have no such thing, those of Xiangqi do (position 7 first)`},
		{`b.judge()`, `error: judge: boards of Stones have no such thing, those of Xiangqi do (position 7 first)`},
		{`b.wxf("roll 1")`, `error: wxf: boards of Stones have no such thing, those of Xiangqi do (position 7 first)`},
		{`b.text(flip=True)`, `error: text: style and flip do not apply to Stones (position 7 first)`},
		{`b.svg(letters=True)`, `error: svg: letters does not apply to Stones (position 7 first)`},
		{`b.svg(chinese=True)`, `error: svg: chinese does not apply to Stones (position 7 first)`},
		{`board(game="go")`, `error: board: ` + unknown(gamestest.Table())},
		{`help(board)`, `None`},
	})
	if help := b.printed.String(); !strings.Contains(help, `board(game = "stones").fen`) {
		t.Errorf("help on board:\n%s", help)
	}
}

func TestBoardPictures(t *testing.T) {
	b := newBench(t.Context())
	text := b.run(t, `text = board().play("h2e2").text(style="letters")`)["text"]
	want := `   A B C D E F G H I
9  r n b a k a b n r  9
8  . . . . . . . . .  8
7  . c . . . . . c .  7
6  p . p . p . p . p  6
5  . . . . . . . . .  5
4  . . . . . . . . .  4
3  P . P . P . P . P  3
2  . C . . C . . . .  2
1  . . . . . . . . .  1
0  R N B A K A B N R  0
   A B C D E F G H I`
	if diff := cmp.Diff(want, string(text.(starlark.String))); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	b.expect(t, [][2]string{
		{`board().svg().startswith("<svg")`, `True`},
		{`board().svg(arrows=["h2e2"]) == board().svg(), board().svg(marks=["e4"]) == board().svg(), board().svg(flip=True) == board().svg(), board().svg(chinese=True) == board().svg()`, `(False, False, False, False)`},
		{`board().svg(arrows=["H2-E2"], marks=["E4"]) == board().svg(["h2e2"], ["e4"])`, `True`},
		{`board().play("h2e2").svg() == board(board().play("h2e2").fen).svg()`, `False`},
	})
}

func TestOutcome(t *testing.T) {
	b := newBench(t.Context())
	b.names["draw"] = object{outcome{reason: "agreement"}}
	b.run(t, `r = board("R3k4/R8/9/9/9/9/9/9/9/3K5 b").outcome`)
	b.names["r"] = sampleOutcome(mustPosition(t, "R3k4/R8/9/9/9/9/9/9/9/3K5 b"))
	b.expect(t, [][2]string{
		{`r, r.winner, r.reason, type(r), bool(r)`, `(red wins by checkmate, "red", "checkmate", "outcome", True)`},
		{`draw, draw.winner, draw == r, draw != r`, `(draw by agreement, None, False, True)`},
		{`{r: 1}[r]`, `1`},
		{`r < r`, `error: outcome < outcome: not ordered`},
	})
}

func mustPosition(t testing.TB, fen string) *xiangqi.Position {
	t.Helper()
	pos, err := xiangqi.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	return pos
}

// drawGame draws a random game of a few moves.
func drawGame(t *rapid.T) engine.Position {
	pos := engine.Position(xiangqi.Start())
	for range rapid.IntRange(0, 60).Draw(t, "plies") {
		moves := pos.Moves()
		if len(moves) == 0 {
			break
		}
		next, err := pos.Play(rapid.SampledFrom(moves).Draw(t, "move"))
		if err != nil {
			t.Fatal(err)
		}
		pos = next
	}
	return pos
}

// TestBoardLaws checks on random games that scripts get what the rules say, and that undone moves
// leave no trace.
func TestBoardLaws(t *testing.T) {
	b := newBench(t.Context())
	rapid.Check(t, func(rt *rapid.T) {
		pos := drawGame(rt)
		b.names["b"] = testGames.newBoard(pos)
		var want []string
		for _, m := range pos.Moves() {
			want = append(want, pos.Format(m))
		}
		b.names["want"] = starlark.NewList(toValue(want).(starlark.Tuple))
		b.names["same"] = testGames.newBoard(pos)
		for _, law := range []string{
			`b.legal_moves == want`,
			`b.mirror().mirror() == b and b.mirror().mirror().move_stack == b.move_stack`,
			`sorted(b.mirror().mirror().legal_moves) == sorted(b.legal_moves)`,
			`len(b.mirror().legal_moves) == len(b.legal_moves)`,
			`board(b.start_fen).play(*b.move_stack) == b`,
			`board(b.fen) == b and board(b.fen).hash == b.hash`,
			`all([b.parse(b.uci(m)) == m for m in b.legal_moves])`,
			`all([b.is_capture(m) == (b.piece_at(m[3:]) != None) for m in b.legal_moves])`,
			`all([b.gives_check(m) == b.play(m).is_check for m in b.legal_moves])`,
			`all([(b.push(m), b.fen == same.play(m).fen, b.pop() == m, b == same)[1:] == (True, True, True) for m in b.legal_moves])`,
			`b == same and b.move_stack == same.move_stack`,
			`len(b.pieces()) == sum(b.material())`,
			`(b.outcome != None) == b.is_game_over and b.is_game_over == (len(b.legal_moves) == 0)`,
		} {
			law = strings.ReplaceAll(law, "sum(b.material())", "len([1 for n in b.material().values() for _ in range(n)])")
			if got := b.eval(law); got != "True" {
				rt.Fatalf("%s: %s (%s)", law, got, pos)
			}
		}
	})
}

// TestKeptNames compares the cached names of moves with those of the rules.
func TestKeptNames(t *testing.T) {
	const points = 90
	k := newCatalog(games.Default).kind(xiangqi.Rules)
	for range 2 {
		for from := range xiangqi.Square(points) {
			for to := range xiangqi.Square(points) {
				m := xiangqi.NewMove(from, to)
				if got := k.move(xiangqi.Start(), engine.Move(m)); got != starlark.Value(starlark.String(m.ICCS())) {
					t.Fatalf("%s: %s", m, got)
				}
			}
		}
	}
}

// TestLegalMovesAreTheScripts checks that a script may change the list that it gets.
func TestLegalMovesAreTheScripts(t *testing.T) {
	b := newBench(t.Context())
	got := b.run(t, `
b = board()
moves = b.legal_moves
moves.clear()
n = len(b.legal_moves)
`)["n"]
	if got.String() != "44" {
		t.Errorf("after a list was cleared there are %s moves", got)
	}
}

func TestShorten(t *testing.T) {
	if text := shorten(strings.Repeat("炮", 100)); !utf8.ValidString(text) || len(text) > 100 {
		t.Errorf("a character was split: %s", text)
	}
}

// unknown returns the error of the unknown game go.
func unknown(t games.Table) string {
	_, err := t.New("go", nil)
	return err.Error()
}

// TestValiditiesAreEqual: those with the same reason are, and have the same hash.
func TestValiditiesAreEqual(t *testing.T) {
	got := newBench(t.Context()).eval(`valid("9/9 w") == valid("9/9 w"), valid("9/9 w") == valid("startpos"), {valid("9/9 w"): 1}[valid("9/9 w")]`)
	if want := "(True, False, 1)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

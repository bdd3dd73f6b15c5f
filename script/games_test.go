package script

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	xqrecord "qhsh/engine/xiangqi/record"
)

func TestGame(t *testing.T) {
	b := newBench(t.Context())
	b.names["g"] = object{sampleGame(t)}
	b.expect(t, [][2]string{
		{`g`, `game Hu - Yang 1-0, 3 plies`},
		{`g.tags, g.result`, `({"Red": "Hu", "Black": "Yang"}, "1-0")`},
		{`g.moves, len(g.positions), g.error`, `(("H2-E2", "H9-G7", "H0-G2"), 4, None)`},
		{`g.start == board(), g.board == board().play(*g.moves), g.board.move_stack == list(g.moves)`, `(True, True, True)`},
		{`[p.fullmove_number for p in g.positions]`, `[1, 1, 2, 2]`},
		{`g.comments`, `{0: "about", 1: "central"}`},
		{`g.root, g.root.move, g.root.ply, g.root.comment`, `(start of a game, None, 0, "about")`},
		{`g.root.line, g.line[1].line`, `(("H2-E2", "H9-G7", "H0-G2"), ("H9-G7", "H0-G2"))`},
		{`g.line`, `(start of a game, ply 1: H2-E2, ply 2: H9-G7, ply 3: H0-G2)`},
		{`g.walk()`, `[start of a game, ply 1: H2-E2, ply 2: H9-G7, ply 3: H0-G2, ply 2: H7-E7, ply 3: H0-G2]`},
		{`g.variations`, `(ply 2: H7-E7,)`},
		{`[(v.before, v.comment, v.glyphs, v.next[0].comment) for v in g.variations]`, `[("else", "same", (1,), "")]`},
		{`g.variations[0].board.move_stack`, `["H2-E2", "H7-E7"]`},
		{`g.line[3].glyphs, g.line[3].next`, `((2,), ())`},
		{`g.line[2] == g.walk()[2], g.line[3] == g.walk()[5], g == g`, `(True, False, True)`},
		{`g.pgn("chinese").splitlines()[-2:]`, `["{about} 1. 炮二平五 {central} 1... 马８进７ ({else} 1... 炮８平５ $1 {same}", "2. 马二进三) 2. 马二进三 $2 1-0"]`},
		{`g.text("moves", "san")`, `"startpos moves Che2 Hg7 Hg2"`},
		{`g.text(form="dhtmlxq").splitlines()[0]`, `"[DhtmlXQ]"`},
		{
			`game(board("startpos moves h2e2"), {"Red": "A\n\nB"}, "0-1", {1: "x"}, {1: 6}).text("json")`,
			`"{\"tags\":{\"Red\":\"A B\"},\"fen\":\"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\",\"result\":\"0-1\",\"moves\":[\"H2-E2\"],\"notes\":[{\"ply\":1,\"text\":\"x\",\"glyphs\":[6]}]}"`,
		},
		{`game(board("4k4/1R7/R8/9/9/9/9/9/9/3K5 w moves a7a9")).result`, `"1-0"`},
		{`game(board("startpos moves h2e2")).start.move_stack`, `[]`},

		{`g.text("xqf")`, `error: text: form "xqf": want json, pgn, dhtmlxq, html or moves`},
		{`g.text("morse")`, `error: text: form "morse": want json, pgn, dhtmlxq, html or moves`},
		{`g.pgn("morse")`, `error: pgn: unknown notation "morse": use iccs, uci, wxf, chinese, traditional, san, pdn or algebraic`},
		{`g < g`, `error: game < game: not ordered`},
		{`game(board(), result="won")`, `error: game: result "won": want "1-0", "0-1", "1/2-1/2" or "*"`},
		{`game(board(), comments={1: "x"})`, `error: game: comments: ply 1: the game has plies 0 to 0`},
		{`game(board(), comments={"1": "x"})`, `error: game: comments: entry "1": got string, want int`},
		{`game(board(), glyphs={0: 256})`, `error: game: glyphs: glyph 256: want 1 to 255`},
		{`game(board(), tags={"Red": 1})`, `error: game: tags: entry "Red": got int, want string`},
		{`game(board(game="quoridor")).pgn().splitlines()[0]`, `"[Game \"Quoridor\"]"`},
		{`game(board(game="quoridor")).pgn("wxf")`, `error: pgn: notation wxf: Quoridor has one notation`},
		{`game("startpos")`, `error: game: for parameter board: got string, want board`},
	})
}

const twoGames = "[Red \"A\"]\n\n1. C2=5 H8+7 *\n\n[Red \"B\"]\n\n1. 炮八平五 1-0\n"

func TestGames(t *testing.T) {
	s := newStage()
	s.Stdin = strings.NewReader(twoGames)
	s.files["own.pgn"] = twoGames
	check(t, s, `
print([(g.tags["Red"], g.moves, g.result) for g in games()])
own = games("own.pgn")
print(own, type(own), [g.result for g in own], len(list(own)))
for g in own:
    print(g)
    break
`, `[("A", ("H2-E2", "H9-G7"), "*"), ("B", ("B2-E2",), "1-0")]
games("own.pgn") games ["*", "1-0"] 2
game A - ? *, 2 plies
`)
	check(t, s, `print(pmap(lambda g: g.moves[0], games("own.pgn")))`, `["H2-E2", "B2-E2"]
`)
	s.files["inside/b.pgn"] = twoGames
	s.files["inside/deeper/c.pgn.gz"] = gzipped(t, "[Red \"C\"]\n\n1. C2=5 *\n")
	s.files["inside/readme.md"] = "no games"
	s.files["wrong/bad.pgn"] = "[Red \"A\"]\n\n1. H9-G6 *\n"
	check(t, s, `print([g.tags["Red"] for g in games("inside")])`, `["A", "B", "C"]
`)
	check(t, s, `print([g for g in games("wrong")])`, `#main.star:1:10: games: wrong: bad.pgn:3: game 1: move 1. H9-G6: the piece on H9 is black, red is to move
`)
	s.files["own.pgn.gz"] = gzipped(t, twoGames)
	s.files["short.gz"] = s.files["own.pgn.gz"][:30]
	check(t, s, `print([g.tags["Red"] for g in games("own.pgn.gz")])`, `["A", "B"]
`)
	check(t, s, `print(list(games("short.gz", skip=True)))`, `#main.star:1:11: games: short.gz: compressed file is truncated: fetch or create it again: unexpected EOF
`)
	check(t, s, `games("/etc/passwd")`, `#main.star:1:6: games: /etc/passwd: outside the script's folder; scripts can only read their arguments and files in their own folder
`)
	check(t, s, `games("none.pgn")`, `#main.star:1:6: games: none.pgn: no such file or directory; scripts can only read their arguments and files in their own folder
`)
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDamagedGames(t *testing.T) {
	s := newStage()
	s.files["bad.pgn"] = strings.Replace(twoGames, "H8+7", "H8+8", 1)
	s.files["prose.txt"] = "Dear Sir,\n"
	check(t, s, `print([g for g in games("bad.pgn")])`, `#main.star:1:10: games: bad.pgn: line 3: game 1: move 1... H8+8: no horse of black can move there; possible: H2+1 H2+3 H8+7 H8+9
`)
	check(t, s, `
for g in games("bad.pgn", skip=True):
    print(g.tags["Red"], g.moves, g.error)
print(list(games("prose.txt", skip=True)))
`, `A ("H2-E2",) line 3: game 1: move 1... H8+8: no horse of black can move there; possible: H2+1 H2+3 H8+7 H8+9
B ("B2-E2",) None
[]
!games: bad.pgn: line 3: game 1: move 1... H8+8: no horse of black can move there; possible: H2+1 H2+3 H8+7 H8+9
!games: prose.txt: unknown record format, and not a list of moves
`)
	check(t, s, `print([(g.moves, g.comments) for g in games("bad.pgn", lenient=True)])`, `[(("H2-E2",), {1: "dropped: H8+8"}), (("B2-E2",), {})]
!games: bad.pgn: line 3: game 1: move 1... H8+8: no horse of black can move there; possible: H2+1 H2+3 H8+7 H8+9; kept as a comment
`)
}

func TestSaveGames(t *testing.T) {
	dir := t.TempDir()
	s := stageIn(t, dir)
	s.files["own.pgn"] = twoGames
	check(t, s, `
print(save_games("sub/copy.pgn", games("own.pgn"), notation="traditional"))
print(save_games("copy.txt", [g for g in games("own.pgn") if g.result == "1-0"]))
print(save_games("none.jsonl", []))
print(save_games("both.cbl", games("own.pgn")))
print(save_games("one.xqf", [game(board(), {"Round": "7"})]))
`, "2\n1\n0\n2\n1\n!save_games: one.xqf cannot hold the tag Round\n")
	for _, name := range []string{"sub/copy.pgn", "both.cbl"} {
		file, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		var all []string
		for g, err := range xqrecord.Library.Read(file, "") {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, (&game{Game: g, kind: testGames.kind(g.Start.Game())}).String())
		}
		if diff := cmp.Diff([]string{"game A - ? *, 2 plies", "game B - ? 1-0, 1 ply"}, all); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "copy.txt"))
	if err != nil || string(text) != "startpos moves B2-E2\n" {
		t.Errorf("%q, %v", text, err)
	}
	for source, want := range map[string]string{
		`save_games("x.cbf", [])`:              `save_games: "x.cbf": unknown extension: want .xqf, .cbr, .cbl, .jsonl, .pgn, .dhtmlxq, .html or .txt`,
		`save_games("x", [])`:                  `save_games: "x": unknown extension: want .xqf, .cbr, .cbl, .jsonl, .pgn, .dhtmlxq, .html or .txt`,
		`save_games("x.pgn", [board()])`:       `save_games: element 0 is a board, want a game (see game(board))`,
		`save_games("x.pgn", [], "morse")`:     `save_games: unknown notation "morse": use iccs, uci, wxf, chinese, traditional, san, pdn or algebraic`,
		`save_games("../x.pgn", [])`:           `save_games: ../x.pgn in the -out folder: path escapes from parent`,
		`save_games("x.pgn", games("no.pgn"))`: `games: no.pgn: no such file or directory; scripts can only read their arguments and files in their own folder`,
	} {
		if got := s.run(t, source); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
	s.Out = nil
	if got := s.run(t, `save_games("x.pgn", [])`); !strings.Contains(got, "use -out DIR") {
		t.Error(got)
	}
}

// TestSaveOtherGames: games are written as records of their own game, whatever -engine plays.
func TestSaveOtherGames(t *testing.T) {
	dir := t.TempDir()
	s := stageIn(t, dir)
	const quoridor = "q = game(board(game=\"quoridor\", size=5).play(\"C4\"))\n"
	check(t, s, quoridor+`print(save_games("q.pgn", [q, q]))`, "2\n")
	text, err := os.ReadFile(filepath.Join(dir, "q.pgn"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "[Game \"Quoridor\"]"; !strings.HasPrefix(string(text), want) {
		t.Errorf("%s: want %s", text, want)
	}
	s.files["q.pgn"] = string(text)
	s.files["q.txt"] = "5 b C5/3 C1/3 -\n"
	check(t, s, `
print([g.moves for g in games("q.pgn", game="quoridor")])
print([b for b in positions("q.txt", game="quoridor", size=5)])
`, `[("C4",), ("C4",)]
[5 b C5/3 C1/3 -]
`)
	for source, want := range map[string]string{
		`save_games("x.pgn", [game(board()), q])`: "save_games: element 1 is a game of Quoridor after games of Xiangqi: use a separate file for each",
		`save_games("x.pgn", [q, game(board())])`: "save_games: element 1 is a game of Xiangqi after games of Quoridor: use a separate file for each",
		`games("q.pgn", game="chess")`:            `games: unknown game "chess": want "xiangqi", `,
		`positions("q.txt", size=5)`:              `positions: Xiangqi has no option "size"`,
		`save_games("x.dhtmlxq", [q])`:            `save_games: "x.dhtmlxq": unknown extension: want .jsonl, .pgn or .txt`,
	} {
		if got := s.run(t, quoridor+source); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}

func TestAnnotate(t *testing.T) {
	s := newStage()
	s.files["own.pgn"] = twoGames
	check(t, s, `
e = engine()
for g in games("own.pgn"):
    a = g.annotate(e)
    print(g.judgement, [m["class"] for m in json.decode(a.judgement)["moves"]], a.moves == g.moves, a.tags["Annotator"])
    print("<html" in a.report("chinese"), a.report() != a.report("wxf"))
print([g.comments.get(0) for g in [g.annotate(e, language="zh")]] != [a.comments.get(0)])
`, `None ["good", "good"] True Fake 1.0
True True
None ["good"] True Fake 1.0
True True
True
`)
	for source, want := range map[string]string{
		`game(board()).report()`:                             "report: the game is not annotated: use game.annotate(engine)",
		`game(board()).report("morse")`:                      `report: unknown notation "morse"`,
		`game(board()).annotate(engine(), "fr")`:             `annotate: language "fr": want en or zh`,
		`game(board()).annotate(1)`:                          `annotate: for parameter engine: got int, want engine`,
		`e = engine(); e.close(); game(board()).annotate(e)`: `annotate: the engine is closed`,
	} {
		if got := s.run(t, source); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
	if got, want := s.run(t, `game(board(game="quoridor")).annotate(engine())`),
		"#main.star:1:38: annotate: the position is of Quoridor, and the engine plays Xiangqi\n"; got != want {
		t.Errorf("an engine of another game: %s, want %s and no search", got, want)
	}
	s.Allowed, s.Limits.Time = []string{"slow"}, 50*time.Millisecond
	inTime(t, func() {
		if got := s.run(t, `game(board("startpos moves h2e2")).annotate(engine("slow"))`); !strings.Contains(got, "time") {
			t.Error(got)
		}
	})
}

package annotate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/enginetest/browser"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
	xqrecord "qhsh/engine/xiangqi/record"
	"qhsh/pluginclient/task/batch"
	"qhsh/pluginclient/task/explore"
)

// A reply is the analysis of a position by the asker of the tests: a line and its score for the
// side to move, or an error.
type reply struct {
	line  string
	score engine.Score
	err   error
}

// A fakeAsker has the replies for the positions of one game, by ply.
type fakeAsker struct {
	jobs    int
	replies []reply
}

func (c fakeAsker) Size() int { return c.jobs }
func (c fakeAsker) Identity() batch.Reply {
	return batch.Reply{Engine: "reader", Limits: batch.Limits{Level: 3, HasLevel: true}}
}

func (c fakeAsker) Ask(_ context.Context, pos engine.Position) (batch.Reply, error) {
	_, moves := pos.History()
	say := c.replies[len(moves)]
	r := c.Identity()
	if say.err != nil {
		r.Err = say.err
		return r, nil
	}
	pv := strings.Fields(say.line)
	r.Hints = []batch.Hint{{Move: pv[0], Score: say.score, Depth: 4, Nodes: 1000, PV: pv}}
	return r, nil
}

// gameReplies are for testdata/game.pgn. Red's second move is the engine's; Black's is a mistake,
// for which the file already has the engine's move as a variation; Red's third is a blunder, and so
// is Black's reply; the last move is good.
var gameReplies = []reply{
	{line: "H2-E2 H9-G7", score: engine.Centipawns(30)},
	{line: "B9-C7 H0-G2", score: engine.Centipawns(-20)},
	{line: "H0-G2 I9-H9 I0-H0", score: engine.Centipawns(40)},
	{line: "B9-C7 I0-H0 I9-I8", score: engine.Centipawns(-40)},
	{line: "G3-G4 I8-F8 B0-C2", score: engine.Centipawns(300)},
	{line: "B9-C7 G3-G4", score: engine.Centipawns(200)},
	{line: "B2-B6 G7-E6", score: engine.MateIn(5)},
	{line: "A9-A8 E6-E2", score: engine.MateIn(-4)},
}

func readGame(t *testing.T, name string) *record.Game {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return parseGame(t, string(text))
}

func parseGame(t *testing.T, text string) *record.Game {
	t.Helper()
	for g, err := range xqrecord.Library.Read(strings.NewReader(text), "game") {
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	t.Fatal("no game")
	return nil
}

// annotatedGame returns testdata/game.pgn annotated with gameReplies.
func annotatedGame(t *testing.T, jobs int) *Annotated {
	t.Helper()
	a, err := Game(t.Context(), fakeAsker{jobs, gameReplies}, readGame(t, "game.pgn"), Options{Games: games.Default})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func pgn(t *testing.T, g *record.Game, style notation.Style) string {
	t.Helper()
	form, _ := xqrecord.Library.FormatByName("pgn")
	var b strings.Builder
	w, err := xqrecord.Library.NewWriter(&b, form, style.String())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(g); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestOutputs compares whole outputs, and checks that the number of engines does not change them.
func TestOutputs(t *testing.T) {
	before := pgn(t, readGame(t, "game.pgn"), notation.ICCS)
	for _, jobs := range []int{1, 4} {
		a := annotatedGame(t, jobs)
		golden.Compare(t, "testdata/english.pgn", pgn(t, a.Record(English), notation.ICCS))
		golden.Compare(t, "testdata/chinese.pgn", pgn(t, a.Record(Chinese), notation.Chinese))
		var line strings.Builder
		if err := a.JSON(&line, GameID{"games.pgn", 7}, notation.WXF.String()); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, "testdata/game.jsonl", line.String())
		if diff := cmp.Diff(before, pgn(t, a.Game, notation.ICCS)); diff != "" {
			t.Errorf("Game was modified (-before +after):\n%s", diff)
		}
	}
}

// TestAnnotateTwice checks that annotating an annotated game, in any language, gives the same
// result as annotating the original.
func TestAnnotateTwice(t *testing.T) {
	first := annotatedGame(t, 1)
	for _, l := range []Language{English, Chinese} {
		g := parseGame(t, pgn(t, first.Record(l), notation.ICCS))
		a, err := Game(t.Context(), fakeAsker{1, gameReplies}, g, Options{Games: games.Default})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(pgn(t, first.Record(English), notation.ICCS), pgn(t, a.Record(English), notation.ICCS)); diff != "" {
			t.Errorf("after %v (-once +twice):\n%s", l, diff)
		}
		lenient, err := Game(t.Context(), fakeAsker{1, gameReplies}, g, Options{Games: games.Default, Thresholds: Thresholds{1, 1, 1}})
		if err != nil {
			t.Fatal(err)
		}
		text := pgn(t, lenient.Record(English), notation.ICCS)
		if strings.Contains(text, "falls") || strings.Contains(text, "$4") || strings.Count(text, "(") != 2 || strings.Contains(text, "line]") {
			t.Errorf("the first annotation is not removed:\n%s", text)
		}
	}
}

// TestAuthorComments checks that an author's comments are kept, even if they look like annotations.
func TestAuthorComments(t *testing.T) {
	const text = "[Red \"a\"]\n{Judged by history, this was the game of the year.} 1. H2-E2 {checkmate} 1... H9-G7 {长将\nis the word} " +
		"2. H0-G2 {stalemate\nis near} 2... I9-I8 $2 {Mistake: the chance of winning falls.} (2... B9-C7 {[%eval 0.40], I say}) " +
		"3. I0-H0 $1 C6-C5 $4 4. E2-E6 $6 *"
	before := pgn(t, parseGame(t, text), notation.ICCS)
	g := parseGame(t, text)
	for range 3 {
		a, err := Game(t.Context(), fakeAsker{1, gameReplies}, g, Options{Games: games.Default})
		if err != nil {
			t.Fatal(err)
		}
		written := a.Record(English)
		if diff := cmp.Diff(strings.Replace(before, "[Format", "[Annotator \"reader\"]\n[Format", 1), pgn(t, withoutAnnotations(written), notation.ICCS)); diff != "" {
			t.Fatalf("without annotations (-before +after):\n%s", diff)
		}
		g = parseGame(t, pgn(t, written, notation.ICCS))
	}
}

// TestOldScores checks that a score of another program is replaced, and that what stands beside it is
// kept.
func TestOldScores(t *testing.T) {
	g := parseGame(t, "1. H2-E2 {[%eval 0.30] good} 1... H9-G7 {[%clk 0:01:02][%eval #-3,20] bad\n[%eval 0.1]} (1... I9-I8 {[%eval 1.0]}) "+
		"2. H0-G2 {[%eval 7]} 2... I9-I8 {[%cal Gh0g2] [%evaluated]} *")
	a, err := Game(t.Context(), fakeAsker{1, gameReplies[:5]}, g, Options{Games: games.Default})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for n := a.Record(English).Root.Next[0]; ; n = n.Next[0] {
		got = append(got, n.Comment)
		if len(n.Next) == 0 {
			break
		}
	}
	want := []string{
		"[%eval 0.20]\ngood", "[%eval 0.40]\n[%clk 0:01:02] bad", "[%eval 0.40]",
		"[%eval 3.00] [%qhsh mistake] Mistake: the chance of winning falls from 48 % to 32 %.\n[%cal Gh0g2] [%evaluated]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNoScores checks that an engine without scores is an error, but not one with a score at some
// position.
func TestNoScores(t *testing.T) {
	says := append([]reply(nil), gameReplies...)
	for i := range says {
		says[i].score = engine.Score{}
	}
	_, err := Game(t.Context(), fakeAsker{1, says}, readGame(t, "game.pgn"), Options{Games: games.Default})
	if !errors.Is(err, ErrNoScores) || err.Error() != "reader: the engine returns no scores, so moves cannot be judged" {
		t.Errorf("the error is %v", err)
	}
	says[3] = gameReplies[3]
	a, err := Game(t.Context(), fakeAsker{1, says}, readGame(t, "game.pgn"), Options{Games: games.Default})
	if err != nil || a.Failed() != len(says)-1 {
		t.Errorf("%v, and %d positions without a score", err, a.Failed())
	}
}

// TestFailures checks that the moves around a failed position are not judged.
func TestFailures(t *testing.T) {
	says := append([]reply(nil), gameReplies...)
	says[4] = reply{err: errors.New("died")}
	a, err := Game(t.Context(), fakeAsker{2, says}, readGame(t, "game.pgn"), Options{Games: games.Default})
	if err != nil {
		t.Fatal(err)
	}
	var classes []string
	for i := range a.Plies {
		classes = append(classes, a.Plies[i].Class.String())
	}
	if diff := cmp.Diff([]string{"", "best", "good", "best", "", "", "blunder", "good"}, classes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if a.Failed() != 1 || !strings.Contains(pgn(t, a.Record(English), notation.ICCS), "I9-I8 (2... B9-C7") {
		t.Errorf("%d failures; the record:\n%s", a.Failed(), pgn(t, a.Record(English), notation.ICCS))
	}
	says[4] = reply{line: "A0-A9", score: engine.Centipawns(1)}
	if a, err = Game(t.Context(), fakeAsker{2, says}, readGame(t, "game.pgn"), Options{Games: games.Default}); err != nil {
		t.Fatal(err)
	}
	if err := a.Plies[4].Err; err == nil || err.Error() != `reader: illegal move "A0-A9"` || a.Plies[4].Score.Known() {
		t.Errorf("illegal move: error %v", err)
	}
	cause := errors.New("enough")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(cause)
	if _, err := Game(ctx, fakeAsker{1, gameReplies}, readGame(t, "game.pgn"), Options{Games: games.Default}); !errors.Is(err, cause) {
		t.Errorf("the error is %v, want the cause", err)
	}
}

// TestEndings checks that positions of finished games are not searched, nor those whose end is known.
func TestEndings(t *testing.T) {
	for _, c := range []struct {
		text, over, comment string
		score               engine.Score
	}{
		{"3ak4/4a4/9/9/9/9/9/9/4R4/3K5 b - - 0 1", "", "", engine.MateIn(-5)},
		{"4k4/4a4/9/9/9/9/9/9/9/4K4 w - - 0 1", "lack of attackers", "", engine.Centipawns(0)},
		{"3k5/9/3R5/9/9/9/9/9/9/4K4 b - - 0 1", "checkmate", "", engine.MateIn(0)},
	} {
		start, err := xiangqi.ParseFEN(c.text)
		if err != nil {
			t.Fatal(err)
		}
		line := "e9d9"
		if m := start.LegalMoves(); len(m) > 0 {
			line = m[0].ICCS()
		}
		a, err := Game(t.Context(), fakeAsker{1, []reply{{line: line, score: engine.Centipawns(-500)}}}, record.NewGame(start), Options{Games: games.Default})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Plies[0]; got.Over.Reason != c.over || got.Score != c.score || (c.over != "") != (len(got.Line) == 0) {
			t.Errorf("%s: over by %q, %v, line %v", c.text, got.Over.Reason, got.Score, got.Line)
		}
	}
}

func TestClass(t *testing.T) {
	for loss, want := range map[float64]Class{0: Good, .0499: Good, .05: Inaccuracy, .0999: Inaccuracy, .1: Mistake, .1999: Mistake, .2: Blunder, 1: Blunder} {
		if got := DefaultThresholds().class(loss); got != want {
			t.Errorf("a loss of %v is %v, want %v", loss, got, want)
		}
	}
}

// TestBook: moves that other games have are not judged, and the first new one is marked; a second annotation
// without the book has none of it.
func TestBook(t *testing.T) {
	testdata, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	db, err := explore.Create(t.Context(), "x.db", games.Default, games.Default.DefaultGame())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := os.WriteFile("a.pgn", []byte("[Red \"Hu\"]\n[Black \"Lu\"]\n[Date \"1990.05.01\"]\n[Result \"1-0\"]\n\n1. H2-E2 H9-G7 2. H0-G2 B9-C7 1-0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := db.Add(t.Context(), xqrecord.Library, []string{"a.pgn"}, explore.AddOptions{}); err != nil {
		t.Fatal(err)
	}
	const text = "[Red \"A\"]\n[Black \"B\"]\n\n1. H2-E2 H9-G7 2. H0-G2 I9-I8 3. I0-H0 *"
	plain, err := Game(t.Context(), fakeAsker{1, gameReplies}, parseGame(t, text), Options{Games: games.Default})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Game(t.Context(), fakeAsker{1, gameReplies}, parseGame(t, text), Options{Games: games.Default, Book: &explore.Book{DB: db, Games: 1}})
	if err != nil {
		t.Fatal(err)
	}
	var outputs strings.Builder
	for _, l := range []Language{English, Chinese} {
		outputs.WriteString(pgn(t, a.Record(l), notation.ICCS))
		again, err := Game(t.Context(), fakeAsker{1, gameReplies}, parseGame(t, pgn(t, a.Record(l), notation.ICCS)), Options{Games: games.Default})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(pgn(t, plain.Record(l), notation.ICCS), pgn(t, again.Record(l), notation.ICCS)); diff != "" {
			t.Errorf("%v: without the book again (-want +got):\n%s", l, diff)
		}
	}
	if err := a.JSON(&outputs, GameID{}, ""); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, testdata+"/book.txt", outputs.String())
	var page strings.Builder
	if err := a.HTML(&page, English, ""); err != nil {
		t.Fatal(err)
	}
	dom, console := browser.Visit(t, page.String(), "#4")
	for _, want := range []string{
		"3 moves of the book", ">book +0.20</span>", "I9-I8? N</span>", "<b>new move</b> · 1 game had the position before:", "<p>Hu – Lu 1990.05.01 1-0 · B9-C7</p>",
	} {
		if !strings.Contains(dom, want) {
			t.Errorf("page: no %q", want)
		}
	}
	if len(console) > 0 {
		t.Errorf("console: %q", console)
	}
}

// TestWonGames: a move that leaves a won game won is no inaccuracy, whatever is lost by it; it is one below that, and
// what loses more is marked as ever.
func TestWonGames(t *testing.T) {
	for _, c := range []struct {
		before, after int // for the mover
		want          Class
	}{
		{1580, 1000, Good}, {1580, 790, Good}, {1580, 740, Good}, {1580, 700, Mistake}, {1000, 720, Inaccuracy}, {700, 560, Inaccuracy}, {100_000, 300, Blunder}, {84, 0, Inaccuracy},
	} {
		says := append([]reply(nil), gameReplies...)
		says[3] = reply{line: "B9-C7", score: engine.Centipawns(c.before)}
		says[4] = reply{line: "G3-G4", score: engine.Centipawns(-c.after)}
		a, err := Game(t.Context(), fakeAsker{1, says}, readGame(t, "game.pgn"), Options{Games: games.Default})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Plies[4].Class; got != c.want {
			t.Errorf("%d to %d: %v (loss %v), want %v", c.before, c.after, got, a.Plies[4].Loss, c.want)
		}
	}
}

func TestParseThresholds(t *testing.T) {
	for text, want := range map[string]Thresholds{
		"5,10,20": DefaultThresholds(), " 2.5 , 2.5, 100": {.025, .025, 1}, "5,10": {}, "5,10,x": {}, "5,4,20": {}, "0,10,20": {}, "5,10,101": {}, "nan,10,20": {},
	} {
		got, err := ParseThresholds(text)
		if got != want || (err == nil) != (want != Thresholds{}) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
		if err == nil {
			if again, err := ParseThresholds(got.String()); err != nil || again != got {
				t.Errorf("%q: round trip through %q: %v", text, got.String(), again)
			}
		}
	}
}

func TestParseLanguage(t *testing.T) {
	for text, want := range map[string]Language{"en": English, "ZH": Chinese, "zh_CN": Chinese, "en-GB": English} {
		if got, err := ParseLanguage(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	if _, err := ParseLanguage("fr"); err == nil {
		t.Error("no error for fr")
	}
}

// TestChanceOfWDL: where the engine tells the chances, they count, and not what its score is usually worth.
func TestChanceOfWDL(t *testing.T) {
	pos, err := enginetest.Stones.Position("7 first 2")
	if err != nil {
		t.Fatal(err)
	}
	a := &Annotated{Options: Options{}.withDefaults(), Plies: []Ply{{Pos: pos, WDL: engine.WDL{600, 300, 100}}}}
	p := &a.Plies[0]
	for side, want := range map[engine.Turn]float64{p.Pos.Turn(): 0.75, p.Pos.Turn().Other(): 0.25} {
		if got, ok := a.chanceOf(p, side); got != want || !ok {
			t.Errorf("%v: %v, %v, want %v", side, got, ok, want)
		}
	}
}

// TestReasons checks where the sentences that are proved appear: behind the mark of a bad move, and of a move without a
// mark behind a note, in either language, in JSON and on the page; and that they go with the annotation.
func TestReasons(t *testing.T) {
	g := parseGame(t, "[FEN \"3k5/9/9/9/6p1p/9/9/p8/3R5/5K3 b - - 0 1\"]\n1... D9-E9 {a check} 2. D1-D9+ E9-D9 *")
	asker := fakeAsker{1, []reply{
		{line: "D9-E9 D1-D3", score: engine.Centipawns(-900)},
		{line: "D1-D3 A2-A1", score: engine.Centipawns(900)},
		{line: "E9-D9", score: engine.Centipawns(0)},
		{line: "F0-F1", score: engine.Centipawns(0)},
	}}
	a, err := Game(t.Context(), asker, g, Options{Games: games.Default})
	if err != nil {
		t.Fatal(err)
	}
	for l, want := range map[Language][]string{
		English: {
			"[%eval 9.00] [%qhsh note] The only legal move.\na check",
			"[%eval 0.00] [%qhsh blunder] Blunder: the chance of winning falls from 94 % to 50 %. Leaves the rook on D9 hanging.",
		},
		Chinese: {
			"[%eval 9.00] [%qhsh note] 唯一合法着法。\na check",
			"[%eval 0.00] [%qhsh blunder] 漏着：胜率由 94% 降为 50%。 白丢六路车。",
		},
	} {
		written := a.Record(l)
		first := written.Root.Next[0]
		if diff := cmp.Diff(want, []string{first.Comment, first.Next[0].Comment}); diff != "" {
			t.Errorf("%v (-want +got):\n%s", l, diff)
		}
		if diff := cmp.Diff(pgn(t, g, notation.ICCS), strings.Replace(pgn(t, withoutAnnotations(written), notation.ICCS), "[Annotator \"reader\"]\n", "", 1)); diff != "" {
			t.Errorf("%v, without annotations (-want +got):\n%s", l, diff)
		}
	}
	const hangs = `"reasons":[{"kind":"hangs","en":"Leaves the rook on D9 hanging.","zh":"白丢六路车。"}]`
	var line, page strings.Builder
	if err := errors.Join(a.JSON(&line, GameID{}, ""), a.HTML(&page, English, "")); err != nil {
		t.Fatal(err)
	}
	if n, m := strings.Count(line.String(), hangs), strings.Count(page.String(), hangs); n != 1 || m != 1 {
		t.Errorf("%d times in JSON, %d times on the page:\n%s", n, m, line.String())
	}
}

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
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/games"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
	xqrecord "qhsh/engine/xiangqi/record"
	"qhsh/pluginclient/task/batch"
)

// A reply is what the asker of the tests says of a position: a line, its score for the side
// to move, or an error.
type reply struct {
	line  string
	score engine.Score
	err   error
}

// fakeAsker is a asker that knows the positions of one game, by the moves played.
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

// gameReplies are on testdata/game.pgn. Red's second move is the engine's; Black's is a
// mistake, whose author has a variation that the engine takes as well; Red's third is a
// blunder, and so is what Black makes of it; the last move is good.
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
	t.Fatal("there is no game")
	return nil
}

// annotatedGame is testdata/game.pgn with those opinions.
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

// TestOutputs compares whole outputs, whatever the number of engines.
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
			t.Errorf("the game itself has changed (-was +is):\n%s", diff)
		}
	}
}

// TestAnnotateTwice: an annotated game that is annotated again, in whatever language and by whatever
// engine, is as if it had been so from the start.
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
		milder, err := Game(t.Context(), fakeAsker{1, gameReplies}, g, Options{Games: games.Default, Thresholds: Thresholds{1, 1, 1}})
		if err != nil {
			t.Fatal(err)
		}
		text := pgn(t, milder.Record(English), notation.ICCS)
		if strings.Contains(text, "falls") || strings.Contains(text, "$4") || strings.Count(text, "(") != 2 || strings.Contains(text, "line]") {
			t.Errorf("something of the first judgement is left:\n%s", text)
		}
	}
}

// TestAuthorComments: what an author has written stays as it is, however often a game is judged,
// even if it says what an annotation might.
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
			t.Fatalf("without what was said (-before +after):\n%s", diff)
		}
		g = parseGame(t, pgn(t, written, notation.ICCS))
	}
}

// TestNoScores: an engine that says what it would play and not what that is worth has judged
// nothing; one that gives a score now and then has done so.
func TestNoScores(t *testing.T) {
	says := append([]reply(nil), gameReplies...)
	for i := range says {
		says[i].score = engine.Score{}
	}
	_, err := Game(t.Context(), fakeAsker{1, says}, readGame(t, "game.pgn"), Options{Games: games.Default})
	if !errors.Is(err, ErrNoScores) || err.Error() != "reader: it gives no scores, so moves cannot be judged" {
		t.Errorf("the error is %v", err)
	}
	says[3] = gameReplies[3]
	a, err := Game(t.Context(), fakeAsker{1, says}, readGame(t, "game.pgn"), Options{Games: games.Default})
	if err != nil || a.Failed() != len(says)-1 {
		t.Errorf("%v, and %d positions without a score", err, a.Failed())
	}
}

// TestFailures: an engine that fails at a position costs the judgement of the moves on both
// sides of it.
func TestFailures(t *testing.T) {
	says := append([]reply(nil), gameReplies...)
	says[4] = reply{err: errors.New("it has died")}
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
	if err := a.Plies[4].Err; err == nil || err.Error() != `reader proposes "A0-A9", which is no legal move` || a.Plies[4].Score.Known() {
		t.Errorf("an illegal proposal: %v", err)
	}
	cause := errors.New("enough")
	ctx, stop := context.WithCancelCause(t.Context())
	stop(cause)
	if _, err := Game(ctx, fakeAsker{1, gameReplies}, readGame(t, "game.pgn"), Options{Games: games.Default}); !errors.Is(err, cause) {
		t.Errorf("the error is %v, want the cause", err)
	}
}

// TestEndings: nobody is asked about a game that is over by the rules.
func TestEndings(t *testing.T) {
	for _, c := range []struct {
		text, over, comment string
		score               engine.Score
	}{
		{"3ak4/4a4/9/9/9/9/9/9/4R4/3K5 b - - 0 1", "", "", engine.Centipawns(-500)},
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

func TestParseThresholds(t *testing.T) {
	for text, want := range map[string]Thresholds{
		"5,10,20": DefaultThresholds(), " 2.5 , 2.5, 100": {.025, .025, 1}, "5,10": {}, "5,10,x": {}, "5,4,20": {}, "0,10,20": {}, "5,10,101": {}, "nan,10,20": {},
	} {
		got, err := ParseThresholds(text)
		if got != want || (err == nil) != (want != Thresholds{}) {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
		if err == nil {
			if again, err := ParseThresholds(got.String()); err != nil || again != got {
				t.Errorf("%q is written as %q, which is read as %v", text, got.String(), again)
			}
		}
	}
}

func TestParseLanguage(t *testing.T) {
	for text, want := range map[string]Language{"en": English, "ZH": Chinese, "zh_CN": Chinese, "en-GB": English} {
		if got, err := ParseLanguage(text); err != nil || got != want {
			t.Errorf("%s is read as %v, %v", text, got, err)
		}
	}
	if _, err := ParseLanguage("fr"); err == nil {
		t.Error("fr is read")
	}
}

package record

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

// dataFolder returns the folder of data beyond testdata; without it the test is skipped.
func dataFolder(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("QHSH_DATA")
	if dir == "" {
		t.Skip("$QHSH_DATA does not name the folder of test data")
	}
	return dir
}

// library is Library among other games.
var library = Library.WithOtherGames(record.OtherGame{Game: otherRules{xiangqi.Rules}, Names: []string{"Stones"}})

// otherRules are those of another game.
type otherRules struct{ engine.Game }

func (otherRules) Name() string { return "stones" }

// readFile reads the games of a file, and what is wrong with them, one line for each error.
func readFile(t testing.TB, path string) (games []*record.Game, wrong string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var text strings.Builder
	for g, err := range library.Read(f, filepath.Base(path)) {
		if g != nil {
			games = append(games, g)
		}
		if err != nil {
			text.WriteString(err.Error() + "\n")
		}
	}
	return games, text.String()
}

// readText reads the games of a text.
func readText(text []byte) (games []*record.Game, errs []error) {
	for g, err := range library.Read(bytes.NewReader(text), "") {
		if g != nil {
			games = append(games, g)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return games, errs
}

// write writes games in a form.
func write(t failer, games []*record.Game, form string, style notation.Style) []byte {
	t.Helper()
	f, ok := Library.FormatByName(form)
	if !ok {
		t.Fatalf("no form %s", form)
	}
	var text bytes.Buffer
	w, err := Library.NewWriter(&text, f, style.String())
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, g := range games {
		if err := w.Write(g); err != nil {
			t.Fatalf("%v", err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatalf("%v", err)
	}
	return text.Bytes()
}

// A failer is a test, by testing or by rapid.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// dump returns all there is in games, a line each.
func dump(t failer, games []*record.Game) string {
	t.Helper()
	return string(write(t, games, "json", notation.UCI))
}

// uci returns a game's main line.
func uci(g *record.Game) string {
	return strings.Join(notation.FormatMoves(g.Start, g.MainLine(), notation.UCI), " ")
}

// nodes returns the number of moves in all lines of a game. It makes sure that they are legal.
func nodes(t testing.TB, g *record.Game) int {
	t.Helper()
	count, legal := 0, 0
	g.Walk(func(*record.Node) bool { count++; return true })
	for range g.Positions(true) {
		legal++
	}
	if legal != count {
		t.Fatalf("%d of %d moves are not legal", count-legal, count)
	}
	return count - 1
}

// texts are comments as people write them.
var texts = []string{
	"", "", "", "ok", "好棋！", "两\n行", "with (brackets)", "a;b 1-0 [Event", "1. h2e2 $3", "*", "“引号”", "end \\", "<b>&amp;</b>",
}

// randomGame returns a game with variations and comments.
func randomGame(t *rapid.T) *record.Game {
	start := xiangqi.Start()
	if rapid.Bool().Draw(t, "endgame") {
		start = mustPosition(t, rapid.SampledFrom([]string{
			"3k5/9/9/R8/2c6/9/9/9/9/5K3 w - - 0 1",
			"4kab2/4a4/2R1b1P2/9/p3p4/5p3/P3P1c2/N2Cr4/4A4/3AK4 b - - 3 12",
		}).Draw(t, "fen"))
	}
	g := record.NewGame(start)
	g.Result = rapid.SampledFrom([]engine.Outcome{engine.Ongoing, engine.FirstWins, engine.SecondWins, engine.Draw}).Draw(t, "result")
	for _, name := range []string{"Event", "Red", "Black", "ECCO"} {
		if rapid.Bool().Draw(t, name) {
			g.Tags.Set(name, rapid.SampledFrom([]string{"胡荣华", `the "third" cup`, `back\slash`, "許銀川 (x]", "a"}).Draw(t, "value"))
		}
	}
	g.Root.Comment = rapid.SampledFrom(texts).Draw(t, "comment")
	grow(t, g.Root, startPos(g).Board(), rapid.IntRange(0, 20).Draw(t, "plies"))
	return g
}

func mustPosition(t failer, fen string) *xiangqi.Position {
	p, err := xiangqi.ParseFEN(fen)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return p
}

// grow adds a line and variations of it.
func grow(t *rapid.T, n *record.Node, b *xiangqi.Board, plies int) {
	moves := b.AppendMoves(nil)
	if plies <= 0 || len(moves) == 0 {
		return
	}
	for i := range rapid.SampledFrom([]int{1, 1, 1, 1, 2, 3}).Draw(t, "followers") {
		before := len(n.Next)
		next := n.Add(engine.Move(rapid.SampledFrom(moves).Draw(t, "move")))
		if len(n.Next) == before {
			continue
		}
		next.Comment = rapid.SampledFrom(texts).Draw(t, "comment")
		if before > 0 {
			next.StartingComment = rapid.SampledFrom(texts).Draw(t, "lead")
		}
		if rapid.Bool().Draw(t, "annotated") {
			next.Glyphs = append(next.Glyphs, uint8(rapid.IntRange(1, 255).Draw(t, "glyph")))
		}
		b.Do(xiangqi.Move(next.Move))
		grow(t, next, b, (plies-1)/(1+i))
		b.Undo()
	}
}

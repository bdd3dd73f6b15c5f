package opening

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/engine/xiangqi"
	xqrecord "qhsh/engine/xiangqi/record"
)

// TestTable checks that every line can be played, that no two lines reach the same position, mirrored or not, and that no name has two entries.
func TestTable(t *testing.T) {
	lines := map[string]string{} // by position
	var names []string
	for _, e := range table {
		if strings.ContainsFunc(e.english, func(r rune) bool { return r > unicode.MaxASCII }) || slices.Contains(names, e.english) || slices.Contains(names, e.chinese) {
			t.Errorf("the names of %s %s", e.chinese, e.english)
		}
		names = append(names, e.english, e.chinese)
		for line := range strings.SplitSeq(e.lines, ";") {
			for _, p := range reached(line) {
				placement, _, _ := strings.Cut(p.FEN(), " - ")
				if other, ok := lines[placement]; ok {
					t.Errorf("%s: %s reaches what %s reaches", e.chinese, line, other)
				}
				lines[placement] = line
				if _, moves := p.History(); len(moves) > 20 {
					t.Errorf("%s: %s has more moves than package games looks at", e.chinese, line)
				}
				if got := Names()[p.Key()]; got != e.english || Chinese()[got] != e.chinese {
					t.Errorf("%s: %s has the name %s", e.chinese, line, got)
				}
			}
		}
	}
	if len(Names()) != len(lines) {
		t.Errorf("%d names for %d positions", len(Names()), len(lines))
	}
}

// nameOf returns the Chinese name of a game; empty if it has none.
func nameOf(g *record.Game) (name string) {
	for _, pos := range g.Positions(false) {
		if n, ok := Names()[pos.Key()]; ok {
			name = Chinese()[n]
		}
	}
	return name
}

// TestGames checks the names of games: the last position counts, whatever the order of the moves and the side of the
// board.
func TestGames(t *testing.T) {
	for moves, want := range map[string]string{
		"H2-E2 H9-G7 H0-G2 I9-H9 I0-H0 B9-C7 C3-C4 G6-G5 H0-H6 A9-A8": "中炮过河车对屏风马",
		"H2-E2 B9-C7 H0-G2 H9-G7":                                     "中炮对屏风马", // another order
		"B2-E2 B9-C7 B0-C2 A9-B9 A0-B0 H9-G7":                         "中炮对屏风马", // mirrored
		"H2-E2 H7-E7":                                                 "顺炮",
		"B2-E2 H7-E7":                                                 "列炮",
		"G3-G4 H7-G7":                                                 "仙人指路对卒底炮",
		"G0-E2 G9-E7":                                                 "顺相局",
		"A0-A1 B9-C7":                                                 "",
	} {
		g := record.NewGame(xiangqi.Start())
		n, pos := g.Root, engine.Position(xiangqi.Start())
		for text := range strings.FieldsSeq(moves) {
			m, err := pos.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			n = n.Append(m)
			pos, _ = pos.Play(m)
		}
		if got := nameOf(g); got != want {
			t.Errorf("%s: %q, want %q", moves, got, want)
		}
	}
}

// TestRealGames checks that nearly all games of $QHSH_DATA from the start have a name.
func TestRealGames(t *testing.T) {
	data := os.Getenv("QHSH_DATA")
	if data == "" {
		t.Skip("QHSH_DATA is not set: the names of real games are not counted")
	}
	file, err := os.Open(filepath.Join(data, "games", "Hu_Ronghua_1391_UCI_games.pgn.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all, named, deep := 0, 0, 0
	counts := map[string]int{}
	for g, err := range xqrecord.Library.Read(file, file.Name()) {
		if errors.As(err, new(*record.Error)) || g.Start.Key() != xiangqi.Start().Key() {
			continue
		}
		name := nameOf(g)
		all++
		counts[name]++
		if name != "" {
			named++
		}
		if !slices.Contains([]string{"", "中炮", "仙人指路", "飞相局", "起马局", "过宫炮", "士角炮"}, name) {
			deep++
		}
	}
	t.Logf("%d games: %d have a name, %d one of more than a first move: %v", all, named, deep, counts)
	if named*100 < all*95 {
		t.Errorf("%d of %d games have a name", named, all)
	}
}

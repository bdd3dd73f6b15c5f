package explore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
)

// gameOf returns a game of two players.
func gameOf(t *testing.T, first, second, moves string) *record.Game {
	t.Helper()
	g := record.FromPosition(after(t, strings.Fields(moves)...))
	g.Tags.Set("Red", first)
	g.Tags.Set("Black", second)
	return g
}

// TestNovelty: the first new move is looked for among other games than the game itself: not one with the same
// moves, nor one with more or less and the same players.
func TestNovelty(t *testing.T) {
	d := two(t)
	for _, c := range []struct {
		name, first, second, moves string
		filter                     Filter
		want                       string
		book                       int
	}{
		{"other players", "Hu", "Lu", "H2-E2 H9-G7 H0-G2 B9-C7", Filter{}, "4 B9-C7: 1, 广东 吕  钦–Xu 1990.05.01 -", 3},
		{"the same moves", "Hu", "Lu", "H2-E2 H9-G7 H0-G2", Filter{}, "2 H9-G7: 1, Hu–吕钦 1991.06 B9-C7", 1},
		{"more moves", "吕钦", "xu", "H2-E2 H9-G7 H0-G2 B9-C7", Filter{}, "2 H9-G7: 1, Hu–吕钦 1991.06 B9-C7", 1},
		{"unknown players", "", "红方", "H2-E2 H9-G7 H0-G2 B9-C7", Filter{}, "2 H9-G7: 1, Hu–吕钦 1991.06 B9-C7", 1},
		{"less moves", "Hu", "吕钦", "H2-E2", Filter{}, "", 1},
		{"another order of moves", "Hu", "Lu", "H2-E2 H9-G7 C3-C4 G7-E8", Filter{}, "", 4},
		{"the mirror image", "Hu", "Lu", "B2-E2 B9-C7 B0-C2 H9-I7", Filter{}, "1 B2-E2: 3, Li–Hu 1993 C3-C4, Hu–吕钦 1991.06 H2-E2, 广东 吕  钦–Xu 1990.05.01 H2-E2", 0},
		{"mirrored", "Hu", "Lu", "B2-E2 B9-C7 H0-I2", Filter{Mirror: true}, "3 H0-I2: 1, 广东 吕  钦–Xu 1990.05.01 B0-C2", 0},
		{"some games", "Hu", "Lu", "H2-E2 B9-C7 B0-C2", Filter{Until: 19900000}, "2 B9-C7: 1, 广东 吕  钦–Xu 1990.05.01 H9-G7", 2},
		{"no moves", "Hu", "Lu", "", Filter{}, "", 0},
	} {
		g := gameOf(t, c.first, c.second, c.moves)
		n, err := d.Novelty(t.Context(), g, c.filter)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if n != nil {
			got = fmt.Sprintf("%d %s: %d", n.Ply, n.Before.Format(n.Move), n.Games)
			for _, p := range n.Latest {
				move := "-"
				if p.Move != engine.NoMove {
					move = n.Before.Format(p.Move)
				}
				got += fmt.Sprintf(", %s–%s %v %s", p.Names[0], p.Names[1], p.Date, move)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if opening, err := (Book{DB: d, Games: 1}).Opening(t.Context(), g); err != nil || opening.Plies != c.book {
			t.Errorf("%s: %d moves of the book, %v; want %d", c.name, opening.Plies, err, c.book)
		}
	}
}

// TestLongCopies: a long game that goes on as another one ends, or ends earlier, is the same game, whatever the
// names of its players.
func TestLongCopies(t *testing.T) {
	t.Chdir(t.TempDir())
	d := create(t, "x.db")
	var line []string
	for pos, seen := after(t), map[uint64]bool{}; len(line) < maxBookPlies+4; {
		m := pos.Moves()[slices.IndexFunc(pos.Moves(), func(m engine.Move) bool { next, _ := pos.Play(m); return !seen[next.Key()] })]
		line = append(line, pos.Format(m))
		pos, _ = pos.Play(m)
		seen[pos.Key()] = true
	}
	write(t, ".", map[string]string{"a.pgn": pgn("Hu", "Lu", "Cup", "", "*", strings.Join(line[:maxBookPlies+2], " "))})
	add(t, d, "a.pgn")
	for plies, want := range map[int]int{maxBookPlies - 1: 0, maxBookPlies: 1, maxBookPlies + 1: 1, maxBookPlies + 4: 1} {
		n, err := d.Novelty(t.Context(), gameOf(t, "胡", "吕", strings.Join(line[:plies], " ")), Filter{})
		if err != nil || n == nil != (want == 0) || n != nil && n.Ply != want {
			t.Errorf("%d plies: %+v, %v; want a new move at ply %d", plies, n, err, want)
		}
	}
}

// TestNoveltyFormats compares whole outputs.
func TestNoveltyFormats(t *testing.T) {
	d := two(t)
	for format, want := range map[string]string{
		"text": "x game 1: B9-C7 at ply 4 is new; 1 game had the position before\n" +
			"date        red          black  result  move  event\n1990.05.01  广东 吕  钦  Xu     1-0           Cup\n" +
			"x game 2: other games have all its positions\n" +
			"x game 3: B2-E2 at ply 1 is new; 3 games had the position before\n" +
			"date        red          black  result   move   event\n1993        Li           Hu     1/2-1/2  C3-C4  League\n" +
			"1991.06     Hu           吕钦   0-1      H2-E2  Cup\n1990.05.01  广东 吕  钦  Xu     1-0      H2-E2  Cup\n",
		"csv": "source,game,red,black,ply,move,fen,games,before_source,before_game,before_red,before_black,before_event,before_date,before_result,before_move\n" +
			"x,1,A,B,4,B9-C7,rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 2,1,a.pgn,1,广东 吕  钦,Xu,Cup,1990.05.01,1-0,\n" +
			"x,3,A,B,1,B2-E2,rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1,3,b.pgn,2,Li,Hu,League,1993,1/2-1/2,C3-C4\n" +
			"x,3,A,B,1,B2-E2,rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1,3,a.pgn,2,Hu,吕钦,Cup,1991.06,0-1,H2-E2\n" +
			"x,3,A,B,1,B2-E2,rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1,3,a.pgn,1,广东 吕  钦,Xu,Cup,1990.05.01,1-0,H2-E2\n",
		"json": `{"source":"x","game":1,"players":["A","B"],"novelty":{"ply":4,"move":"B9-C7","fen":"rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 2","games":1,"latest":[{"source":"a.pgn","game":1,"players":["广东 吕  钦","Xu"],"event":"Cup","date":"1990.05.01","result":"1-0"}]}}` + "\n" +
			`{"source":"x","game":2,"players":["A","B"],"novelty":null}` + "\n" +
			`{"source":"x","game":3,"players":["A","B"],"novelty":{"ply":1,"move":"B2-E2","fen":"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1","games":3,"latest":[{"source":"b.pgn","game":2,"players":["Li","Hu"],"event":"League","date":"1993","result":"1/2-1/2","move":"C3-C4"},{"source":"a.pgn","game":2,"players":["Hu","吕钦"],"event":"Cup","date":"1991.06","result":"0-1","move":"H2-E2"},{"source":"a.pgn","game":1,"players":["广东 吕  钦","Xu"],"event":"Cup","date":"1990.05.01","result":"1-0","move":"H2-E2"}]}}` + "\n",
	} {
		chosen, _ := NoveltyFormats().ByName(format)
		var b strings.Builder
		write := chosen.Write(&b, d.Game(), WriteOptions{Games: games.Default})
		for i, moves := range []string{"H2-E2 H9-G7 H0-G2 B9-C7", "H2-E2 H9-G7", "B2-E2"} {
			g := gameOf(t, "A", "B", moves)
			n, err := d.Novelty(t.Context(), g, Filter{})
			if err == nil {
				err = write(GameID{"x", i + 1}, g, n)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
	}
}

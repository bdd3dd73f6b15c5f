package input

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
)

// TestPositionsOfGames reads files of games as their positions, and files of positions as before.
func TestPositionsOfGames(t *testing.T) {
	const pgn = "[Red \"Hu\"]\n[Date \"2001.02.03\"]\n[Result \"1-0\"]\n\n1. H2-E2 (1. B2-E2) H9-G7 1-0\n\n" +
		"[Black \"Xu\"]\n[Result \"*\"]\n\n1. H2-E2 H2-E2 *\n"
	positions := []string{
		`in:1 id in game 1 ply 0 fields {"game":1,"ply":0,"red":"Hu","date":"2001.02.03","played":"H2-E2"} "BOARD w - - 0 1"`,
		`in:2 id in game 1 ply 1 fields {"game":1,"ply":1,"red":"Hu","date":"2001.02.03","played":"H9-G7"} "BOARD w - - 0 1" after H2-E2`,
		`in:3 id in game 1 ply 2 fields {"game":1,"ply":2,"red":"Hu","date":"2001.02.03"} "BOARD w - - 0 1" after H2-E2 H9-G7`,
		`in:4 bad "": x:10: game 2: move 1... H2-E2: no piece on H2`,
		`in:5 id in game 2 ply 0 fields {"game":2,"ply":0,"black":"Xu","played":"H2-E2"} "BOARD w - - 0 1"`,
		`in:6 id in game 2 ply 1 fields {"game":2,"ply":1,"black":"Xu"} "BOARD w - - 0 1" after H2-E2`,
	}
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"pgn", pgn, positions},
		{"compressed", gzipped(t, pgn), positions},
		{"moves", "H2-E2\n", []string{
			`in:1 id in game 1 ply 0 fields {"game":1,"ply":0,"played":"H2-E2"} "BOARD w - - 0 1"`,
			`in:2 id in game 1 ply 1 fields {"game":1,"ply":1} "BOARD w - - 0 1" after H2-E2`,
		}},
		{"json", `{"fen":"` + board + ` w - - 0 1","result":"*","moves":[]}` + "\n", []string{
			`in:1 id in game 1 ply 0 fields {"game":1,"ply":0} "BOARD w - - 0 1"`,
		}},
		{"positions", "# none\nstartpos moves h2e2\n", []string{`in:2 "BOARD w - - 0 1" after H2-E2`}},
		{"json positions", `{"fen":"startpos","moves":["h2e2"]}` + "\n", []string{`in:1 "BOARD w - - 0 1" after H2-E2`}},
		{"empty", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Name: "x", Label: "in", Records: games.Default.Records(xiangqi.Rules), Games: true}
			if diff := cmp.Diff(c.want, read(strings.NewReader(c.text), o)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			src, err := Open(xiangqi.Rules, strings.NewReader(c.text), o)
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			if n, err := src.Count(); n != len(c.want) || err != nil {
				t.Errorf("counted %d of %d: %v", n, len(c.want), err)
			}
		})
	}
}

// TestDroppedMoves: a game whose illegal moves a comment keeps has no Item of its own, and positions
// as far as it can be played.
func TestDroppedMoves(t *testing.T) {
	const pgn = "1. H2-E2 H2-E2 2. B2-E2 *\n\n[Red \"Hu\"]\n\n*\n"
	var dropped []string
	o := Options{
		Name: "x", Label: "in", Records: games.Default.Records(xiangqi.Rules).Lenient(), Games: true,
		OnDropped: func(err error) { dropped = append(dropped, err.Error()) },
	}
	if diff := cmp.Diff([]string{
		`in:1 id in game 1 ply 0 fields {"game":1,"ply":0,"played":"H2-E2"} "BOARD w - - 0 1"`,
		`in:2 id in game 1 ply 1 fields {"game":1,"ply":1} "BOARD w - - 0 1" after H2-E2`,
		`in:3 id in game 2 ply 0 fields {"game":2,"ply":0,"red":"Hu"} "BOARD w - - 0 1"`,
	}, read(strings.NewReader(pgn), o)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"x:1: game 1: move 1... H2-E2: no piece on H2; kept as a comment"}, dropped); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

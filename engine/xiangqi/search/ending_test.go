package search_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/endings"
	"qhsh/engine/xiangqi/search"
)

// TestEndings searches positions of a table, and others a capture away from it: mates are the shortest, and
// their lines go to the end.
func TestEndings(t *testing.T) {
	enginetest.SkipUnderRace(t)
	tables := endings.Open("")
	m, err := endings.ParseMaterial("KRKA")
	if err != nil {
		t.Fatal(err)
	}
	o := search.DefaultOptions()
	o.Endings = tables
	e, err := search.New(o)
	if err != nil {
		t.Fatal(err)
	}
	dice := rand.New(rand.NewPCG(1, 2))
	mates, draws := 0, 0
	for mates < 100 || draws < 2 {
		var squares [90]xiangqi.Piece
		for _, letter := range []byte("KRka") {
			piece := xiangqi.PieceOf(letter)
			home := slices.Collect(xiangqi.Home(piece.Side(), piece.Kind()).All())
			squares[home[dice.IntN(len(home))]] = piece
		}
		p, err := xiangqi.ParseFEN(xiangqi.BoardFEN(&squares, xiangqi.Side(dice.IntN(2))))
		if err != nil || endings.MaterialOf(p.Board()) != m || p.Result().Outcome != engine.Ongoing {
			continue
		}
		want, err := tables.Query(p, xiangqi.Asian)
		if err != nil {
			t.Fatal(err)
		}
		var lines []engine.Line
		for found, err := range e.Search(t.Context(), p, engine.Limits{Nodes: 3000}) {
			if err != nil {
				t.Fatal(err)
			}
			lines = found
		}
		if want.Plies == nil {
			draws++
			if lines[0].Score != engine.Centipawns(0) {
				t.Errorf("%v: %v, want a draw", p, lines[0].Score)
			}
			continue
		}
		mates++
		score := engine.MateIn((*want.Plies + 1) / 2)
		if *want.Plies%2 == 0 {
			score = engine.MateIn(-*want.Plies / 2)
		}
		if lines[0].Score != score || len(lines[0].Moves) != *want.Plies {
			t.Fatalf("%v: %v in %d moves, want %v", p, lines[0].Score, len(lines[0].Moves), score)
		}
		last := engine.Position(p)
		for _, move := range lines[0].Moves {
			if last, err = last.Play(move); err != nil {
				t.Fatal(err)
			}
		}
		if last.Result().Outcome == engine.Ongoing {
			t.Errorf("%v: the line does not end in mate", p)
		}
	}
}

var (
	claims  = flag.Int("claims", 300, "search `N` random positions of endings without tables")
	folder  = flag.String("endings", "", "compare them with the tables of `FOLDER`, too")
	thought = flag.Int64("nodes", 3000, "`nodes` of each of these searches")
)

// TestMatesAreKnown searches positions of endings without tables: a mate that the search claims is a win of the table, in no
// more plies, and never in a draw.
func TestMatesAreKnown(t *testing.T) {
	enginetest.SkipUnderRace(t)
	tables := endings.Open(*folder)
	defer tables.Close()
	o := search.DefaultOptions()
	o.Hash = 8
	e, err := search.New(o)
	if err != nil {
		t.Fatal(err)
	}
	materials := []string{"KRKN", "KRKBB", "KPPKA", "KNAKAA", "KRCK", "KPAKBB"}
	if *folder != "" {
		materials = []string{"KRKAABB", "KPPKAA", "KRKNAA", "KNNKAABB", "KRRKAABB", "KRKCAA", "KPPKN", "KCPKAA"}
	}
	dice := rand.New(rand.NewPCG(3, 4))
	mates, wins := 0, 0
	for i := range *claims {
		m, err := endings.ParseMaterial(materials[i%len(materials)])
		if err != nil {
			t.Fatal(err)
		}
		p, err := endings.Random(m, dice)
		if err != nil {
			t.Fatal(err)
		}
		if p.Result().Over() {
			continue
		}
		known, err := tables.Query(p, xiangqi.Asian)
		if err != nil {
			t.Fatal(err)
		}
		e.Forget()
		lines, err := engine.Best(t.Context(), e, p, engine.Limits{Nodes: *thought})
		if err != nil {
			t.Fatal(err)
		}
		if known.Value == "win" {
			wins++
		}
		n, claimed := lines[0].Score.Mate()
		if !claimed {
			continue
		}
		mates++
		if value := map[bool]string{true: "win", false: "loss"}[n > 0]; known.Value != value || known.Plies == nil || (*known.Plies+1)/2 > max(n, -n) {
			t.Errorf("%v: the search claims mate in %d, the table says %v", p, n, known)
		}
	}
	t.Logf("%d positions, %d of them won: %d mates found", *claims, wins, mates)
}

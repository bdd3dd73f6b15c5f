package annotate

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine/games"
	"qhsh/engine/qchess"
	"qhsh/engine/record"
)

// TestChanceNodes: an outcome of chance belongs to the turn of the side that selected the piece, and
// a turn without a move counts.
func TestChanceNodes(t *testing.T) {
	g := record.NewGame(qchess.Rules.Start())
	a := &Annotated{Game: g, Options: Options{Games: games.Default}.withDefaults(), Plies: []Ply{{Pos: g.Start}}}
	pos, n := g.Start, g.Root
	for _, text := range []string{"@36", "0=pawn", "36-34", "@01", "0=pawn", "01-03", "@07", "0=rook", "@70", "0=rook", "@34", "0=pawn"} {
		m, err := pos.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		n = n.Append(m)
		if pos, err = pos.Play(m); err != nil {
			t.Fatal(err)
		}
		a.Plies = append(a.Plies, Ply{Pos: pos, Move: m})
	}
	doc, err := a.report(English, "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, node := range doc.judgedGame.Line {
		got = append(got, fmt.Sprintf("%d %v %v %s", node.Number, node.Second, node.Chance, node.Move))
	}
	want := []string{
		"1 false false @36", "1 false true 0=pawn", "1 false false 36-34",
		"1 true false @01", "1 true true 0=pawn", "1 true false 01-03",
		"2 false false @07", "2 false true 0=rook", "2 true false @70", "2 true true 0=rook",
		"3 false false @34", "3 false true 0=pawn",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

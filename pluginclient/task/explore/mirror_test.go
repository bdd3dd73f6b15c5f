package explore

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMirror: two games and the beginning of one as a mirror would show it, in a position that is its
// own mirror image, and in one that is not.
func TestMirror(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", map[string]string{"a.pgn": pgn("A", "B", "", "1990", "1-0", "1. H2-E2 H9-G7 2. H0-G2") +
		pgn("A", "B", "", "1991", "0-1", "1. H2-E2 B9-C7") +
		pgn("C", "D", "", "1992", "1-0", "1. B2-E2 B9-C7 2. B0-C2") + pgn("C", "D", "", "", "*", "1. C3-C4")})
	d := create(t, "x.db")
	add(t, d, "a.pgn")
	mirror := Filter{Mirror: true}
	const start = `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
4 games, red to move: 2 won, 0 drawn, 1 lost, average 66.7 %

move   games     %  won  drawn  lost  average  last  score
H2-E2      3  75.0    2      0     1   66.7 %  1992
C3-C4      1  25.0    0      0     0
`
	if diff := cmp.Diff(start, text(t, d, after(t), mirror)); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct{ first, second, third string }{{"H2-E2", "H9-G7", "B9-C7"}, {"B2-E2", "B9-C7", "H9-G7"}} {
		r, err := d.Query(t.Context(), after(t, c.first), mirror)
		if err != nil {
			t.Fatal(err)
		}
		var moves []string
		for _, m := range r.Moves {
			moves = append(moves, r.Position.Format(m.Move))
		}
		want := []string{c.second, c.third}
		if diff := cmp.Diff(want, moves); diff != "" || r.Counts != (Counts{3, 1, 0, 2}) || r.Moves[0].Counts != (Counts{2, 0, 0, 2}) {
			t.Errorf("%+v: %s", r, diff)
		}
	}
	for name, f := range map[string]Filter{"A": mirror, "C": mirror} {
		f.Position, f.Player = after(t, "B2-E2"), name
		if r, err := d.Query(t.Context(), after(t), f); err != nil || r.Games == 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

package xiangqi

import "testing"

// PawnReach of a set is the union of the pawn moves from its points.
func TestPawnReach(t *testing.T) {
	for s := Red; s <= Black; s++ {
		for a := range Square(90) {
			for b := range Square(90) {
				want := pawnSteps[s][a].Or(pawnSteps[s][b])
				if got := PawnReach(s, SquareBB(a).Or(SquareBB(b))); got != want {
					t.Fatalf("%v pawns on %v and %v reach %v, want %v", s, a, b, got, want)
				}
			}
		}
	}
}

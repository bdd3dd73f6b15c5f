package quoridor

import (
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
)

// TestWays: ShortestPath returns a path of the length that Distance returns, and a wall that does not block such a path does not change the distance.
func TestWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := randomBoard(t, rapid.IntRange(3, 12).Draw(t, "size"), rapid.IntRange(0, 30).Draw(t, "plies"))
		for _, side := range []engine.Turn{Black, White} {
			want := b.Distance(side)
			way := b.ShortestPath(side)
			if way.Steps != want {
				t.Fatalf("%v: the path of %s has %d steps, want the distance %d", &b, ColourName(side), way.Steps, want)
			}
			checkCuts(t, b, side, &way)
		}
	})
}

// checkCuts tries every legal wall.
func checkCuts(t *rapid.T, b Board, side engine.Turn, way *Path) {
	horizontal, vertical := b.freeCentres()
	for _, a := range append(appendCentres(nil, horizontal[:b.size-1], side, Horizontal), appendCentres(nil, vertical[:b.size-1], side, Vertical)...) {
		trial := b
		trial.toggleSteps(a.Kind(), a.Cell().Row()-1, a.Cell().Col())
		if d := trial.Distance(side); !way.BlockedBy(a) && d != way.Steps {
			t.Fatalf("%v: %v does not block the path of %s, but its distance becomes %d instead of %d", &b, a, ColourName(side), d, way.Steps)
		}
	}
}

func randomBoard(t *rapid.T, size, plies int) Board {
	b := NewBoard(Rules{size, 100})
	for range plies {
		moves := b.AppendMoves(nil)
		if len(moves) == 0 {
			break
		}
		b.Do(rapid.SampledFrom(moves).Draw(t, "move"))
	}
	return b
}

// TestLongWay tests a path longer than usualLayers: the board is one corridor that winds from row to
// row.
func TestLongWay(t *testing.T) {
	b := NewBoard(Rules{MaxSize, MaxWalls})
	for r := range MaxSize - 1 {
		for c := r % 2; c < MaxSize-1; c += 2 {
			b.Do(NewAction(Black, Horizontal, cellAt(r+1, c))) // all but the first or the last cell
		}
	}
	want := MaxSize*MaxSize - 1 - MaxSize/2
	for _, side := range []engine.Turn{Black, White} {
		way := b.ShortestPath(side)
		if d := b.Distance(side); way.Steps != d || d < want-MaxSize || d < usualLayers {
			t.Errorf("%s: %d steps, distance %d", ColourName(side), way.Steps, d)
		}
	}
}

package explore

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
)

// TestBook: a book has the moves with enough games, and each seed chooses one of them, the same
// every time.
func TestBook(t *testing.T) {
	d := two(t)
	start := after(t)
	for games, want := range map[int][]string{1: {"C3-C4", "H2-E2"}, 2: {"H2-E2"}, 3: {""}} {
		var names []string
		for seed := range uint64(20) {
			m, err := Book{DB: d, Games: games, Seed: seed}.Choose(t.Context(), start, nil)
			if err != nil {
				t.Fatal(err)
			}
			name := ""
			if m != engine.NoMove {
				name = start.Format(m)
			}
			names = append(names, name)
		}
		slices.Sort(names)
		if diff := cmp.Diff(want, slices.Compact(names)); diff != "" {
			t.Errorf("%d games: %s", games, diff)
		}
	}
	chosen := map[string]bool{}
	for seed := range uint64(20) {
		b := Book{DB: d, Games: 1, Seed: seed}
		m, err := b.Choose(t.Context(), start, nil)
		again, _ := b.Choose(t.Context(), start, nil)
		if err != nil || m != again {
			t.Fatalf("seed %d: %v, then %v; %v", seed, m, again, err)
		}
		chosen[start.Format(m)] = true
		if other, err := b.Choose(t.Context(), start, []engine.Move{m}); err != nil || other == m || other == engine.NoMove {
			t.Errorf("seed %d: %v is banned, got %v, %v", seed, m, other, err)
		}
	}
	if len(chosen) != 2 {
		t.Errorf("20 seeds choose %v", chosen)
	}
	if m, err := (Book{DB: d, Games: 3}).Choose(t.Context(), start, nil); m != engine.NoMove || err != nil {
		t.Errorf("%v, %v", m, err)
	}
}

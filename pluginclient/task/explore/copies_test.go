package explore

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
)

// TestBestCopy: of the copies of a game the one that knows most counts, in both orders of adding, and
// after it the next one.
func TestBestCopy(t *testing.T) {
	const moves = "1. H2-E2 H9-G7 2. H0-G2"
	t.Chdir(t.TempDir())
	// Each copy is better than the next.
	copies := []string{
		pgn("Hu", "Xu", "Cup", "2001.05.01", "1-0", moves),
		pgn("Li", "Xu", "Cup", "2002.05", "0-1", moves),
		pgn("Hu", "Xu", "Cup", "2003", "0-1", moves),
		pgn("Lu", "Xu", "Cup", "", "1/2-1/2", moves),
		pgn("Hu", "", "Cup", "", "1/2-1/2", moves),
		pgn("", "", "Cup", "", "1/2-1/2", moves),
		pgn("", "", "", "", "0-1", moves),
		pgn("", "", "", "", "1-0", moves), // the later name
		pgn("Hu", "Xu", "Cup", "2004.05.01", "*", moves),
		pgn("", "", "", "", "*", moves),
	}
	for i, better := range copies[:len(copies)-1] {
		files := []string{fmt.Sprintf("%d-a.pgn", i), fmt.Sprintf("%d-b.pgn", i)}
		write(t, ".", map[string]string{files[0]: better, files[1]: copies[i+1]})
		var want [2]string // of both files, and of the second alone
		for order := range 2 {
			d := create(t, fmt.Sprintf("%d-%d.db", i, order))
			add(t, d, files...)
			if order == 0 {
				want[0] = answers(t, d)
			} else if diff := cmp.Diff(want[0], answers(t, d)); diff != "" {
				t.Errorf("%s: %s", files[0], diff)
			}
			list, err := d.Duplicates(t.Context())
			if err != nil || len(list) != 1 || !strings.HasSuffix(list[0].Source, "-b.pgn") {
				t.Errorf("%s: %v, %v", files[0], list, err)
			}
			if err := d.Remove(t.Context(), fmt.Sprintf("%d-a.pgn", i)); err != nil {
				t.Fatal(err)
			}
			if order == 0 {
				want[1] = answers(t, d)
			} else if diff := cmp.Diff(want[1], answers(t, d)); diff != "" {
				t.Errorf("%s: %s", files[1], diff)
			}
			slices.Reverse(files)
		}
	}
}

// TestOrderOfAdding: a database answers the same, whatever the order in which sources were added,
// changed and removed.
func TestOrderOfAdding(t *testing.T) {
	t.Chdir(t.TempDir())
	names := []string{"a.pgn", "b.pgn", "c.pgn"}
	d, other := create(t, "x.db"), create(t, "y.db")
	for _, db := range []*DB{d, other} {
		if _, err := db.db.Exec("PRAGMA synchronous = off"); err != nil { // which costs most of the time
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		removeAll(t, d)
		removeAll(t, other)
		contents := map[string]string{}
		for range rapid.IntRange(1, 8).Draw(r, "steps") {
			name := rapid.SampledFrom(names).Draw(r, "source")
			if contents[name] != "" && rapid.Bool().Draw(r, "remove") {
				if err := d.Remove(t.Context(), name); err != nil {
					t.Fatal(err)
				}
				delete(contents, name)
				continue
			}
			contents[name] = strings.Join(rapid.SliceOfN(rapid.Custom(drawGame), 1, 4).Draw(r, "games"), "")
			write(t, ".", map[string]string{name: contents[name]})
			add(t, d, name)
		}
		add(t, other, slices.Sorted(maps.Keys(contents))...)
		if diff := cmp.Diff(answers(t, other), answers(t, d)); diff != "" {
			r.Fatal(diff)
		}
		if diff := cmp.Diff(counted(rows(t, other)), counted(rows(t, d))); diff != "" {
			r.Fatal(diff)
		}
	})
}

// removeAll removes all sources.
func removeAll(t *testing.T, d *DB) {
	t.Helper()
	sources, err := d.Sources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		if err := d.Remove(t.Context(), s.Name); err != nil {
			t.Fatal(err)
		}
	}
}

// drawGame draws one of a few games, of which more or less is known.
func drawGame(r *rapid.T) string {
	word := func(label string, of ...string) string { return rapid.SampledFrom(of).Draw(r, label) }
	return pgn(
		word("first", "", "Hu", "Xu"), word("second", "", "?", "Li"), word("event", "", "Cup"),
		word("date", "", "1990", "1991.05", "1992.05.01", "????.??.??"), word("result", "*", "1-0", "0-1"),
		word("moves", "1. H2-E2", "1. H2-E2 {why}", "1. H2-E2 (1. C3-C4)", "1. H2-E2 H9-G7", "1. C3-C4 H9-G7"))
}

// answers returns what a database says about some positions and its players, openings and duplicates.
func answers(t testing.TB, d *DB) string {
	t.Helper()
	ctx := t.Context()
	var b strings.Builder
	for _, pos := range []engine.Position{after(t), after(t, "H2-E2"), after(t, "C3-C4", "H9-G7")} {
		for _, f := range []Filter{{}, {Player: "hu"}, {Since: 19910000}, {Event: "cup"}} {
			b.WriteString(text(t, d, pos, f))
		}
	}
	for _, list := range []func() ([]Results, error){
		func() ([]Results, error) { return d.Players(ctx, Filter{}) },
		func() ([]Results, error) { return d.Openings(ctx, Filter{}) },
	} {
		results, err := list()
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteResults(&b, "name", results); err != nil {
			t.Fatal(err)
		}
	}
	duplicates, err := d.Duplicates(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range duplicates {
		fmt.Fprintln(&b, x)
	}
	b.WriteString(strings.Join(slices.Sorted(slices.Values(whole(t, d))), ""))
	return b.String()
}

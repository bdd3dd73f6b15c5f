package records

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/record"
)

// TestDuplicatesProperty compares the duplicates of random games with what each pair of them says.
func TestDuplicatesProperty(t *testing.T) {
	start := games.Default.DefaultGame().Start()
	var line []engine.Move // and its beginnings
	for pos := start; len(line) < 30; {
		m := pos.Moves()[len(line)*5%len(pos.Moves())]
		line = append(line, m)
		pos, _ = pos.Play(m)
	}
	rapid.Check(t, func(t *rapid.T) {
		d := Duplicates{Games: games.Default}
		for i := range rapid.IntRange(1, 12).Draw(t, "games") {
			g := record.NewGame(start)
			n, plies := g.Root, rapid.SampledFrom([]int{0, 1, 2, 21, 22, 23, 30}).Draw(t, "plies")
			for _, m := range line[:plies] {
				n = n.Append(m)
			}
			if plies > 1 && rapid.Bool().Draw(t, "other end") {
				n.Move = line[0]
			}
			g.Result = rapid.SampledFrom([]engine.Outcome{engine.Ongoing, engine.FirstWins}).Draw(t, "result")
			for _, tag := range []string{"Red", "Black", "Date"} {
				g.Tags.Add(tag, rapid.SampledFrom([]string{"", "1998.05.01"}).Draw(t, tag))
			}
			if rapid.Bool().Draw(t, "comment") {
				n.Comment = "x"
			}
			d.Add("", i+1, g)
		}
		found := map[int]Duplicate{}
		for _, x := range d.Find(true) {
			found[x.Index] = x
		}
		for i, a := range d.all {
			want := Relation("")
			is := func(r Relation, of func(j int, b *addedGame) bool) {
				for j := range d.all {
					if want == "" && i != j && a.Plies > 0 && of(j, &d.all[j]) {
						want = r
					}
				}
			}
			starts := func(b *addedGame) bool { return len(b.moves) >= len(a.moves) && b.moves[:len(a.moves)] == a.moves }
			is(Same, func(j int, b *addedGame) bool {
				return j < i && a.moves == b.moves && (a.notes == [16]byte{} || a.notes == b.notes)
			})
			is(CutShort, func(_ int, b *addedGame) bool { return a.Plies < b.Plies && starts(b) && a.isCutShort(b) })
			is(Alike, func(j int, b *addedGame) bool {
				left := found[j].Relation == Same || found[j].Relation == CutShort
				return j < i && !left && a.head > 0 && b.head == a.head && a.moves[:a.head] == b.moves[:a.head] && a.isAlike(b)
			})
			if got := found[i]; got.Relation != want || want != "" && got.Common != commonPlies(a.moves, d.all[got.Of.Number-1].moves) {
				t.Fatalf("game %d is %q of %v, want %q", i+1, got.Relation, got.Of, want)
			}
		}
		if !slices.IsSortedFunc(d.Find(true), func(a, b Duplicate) int { return a.Index - b.Index }) {
			t.Fatal("not in the order of Add")
		}
	})
}

package search

import (
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"qhsh/engine/xiangqi"
)

// anyEntry returns an entry like those that the search stores.
func anyEntry(t *rapid.T) entry {
	return entry{
		move: xiangqi.NewMove(
			xiangqi.Square(rapid.IntRange(0, 89).Draw(t, "from")),
			xiangqi.Square(rapid.IntRange(0, 89).Draw(t, "to"))),
		score: rapid.OneOf(rapid.IntRange(1-ruleBand, ruleBand-1), rapid.IntRange(mateBand, mateScore-maxPly),
			rapid.IntRange(maxPly-mateScore, -mateBand)).Draw(t, "score"),
		eval:  rapid.OneOf(rapid.IntRange(-20000, 20000), rapid.Just(noEval)).Draw(t, "eval"),
		depth: rapid.IntRange(0, maxDepth).Draw(t, "depth"),
		bound: rapid.SampledFrom([]bound{boundUpper, boundLower, boundExact}).Draw(t, "bound"),
	}
}

func TestTableKeepsWhatIsStored(t *testing.T) {
	table := newTable(1)
	rapid.Check(t, func(t *rapid.T) {
		key, ply, e := rapid.Uint64().Draw(t, "key"), rapid.IntRange(0, maxPly).Draw(t, "ply"), anyEntry(t)
		e.bound = boundExact // always replaces
		table.store(key, ply, e)
		if got, ok := table.probe(key, ply); !ok || got != e {
			t.Fatalf("stored %+v, found %+v, %v", e, got, ok)
		}
		if _, ok := table.probe(key^1, ply); ok {
			t.Fatal("got an entry that was not stored")
		}
		table.clear()
		if _, ok := table.probe(key, ply); ok {
			t.Fatal("got an entry after the table was cleared")
		}
	})
}

// A mate 6 plies below the root is 2 plies below a position at ply 4, and 5 plies away from that
// position at ply 3.
func TestTableCountsMatesFromThePosition(t *testing.T) {
	table := newTable(1)
	for _, test := range []struct{ stored, want int }{
		{mateScore - 6, mateScore - 5},
		{6 - mateScore, 5 - mateScore},
		{150, 150},
	} {
		table.store(1, 4, entry{score: test.stored, bound: boundExact})
		if got, _ := table.probe(1, 3); got.score != test.want {
			t.Errorf("stored %d at ply 4, found %d at ply 3, want %d", test.stored, got.score, test.want)
		}
	}
}

// The score of a perpetual check depends on the path, so only the move is kept.
func TestTableDropsRuleScores(t *testing.T) {
	table := newTable(1)
	move := xiangqi.NewMove(1, 2)
	table.store(7, 0, entry{move: move, score: ruleScore - 3, eval: 5, depth: 9, bound: boundLower})
	want := entry{move: move, eval: 5}
	if got, ok := table.probe(7, 0); !ok || got != want {
		t.Errorf("found %+v, want %+v", got, want)
	}
}

// A deeper entry of the same search is not overwritten by a bound, but one of an earlier search
// is.
func TestTableAge(t *testing.T) {
	table := newTable(1)
	deep, shallow := entry{score: 10, depth: 9, bound: boundLower}, entry{score: 20, depth: 1, bound: boundUpper}
	table.store(3, 0, deep)
	table.store(3, 0, shallow)
	if got, _ := table.probe(3, 0); got != deep {
		t.Errorf("in the same search: %+v, want %+v", got, deep)
	}
	table.newSearch()
	table.store(3, 0, shallow)
	if got, _ := table.probe(3, 0); got != shallow {
		t.Errorf("in the next search: %+v, want %+v", got, shallow)
	}
}

// In a full bucket the shallowest entry is replaced. Each search since an entry was stored counts
// as eight plies.
func TestTableReplacement(t *testing.T) {
	table := &table{clusters: make([]cluster, 1), epoch: 1}
	table.store(0, 0, entry{depth: 9, bound: boundExact})
	table.newSearch()
	for key, depth := range []int{1: 2, 2: 7, 3: 6} {
		if depth > 0 {
			table.store(uint64(key), 0, entry{depth: depth, bound: boundExact})
		}
	}
	table.store(100, 0, entry{depth: 8, bound: boundExact}) // replaces 0, which counts as depth 1
	table.store(101, 0, entry{depth: 4, bound: boundExact}) // replaces 1, which counts as depth 2
	for key, want := range map[uint64]bool{0: false, 1: false, 2: true, 3: true, 100: true, 101: true} {
		if _, ok := table.probe(key, 0); ok != want {
			t.Errorf("entry %d: %v, want %v", key, ok, want)
		}
	}
}

// After 65,535 epochs the table is cleared and the epochs start from the beginning.
func TestTableEpochsWrap(t *testing.T) {
	table := &table{clusters: make([]cluster, 1), epoch: 1}
	table.store(5, 0, entry{bound: boundExact})
	for range 0xFFFF {
		table.clear()
	}
	if table.epoch != 1 {
		t.Fatalf("epoch %d, want 1", table.epoch)
	}
	if _, ok := table.probe(5, 0); ok {
		t.Error("got an entry of 65,535 epochs ago")
	}
}

func TestTableSize(t *testing.T) {
	if size := unsafe.Sizeof(slot{}); size != 16 {
		t.Errorf("a slot takes %d bytes, want 16", size)
	}
	if n := len(newTable(3).clusters); n*clusterSize*16 != 3<<20 {
		t.Errorf("3 MiB are %d buckets", n)
	}
}

func BenchmarkForget(b *testing.B) {
	e, err := New(DefaultOptions())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		e.Forget()
	}
}

// Without HashCut the score of a table entry is not used, neither for a cutoff nor to refine the
// evaluation.
func TestWithoutHashCut(t *testing.T) {
	for _, cutNode := range []bool{true, false} {
		w := newWorker(Options{HashCut: cutNode}, newTable(1))
		w.board = xiangqi.Start().Board()
		w.initEndRules()
		ttEntry := entry{score: 500, depth: 9, bound: boundExact}
		if got := w.ttCutoff(ttEntry, 1, 0, 1); got != cutNode {
			t.Errorf("HashCut %v: cutoff: %v", cutNode, got)
		}
		if got, want := w.refineEval(10, ttEntry), map[bool]int{true: 500, false: 10}[cutNode]; got != want {
			t.Errorf("HashCut %v: the evaluation is %d, want %d", cutNode, got, want)
		}
	}
}

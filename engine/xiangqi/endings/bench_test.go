package endings

import (
	"math/rand/v2"
	"testing"

	"qhsh/engine/xiangqi"
)

// BenchmarkMake makes the table of a rook against full guards, without its parts.
func BenchmarkMake(b *testing.B) {
	m, err := ParseMaterial("KRKAABB")
	if err != nil {
		b.Fatal(err)
	}
	tables := map[Material]*table{}
	make := func(m Material) *table {
		k, err := newMaker(b.Context(), m, tables)
		if err == nil {
			err = k.solve()
		}
		if err != nil {
			b.Fatal(err)
		}
		return &k.table
	}
	for _, m := range withParts(m) {
		tables[m] = make(m)
	}
	for b.Loop() {
		make(m)
	}
	b.ReportMetric(float64(2*tables[m].layout.size)/1e6*float64(b.N)/b.Elapsed().Seconds(), "Mpositions/s")
}

// BenchmarkProbe asks for random positions of a file: cold from the file, and warm from memory.
func BenchmarkProbe(b *testing.B) {
	dir := b.TempDir()
	m, err := ParseMaterial("KRKAABB")
	if err != nil {
		b.Fatal(err)
	}
	open := func() *Tables {
		t := Open(dir)
		if _, err := t.Load(); err != nil {
			b.Fatal(err)
		}
		return t
	}
	made := Open(dir)
	if err := made.Make(b.Context(), m, func(string, int) {}, func(Stats, bool) {}); err != nil {
		b.Fatal(err)
	}
	made.Close()
	l, err := layoutOf(m)
	if err != nil {
		b.Fatal(err)
	}
	var boards []*xiangqi.Board
	for dice := rand.New(rand.NewPCG(1, 2)); len(boards) < 1000; {
		if p, ok := l.at(dice.IntN(l.size)); ok {
			if pos, err := xiangqi.ParseFEN(p.fen(xiangqi.Red)); err == nil {
				boards = append(boards, pos.Board())
			}
		}
	}
	probe := func(t *Tables, i int) {
		if _, _, ok := t.Probe(boards[i%len(boards)]); !ok {
			b.Fatal("not known")
		}
	}
	b.Run("cold", func(b *testing.B) {
		t, i := open(), 0
		for b.Loop() {
			clear(t.blocks)
			t.order = nil
			probe(t, i)
			i++
		}
		t.Close()
	})
	b.Run("warm", func(b *testing.B) {
		t, i := open(), 0
		for b.Loop() {
			probe(t, i)
			i++
		}
		t.Close()
	})
}

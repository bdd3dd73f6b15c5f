package endings

import "testing"

// BenchmarkMake makes the table of a rook against full guards, without its parts.
func BenchmarkMake(b *testing.B) {
	m, err := ParseMaterial("KRKAABB")
	if err != nil {
		b.Fatal(err)
	}
	tables := map[Material]*table{}
	make := func(m Material) *table {
		k, err := newMaker(b.Context(), m, func(m Material) *table { return tables[m] })
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

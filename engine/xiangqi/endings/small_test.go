package endings

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"qhsh/engine/xiangqi"
)

var (
	update = flag.Bool("update", false, "write the tables of the program")
	every  = flag.Bool("every", false, "compare all tables of the program, not only the smallest")
)

// smallMaterials returns the materials of the tables of the program by the rule of maxSmall, parts first, and how many
// positions each of them has with its parts.
func smallMaterials(t *testing.T) (all []Material, positions map[Material]int) {
	positions = map[Material]int{}
	var add func(m Material)
	add = func(m Material) { // and what more men make of it
		m = m.Standard()
		if _, seen := positions[m]; seen {
			return
		}
		positions[m] = 0
		for _, part := range withParts(m) {
			l, err := layoutOf(part)
			if err != nil {
				t.Fatal(err)
			}
			positions[m] += l.size
		}
		if positions[m] > maxSmall {
			return
		}
		all = append(all, m)
		for p := range m {
			if piece := xiangqi.Piece(p); int(m[p]) < xiangqi.Most(piece.Kind()) && piece.Kind() != xiangqi.King {
				more := m
				more[p]++
				add(more)
			}
		}
	}
	kings, err := ParseMaterial("KK")
	if err != nil {
		t.Fatal(err)
	}
	add(kings)
	slices.SortFunc(all, func(a, b Material) int { return positions[a] - positions[b] })
	return all, positions
}

// written returns what a table has, and its file.
func written(t *testing.T, k *maker) (Stats, []byte) {
	t.Helper()
	var out bytes.Buffer
	stats, err := k.stats()
	if err == nil {
		err = k.write(&out, stats)
	}
	if err != nil {
		t.Fatal(err)
	}
	return stats, out.Bytes()
}

// The program has the tables that its rule says, and they are what the generator makes.
func TestSmall(t *testing.T) {
	all, positions := smallMaterials(t)
	materials, most := smallTables()
	if kept := maps.Clone(materials); !*update {
		for _, m := range all {
			if !kept[m] || m.men() > most {
				t.Errorf("%v is not in the program: go test ./engine/xiangqi/endings -run TestSmall -update", m)
			}
			delete(kept, m)
		}
		if len(kept) > 0 {
			t.Errorf("in the program, but not small: %v", kept)
		}
	}
	tables := map[Material]*table{}
	for _, m := range all {
		if positions[m] > maxSmall/20 && !*update && !*every {
			break
		}
		k, err := newMaker(t.Context(), m, tables)
		if err == nil {
			err = k.solve()
		}
		if err != nil {
			t.Fatal(err)
		}
		tables[m] = &k.table
		stats, made := written(t, k)
		path := filepath.Join("small", m.String()+suffix)
		if *update {
			if err := os.WriteFile(path, made, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		f, err := program().file(m)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := f.load()
		if err != nil {
			t.Fatal(err)
		}
		if f.stats != stats {
			t.Errorf("%v: %+v in the program, made %+v", m, f.stats, stats)
		}
		for i := range k.layout.size {
			for side := range sides {
				if v := Value(k.values[side].at(i)); v != Illegal && v != Value(kept.values[side].at(i)) {
					t.Fatalf("%v: number %d, %v to move: %d in the program, made %d", m, i, xiangqi.Side(side), kept.values[side].at(i), v)
				}
			}
		}
	}
}

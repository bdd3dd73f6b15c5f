package games

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// TestBookKeys: the key of the start, a move, and a key that is stored as a double, as other programs compute them; and
// the first two rows of the book of fisherfan/xqbook.
func TestBookKeys(t *testing.T) {
	start := xiangqi.Start()
	after, err := start.PlayMove(xiangqi.NewMove(25, 22)) // H2-E2
	if err != nil {
		t.Fatal(err)
	}
	obk, pf, xqb := xiangqiBooks[0], xiangqiBooks[1], xiangqiBooks[2]
	h2e2, reply := parseMove(t, start, "H2-E2"), parseMove(t, after, "H9-G7")
	for _, c := range []struct {
		format BookFormat
		pos    engine.Position
		key    any
		move   engine.Move
		stored int64
	}{
		{obk, start, int64(7101337512282506414), h2e2, 0xaaa7},
		{obk, after, -2.684809862467861e-145, reply, 0x3a59},
		{pf, after, int64(11667368640340953070 - 1<<64), reply, 0x3a59},
		{xqb, start, []byte("\xce\xb7\xce\xf3z\xc8\x01\xe0y\xf7\xdf}\xf0\x00\x02\xeb\xae\xba\xeb\x02\xc0\x04e:V\x93\x94@"), h2e2, 30580},
		{xqb, after, []byte("\xce\xb7\xce\xf3z\xc8\x01\xe3\xc1\xf7\xdf}\xf0\x00\x02\xeb\xae\xba\xeb\x02\xc0\x04e:V\x93\x94@"), reply, 38774},
	} {
		place := c.format.Places(c.pos)[0]
		if key, ok := c.key.([]byte); ok && bytes.Equal(key, place.Keys[0].([]byte)) {
			c.key, place.Keys[0] = 0, 0
		}
		if place.Keys[0] != c.key || place.Stored(c.move) != c.stored || place.Move(c.stored) != c.move {
			t.Errorf("%s %v: key %v, move %#x, %v", c.format.Name, c.pos, place.Keys[0], place.Stored(c.move), c.pos.Format(place.Move(c.stored)))
		}
	}
	if m := obk.Places(start)[0].Move(0xa7aa); m != h2e2 {
		t.Errorf("from and to exchanged: %v", m)
	}
	if bits := math.Float64bits(-2.684809862467861e-145); bits != 11667368640340953070 {
		t.Errorf("%d", bits)
	}
}

func parseMove(t *testing.T, p engine.Position, text string) engine.Move {
	m, err := p.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestBookPlaces: in all formats a move is read as it was written, whatever the place, and the place and its mirror
// image are where another program would write the position and its mirror image.
func TestBookPlaces(t *testing.T) {
	for _, p := range xiangqi.Samples() {
		mirror, err := xiangqiRow.Mirror(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range xiangqiBooks {
			places, images := format.Places(p), format.Places(mirror)
			if len(places) != len(images) || places[0].Number != images[len(images)-1].Number {
				t.Errorf("%s %v: the mirror image is elsewhere", format.Name, p)
			}
			for _, place := range places {
				for _, key := range place.Keys {
					if !slices.Contains(format.Numbers(key), place.Number) {
						t.Errorf("%s %v: the key %v is of another place", format.Name, p, key)
					}
				}
				for _, m := range p.Moves() {
					if place.Move(place.Stored(m)) != m {
						t.Errorf("%s %v: %s is read as %s", format.Name, p, p.Format(m), p.Format(place.Move(place.Stored(m))))
					}
				}
			}
		}
	}
}

// TestBookNumbers: SQLite stores a double without a fraction as an integer.
func TestBookNumbers(t *testing.T) {
	for _, c := range []struct {
		key  any
		want []uint64
	}{
		{int64(5), []uint64{5, math.Float64bits(5)}},
		{int64(-3), []uint64{1<<64 - 3, math.Float64bits(-3)}},
		{int64(0), []uint64{0, 1 << 63}},
		{int64(math.MaxInt64), []uint64{math.MaxInt64}},
		{-0.5, []uint64{math.Float64bits(-0.5)}},
		{math.Inf(-1), []uint64{0xfff << 52}},
		{"text", nil},
		{nil, nil},
	} {
		if got := xiangqiBooks[0].Numbers(c.key); !slices.Equal(got, c.want) {
			t.Errorf("%v: %d, want %d", c.key, got, c.want)
		}
	}
	if got := xiangqiBooks[2].Numbers(int64(5)); got != nil {
		t.Errorf("xqb: %d", got)
	}
}

// FuzzBookMove: whatever number a book has, the move is legal or there is none.
func FuzzBookMove(f *testing.F) {
	for _, stored := range []int64{0xaaa7, 0xa7aa, 30580, -1, 1 << 40, 0xffff, 0x0f0f} {
		f.Add(uint8(0), stored)
	}
	f.Fuzz(func(t *testing.T, sample uint8, stored int64) {
		all := xiangqi.Samples()
		p := all[int(sample)%len(all)]
		for _, format := range xiangqiBooks {
			for _, place := range format.Places(p) {
				if m := place.Move(stored); m != engine.NoMove && !slices.Contains(p.Moves(), m) {
					t.Errorf("%s %v: %d is %v", format.Name, p, stored, p.Format(m))
				}
			}
		}
	})
}

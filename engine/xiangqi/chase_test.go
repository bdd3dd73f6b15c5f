package xiangqi

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// chasesOf lists the chases of a side, written as "A5xC5", sorted.
func chasesOf(s *state, by Side) string {
	copied := *s
	scene := copied.chaseBoard()
	var h chaseSet
	scene.findChases(by, &h)
	var list []string
	for i := range h.n {
		for to := range h.victims[i].All() {
			list = append(list, h.attackers[i].String()+"x"+to.String())
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// TestHunt tests the definition of a chase. Red is the side that may be chasing, and Black is to
// move.
func TestHunt(t *testing.T) {
	tests := []struct{ name, fen, want string }{
		{"rook, unprotected cannon", "3k5/9/9/9/R1c6/9/9/9/9/5K3 b", "A5xC5"},
		{"rook, protected cannon", "2rk5/9/9/9/R1c6/9/9/9/9/5K3 b", ""},
		{"rook, cannon protected by a pinned rook", "4k4/2c1r4/9/9/9/9/9/9/2R1R4/5K3 b", "C1xC8"},
		{"rook, advisor protected by its king", "4k4/4a4/9/9/9/9/9/9/4R4/5K3 b", ""},
		{"rook, advisor that the king may not take back for", "4k4/4a4/9/9/9/9/9/9/4R4/4K4 b", "E1xE8"},
		{"rook, pawn on its own side", "3k5/9/9/R1p6/9/9/9/9/9/5K3 b", ""},
		{"rook, pawn across the river", "3k5/9/9/9/9/R1p6/9/9/9/5K3 b", "A4xC4"},
		{"rook, protected pawn across the river", "3k5/2r6/9/9/9/R1p6/9/9/9/5K3 b", ""},
		{"rook, rook", "3k5/9/9/9/R1r6/9/9/9/9/5K3 b", ""},
		{"rook, pinned rook", "3k5/9/9/9/R2r5/9/9/9/9/3R1K3 b", "A5xD5"},
		{"cannon, protected rook", "2rk5/9/9/9/CPr6/9/9/9/9/5K3 b", "A5xC5"},
		{"cannon, protected horse", "2rk5/9/9/9/CPn6/9/9/9/9/5K3 b", ""},
		{"cannon, cannon", "3k5/9/9/9/CPc6/9/9/9/9/5K3 b", ""},
		{"horse, protected rook", "2rk5/9/2r6/9/1N7/9/9/9/9/5K3 b", "B5xC7"},
		{"horse, horse that may take back", "3k5/9/2n6/9/1N7/9/9/9/9/5K3 b", ""},
		{"horse, horse with a blocked leg", "3k5/9/2n6/2P6/1N7/9/9/9/9/5K3 b", "B5xC7"},
		{"horse with a blocked leg", "3k5/9/2n6/1P7/1N7/9/9/9/9/5K3 b", ""},
		{"elephant, protected cannon", "3k5/9/9/9/9/4r4/9/4c4/9/2B2K3 b", "C0xE2"},
		{"advisor, protected horse", "3k5/9/9/9/4r4/9/9/9/4n4/3AK4 b", "D0xE1"},
		{"king", "3k5/9/9/9/9/9/9/9/9/4nK3 b", ""},
		{"pawn", "3k5/9/2n6/2P6/9/9/9/9/9/5K3 b", ""},
		{"pinned rook", "3k5/9/9/9/9/5r3/9/2n2R3/9/5K3 b", ""},
		{"pinned rook, what pins it", "3k5/9/9/9/9/5c3/9/5R3/5N3/5K3 b", "F2xF4"},
	}
	for _, test := range tests {
		p, err := ParseFEN(test.fen)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := chasesOf(&p.state, Red); got != test.want {
			t.Errorf("%s: chases %q, want %q", test.name, got, test.want)
		}
	}
}

// TestProtectedCases compares the answers to "can this piece be retaken" with collected cases.
func TestProtectedCases(t *testing.T) {
	n := 0
	for _, line := range readLines(t, "testdata/protected.tsv") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		p, err := ParseFEN(f[1])
		if err != nil {
			t.Errorf("%s: %v", f[0], err)
			continue
		}
		s := p.state
		scene := s.chaseBoard()
		scene.kingAttackers = Bitboard{}
		if _, able := scene.protectors(mustMove(t, f[2])); able != (f[3] == "yes") {
			t.Errorf("%s: %s of %s can be retaken: %v, want %s", f[0], f[2], f[1], able, f[3])
		}
		n++
	}
	if n != 45 {
		t.Errorf("%d cases, want 45", n)
	}
}

// TestHuntAgreesWithReference finds the chases by trying moves on a plain board.
func TestHuntAgreesWithReference(t *testing.T) {
	playouts(t, 60, func(t *rapid.T, p *Position, b *Board) {
		for _, by := range [2]Side{Red, Black} {
			var list []string
			for _, m := range fromPlain(plainBoard(t, p).Chases(by == Red)) {
				list = append(list, m.From().String()+"x"+m.To().String())
			}
			slices.Sort(list)
			if got, want := chasesOf(&p.state, by), strings.Join(list, " "); got != want {
				t.Fatalf("%v: %v chases %q, want %q", p, by, got, want)
			}
		}
	})
}

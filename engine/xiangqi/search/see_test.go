package search

import (
	"testing"

	"qhsh/engine/xiangqi"
)

func TestExchange(t *testing.T) {
	for _, test := range []struct {
		name, fen, move string
		want            int
	}{
		{"a free pawn", "3k5/9/9/4p4/9/9/9/9/9/4RK3 w", "e0e6", 100},
		{"a pawn whose horse is blocked", "3k5/3n5/3a5/4p4/9/9/9/9/9/4RK3 w", "e0e6", 100},
		{"a pawn that a horse protects", "3k5/3n5/9/4p4/9/9/9/9/9/4RK3 w", "e0e6", -900},
		{"a rook behind takes back", "3k5/3n5/9/4p4/9/9/9/4R4/9/4RK3 w", "e2e6", -460},
		{"a cannon takes a horse that an elephant protects", "3k5/9/4b4/9/2n6/9/2P6/2C6/9/5K3 w", "c2c5", -20},
		{"a cannon without a screen does not take back", "3k5/9/9/9/c1p1R4/9/9/9/9/5K3 w", "e5c5", 100},
		{"a cannon behind a screen takes back", "3k5/9/9/9/cnp1R4/9/9/9/9/5K3 w", "e5c5", -900},
		{"the king protects his advisor", "4k4/4a4/9/9/9/9/9/9/9/4RK3 w", "e0e8", -800},
	} {
		pos, err := xiangqi.ParseFEN(test.fen)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		move, err := pos.Parse(test.move)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		b := pos.Board()
		if !seeGE(b, xiangqi.Move(move), test.want) || seeGE(b, xiangqi.Move(move), test.want+1) {
			t.Errorf("%s: %s does not win exactly %d", test.name, test.move, test.want)
		}
	}
}

package xiangqi

import (
	"errors"
	"testing"

	"qhsh/engine"
)

func TestParseMove(t *testing.T) {
	for _, text := range []string{"H2-E2", "h2-e2", "h2e2", "H2E2", "H2e2", "h2-E2"} {
		m, err := ParseMove(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if m.ICCS() != "H2-E2" || m.UCI() != "h2e2" || m.String() != "H2-E2" {
			t.Errorf("%s: read as %s, %s, %s", text, m.ICCS(), m.UCI(), m)
		}
	}
}

func TestParseMoveErrors(t *testing.T) {
	const want = ": want two points such as H2-E2"
	long := "H2-E2 and then a very long explanation of it, which nobody reads"
	tests := []struct{ text, quoted string }{
		{"", `""`},
		{"x9-e2", `"x9-e2"`},
		{"h2", `"h2"`},
		{"h2e", `"h2e"`},
		{"h2-e", `"h2-e"`},
		{"-h2e2", `"-h2e2"`},
		{"h2e2-", `"h2e2-"`},
		{"h2--e2", `"h2--e2"`},
		{"h2+e2", `"h2+e2"`},
		{"h2e2 ", `"h2e2 "`},
		{"j2e2", `"j2e2"`},
		{"h2ea", `"h2ea"`},
		{"2h2e", `"2h2e"`},
		{"炮二平五", `"炮二平五"`},
		{"h2\x00\x1b", `"h2\x00\x1b"`},
		{long, `"H2-E2 and then a very long explanation o..."`},
	}
	for _, test := range tests {
		_, err := ParseMove(test.text)
		if !errors.Is(err, ErrMalformed) || err.Error() != "move "+test.quoted+want {
			t.Errorf("%q: %v", test.text, err)
		}
	}
}

func TestIllegalMoves(t *testing.T) {
	const middle = "r1bakab1r/9/1cn1c1n2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/4A4/RNB1KAB1R"
	const legal = ""
	tests := []struct{ fen, move, want string }{
		{StartFEN, "x9-e2", `move "x9-e2": want two points such as H2-E2`},
		{StartFEN, "H4-H5", "H4-H5: no piece on H4"},
		{StartFEN, "h9g7", "H9-G7: the piece on H9 is black, red is to move"},
		{middle + " b", "a0a1", "A0-A1: the piece on A0 is red, black is to move"},
		{StartFEN, "h2h2", "H2-H2: start and target are the same"},

		{StartFEN, "a0b2", "A0-B2: illegal rook move"},
		{StartFEN, "a0a5", "A0-A5: the path is blocked at A3"},
		{StartFEN, "i0f0", "I0-F0: the path is blocked at H0"},
		{StartFEN, "a0a3", "A0-A3: own piece on A3"},

		{StartFEN, "b2c3", "B2-C3: illegal cannon move"},
		{StartFEN, "b2b8", "B2-B8: the path is blocked at B7"},
		{StartFEN, "b2b7", "B2-B7: the cannon needs exactly one piece to jump over"},
		{middle + " w", "e2e6", legal},
		{middle + " w", "e2e7", "E2-E7: the cannon needs exactly one piece to jump over"},
		{StartFEN, "b2b0", "B2-B0: own piece on B0"},

		{StartFEN, "h0h2", "H0-H2: illegal horse move"},
		{StartFEN, "b0d1", "B0-D1: the horse is blocked at C0"},
		{"3k5/9/9/9/9/9/9/9/1c7/1NB1K4 w", "b0c2", "B0-C2: the horse is blocked at B1"},
		{"3k5/9/9/9/9/9/9/6p2/9/4K2N1 w", "h0g2", legal},
		{middle + " w", "g2e3", "G2-E3: own piece on E3"},

		{StartFEN, "c0c2", "C0-C2: illegal elephant move"},
		{"3k5/9/9/9/9/2B6/9/9/9/4K4 w", "c4e6", "C4-E6: an elephant cannot cross the river"},
		{"3k5/9/4b4/9/2b6/9/9/9/9/4K4 b", "c5a3", "C5-A3: an elephant cannot cross the river"},
		{"3k5/9/9/9/9/9/9/3n5/9/2B1K4 w", "c0e2", "C0-E2: the king is still in check"},
		{"3k5/9/9/9/9/9/9/3n5/9/2B1K4 w", "c0a2", "C0-A2: the king is still in check"},
		{"3k5/9/9/9/9/9/9/9/3r5/2B1K4 w", "c0e2", "C0-E2: the elephant is blocked at D1"},
		{middle + " w", "c0e2", "C0-E2: own piece on E2"},

		{StartFEN, "d0d1", "D0-D1: an advisor cannot move like that"},
		{StartFEN, "d0c1", "D0-C1: an advisor cannot leave the palace"},
		{middle + " w", "e1f0", "E1-F0: own piece on F0"},

		{StartFEN, "e0e2", "E0-E2: a king cannot move like that"},
		{"4k4/9/9/9/9/9/9/9/9/3K5 w", "d0c0", "D0-C0: a king cannot leave the palace"},
		{"4k4/9/9/9/9/9/9/4p4/9/4K4 w", "e0e9", "E0-E9: a king cannot move like that"},
		{StartFEN, "e0d0", "E0-D0: own piece on D0"},

		{StartFEN, "a3b3", "A3-B3: a pawn moves sideways only after crossing the river"},
		{"3k5/9/9/9/9/P8/9/9/9/4K4 w", "a4b4", "A4-B4: a pawn moves sideways only after crossing the river"},
		{"3k5/9/9/9/P8/9/9/9/9/4K4 w", "a5a4", "A5-A4: a pawn cannot move backwards"},
		{"3k5/9/9/9/9/p8/9/9/9/4K4 b", "a4a5", "A4-A5: a pawn cannot move backwards"},
		{StartFEN, "a3a5", "A3-A5: illegal pawn move"},
		{"3k5/9/9/9/PP7/9/9/9/9/4K4 w", "a5b5", "A5-B5: own piece on B5"},

		{"4k4/9/9/9/9/9/9/9/9/3K5 w", "d0e0", "D0-E0: the kings would face each other"},
		{"5k3/9/9/9/9/9/4r4/9/4A4/4K4 b", "f9e9", legal},
		{"3k5/9/9/9/4r4/9/9/4R4/9/4K4 w", "e2d2", "E2-D2: leaves the king in check"},
		{"3k5/9/9/9/4c4/9/4N4/4R4/9/4K4 w", "e3d5", "E3-D5: leaves the king in check"},
		{"3k5/9/9/9/4c4/9/9/9/9/R3K4 w", "a0a3", legal},
		{"3k5/9/9/9/4c4/9/R8/9/9/4K4 w", "a3e3", "A3-E3: leaves the king in check"},
		{"4k4/9/9/9/4N4/9/9/9/9/4K4 w", "e5d7", "E5-D7: the kings would face each other"},
		{"5k3/9/9/9/9/9/9/3n5/3R5/4K4 w", "d1a1", "D1-A1: leaves the king in check"},
		{"5k3/9/9/9/9/9/9/3n5/3R5/4K4 w", "d1d2", legal},
		{"3k5/9/9/9/4c4/9/4P4/9/9/R3K4 w", "a0a2", "A0-A2: the king is still in check"},
		{"3k5/9/9/9/4r4/9/9/9/9/R3K4 w", "a0a9", "A0-A9: the king is still in check"},
		{"3k5/9/9/9/4r4/9/9/9/9/R3K4 w", "e0e1", "E0-E1: the king is still in check"},
		{"3k5/9/9/9/3r1r3/9/9/9/9/4K4 w", "e0f0", "E0-F0: the king would be in check"},
	}
	for _, test := range tests {
		p, err := ParseFEN(test.fen)
		var m engine.Move
		if err == nil {
			m, err = p.Parse(test.move)
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s %s:\n got %s\nwant %s", test.fen, test.move, got, test.want)
		}
		var illegal *MoveError
		if errors.As(err, &illegal) {
			_, err := p.PlayMove(illegal.Move)
			if err == nil || err.Error() != test.want || illegal.Move.ICCS()+": "+illegal.Reason != test.want {
				t.Errorf("%s %s: PlayMove %v, reason %q", test.fen, test.move, err, illegal.Reason)
			}
		} else if test.want == legal && p.Format(m) == "" {
			t.Errorf("%s %s: not formatted", test.fen, test.move)
		}
	}
}

func TestPlayWhatIsNoMove(t *testing.T) {
	for _, m := range []engine.Move{engine.NoMove, 1 << 15, 127, 1 << 20, 1<<63 + 5} {
		if next, err := Start().Play(m); err == nil || next != nil {
			t.Errorf("%d played to %v", m, next)
		}
	}
}

// FuzzMove parses any text as a move: a move that parses must print as text that parses to
// the same move, and a legal move can be played.
func FuzzMove(f *testing.F) {
	f.Add(StartFEN, "H2-E2")
	f.Add(StartFEN, "h9g7")
	f.Add("3k5/9/9/9/4c4/9/4P4/9/9/R3K4 w - - 0 1", "a0a2")
	f.Add(StartFEN, "\xff\x00")
	f.Fuzz(func(t *testing.T, fen, text string) {
		m, err := ParseMove(text)
		if err != nil {
			checkMessage(t, err.Error())
		} else {
			for _, back := range []string{m.ICCS(), m.UCI()} {
				if again, err := ParseMove(back); err != nil || again != m {
					t.Fatalf("%q prints as %q: %v", text, back, err)
				}
			}
		}
		p, err := ParseFEN(fen)
		if err != nil {
			return
		}
		legal, err := p.Parse(text)
		if err != nil {
			checkMessage(t, err.Error())
			return
		}
		if _, err := p.Play(legal); err != nil || Move(legal) != m {
			t.Fatalf("%v: %s cannot be played: %v", p, text, err)
		}
	})
}

package xiangqi

import (
	"testing"

	"pgregory.net/rapid"
)

// shufflings are positions in which pieces are likely to go to and fro.
var shufflings = []string{
	StartFEN,
	"3k5/9/9/R8/2c6/9/9/9/9/5K3 w",
	"c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w",
	"3ak4/4a4/4b4/9/2n6/P8/9/4B4/4A4/3AK1C2 w",
	"2bak4/4a4/9/9/4P1p2/9/9/9/4A4/3AK1B2 b",
}

// Return finds a move to a position that stood before exactly where one of the legal
// moves leads to one.
func TestReturn(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		b := mustParse(rapid.SampledFrom(shufflings).Draw(t, "fen")).Board()
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 1<<16), 0, 60).Draw(t, "moves") {
			legal := b.AppendMoves(nil)
			if len(legal) == 0 {
				return
			}
			want := map[Move]bool{}
			for _, m := range legal {
				b.Do(m)
				if b.Occurrences() > 0 {
					want[m] = true
				}
				b.Undo()
			}
			m, ok := b.Return()
			if ok != (len(want) > 0) || ok && !want[m] {
				t.Fatalf("%s %v, want one of %v", m.ICCS(), ok, want)
			}
			if ok {
				found++
			}
			switch back := len(b.history) - 2; {
			case n%3 > 0 && back >= 0 && b.history[back].move != passed && b.legal(reverse(b.history[back].move)):
				b.Do(reverse(b.history[back].move))
			case n%50 == 0 && !b.InCheck():
				b.Pass()
			default:
				b.Do(legal[n%len(legal)])
			}
		}
	})
	if found < 100 {
		t.Errorf("only %d positions could be repeated", found)
	}
}

func reverse(m Move) Move { return NewMove(m.To(), m.From()) }

// The table of steps holds each step that a piece can take back, and nothing else.
func TestRetreats(t *testing.T) {
	steps := 0
	for _, m := range retreats.moves {
		if m != 0 {
			steps++
		}
	}
	// For each side: rooks and cannons 765 each, horses 254, elephants 8, advisors 4,
	// the king 12, pawns 40.
	if want := 2 * (2*765 + 254 + 8 + 4 + 12 + 40); steps != want {
		t.Errorf("%d steps, want %d", steps, want)
	}
}

func TestReturnAllocatesNothing(t *testing.T) {
	b := mustParse(StartFEN).Board()
	for _, text := range []string{"h0g2", "h9g7", "g2h0"} {
		m, err := ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		b.Do(m)
	}
	if n := testing.AllocsPerRun(100, func() { b.Return() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if m, ok := b.Return(); !ok || m.ICCS() != "G7-H9" {
		t.Errorf("%s %v, want G7-H9", m.ICCS(), ok)
	}
}

// A Board tells of the draws what its Position is told.
func TestBoardDraws(t *testing.T) {
	for _, test := range []struct {
		fen          string
		rules        RuleSet
		quiet, lacks bool
	}{
		{"3k5/9/9/R8/2c6/9/9/9/9/5K3 w - - 99 80", Asian, false, false},
		{"3k5/9/9/R8/2c6/9/9/9/9/5K3 w - - 100 80", Asian, true, false},
		{"3k5/9/9/R8/2c6/9/9/9/9/5K3 w - - 100 80", Chinese, false, false},
		{"3ak4/9/4b4/9/9/9/9/4B4/9/3AK4 w", Asian, false, true},
		{"3ak4/9/4b4/9/9/9/9/4B4/9/4K1C2 w", Asian, false, false},
		{"3ak4/9/4b4/9/9/9/9/4B4/9/4K1C2 w", Computer, false, true},
	} {
		p := mustParse(test.fen)
		b := p.Board()
		if quiet, lacks := b.QuietLimit(test.rules), b.LacksAttackers(test.rules); quiet != test.quiet || lacks != test.lacks {
			t.Errorf("%s, %v: quiet limit %v, lack of attackers %v", test.fen, test.rules, quiet, lacks)
		}
		if over := test.rules.drawn(p).Over(); over != (test.quiet || test.lacks) {
			t.Errorf("%s, %v: drawn %v", test.fen, test.rules, over)
		}
	}
}

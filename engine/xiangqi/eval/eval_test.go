package eval_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// score returns a position's evaluation for Red.
func score(p *xiangqi.Position) int {
	b := p.Board()
	v := eval.Score(b, eval.New(b))
	if p.Side() == xiangqi.Black {
		return -v
	}
	return v
}

func position(t rapid.TB, fen string) *xiangqi.Position {
	t.Helper()
	p, err := xiangqi.ParseFEN(fen)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return p
}

var starts = []string{
	"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
	"3ak4/4aP3/9/p7p/4R4/4C4/P3c3P/B3B4/4A4/3r1K3 w",
	"4k4/4a4/4b4/9/9/2B6/9/9/4A4/3AK1C2 b",
}

// anyGame returns random moves from one of the starts, and where they lead.
func anyGame(t *rapid.T) (start *xiangqi.Position, moves []xiangqi.Move, end *xiangqi.Position) {
	start = position(t, rapid.SampledFrom(starts).Draw(t, "start"))
	p := start
	for _, n := range rapid.SliceOfN(rapid.IntRange(0, 1<<16), 0, 60).Draw(t, "moves") {
		legal := p.LegalMoves()
		if len(legal) == 0 {
			break
		}
		m := legal[n%len(legal)]
		next, err := p.PlayMove(m)
		if err != nil {
			t.Fatal(err)
		}
		p, moves = next, append(moves, m)
	}
	return start, moves, p
}

// rows returns the ranks of a FEN and the rest of it.
func rows(fen string) (ranks []string, rest string) {
	board, rest, _ := strings.Cut(fen, " ")
	return strings.Split(board, "/"), rest
}

// leftRight mirrors the files.
func leftRight(fen string) string {
	ranks, rest := rows(fen)
	for i, rank := range ranks {
		mirrored := []byte(rank)
		for a, b := 0, len(mirrored)-1; a < b; a, b = a+1, b-1 {
			mirrored[a], mirrored[b] = mirrored[b], mirrored[a]
		}
		ranks[i] = string(mirrored)
	}
	return strings.Join(ranks, "/") + " " + rest
}

// otherColours exchanges the sides.
func otherColours(fen string) string {
	ranks, rest := rows(fen)
	swapped := make([]string, len(ranks))
	for i, rank := range ranks {
		swapped[len(ranks)-1-i] = strings.Map(func(r rune) rune {
			if r >= 'A' && r <= 'Z' {
				return r - 'A' + 'a'
			}
			if r >= 'a' && r <= 'z' {
				return r - 'a' + 'A'
			}
			return r
		}, rank)
	}
	side := "w"
	if strings.HasPrefix(rest, "w") {
		side = "b"
	}
	return strings.Join(swapped, "/") + " " + side
}

func TestScoreIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, _, p := anyGame(t)
		want := score(p)
		if got := score(position(t, leftRight(p.FEN()))); got != want {
			t.Errorf("%s: %d, its mirror image %d", p.FEN(), want, got)
		}
		if got := score(position(t, otherColours(p.FEN()))); got != -want {
			t.Errorf("%s: %d, with the colours exchanged %d", p.FEN(), want, got)
		}
	})
}

// The features of Explain add up to Score.
func TestExplain(t *testing.T) {
	weights := eval.TunedWeights()
	rapid.Check(t, func(t *rapid.T) {
		_, _, p := anyGame(t)
		trace := eval.Explain(p.Board())
		want, placed := 0.0, 0.0
		for f, n := range trace.Count {
			w := weights[f]
			want += float64(n) * (float64(w.Full)*trace.Phase + float64(w.Bare)*(1-trace.Phase))
			if f == 7*50-1 {
				placed = want
			}
		}
		if math.Abs(placed) > 890 {
			return // the terms may not have been looked at
		}
		if got := float64(score(p)); math.Abs(got-want*trace.Scale) > 2 {
			t.Errorf("%s: %v, by its features %v", p.FEN(), got, want*trace.Scale)
		}
	})
}

func TestAccFollowsMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start, moves, _ := anyGame(t)
		b := start.Board()
		acc := eval.New(b)
		for _, m := range moves {
			acc = acc.After(b, m)
			b.Do(m)
			if want := eval.New(b); acc != want {
				t.Fatalf("after %s: %v, summed again %v", m.ICCS(), acc, want)
			}
		}
	})
}

// A side with an obvious advantage has the better score.
func TestScoreSense(t *testing.T) {
	for _, test := range []struct{ name, fen string }{
		{"a rook more", "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"},
		{"a rook against a horse", "2bakab1n/9/9/p3p3p/9/9/P3P3P/9/9/2BAKAB1R b"},
		{"a pawn across the river", "3akab2/9/4b4/9/4P4/9/9/4B4/9/3AKAB2 w"},
		{"the enemy has no advisors", "1nb1k1bnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w"},
		{"an empty-headed cannon", "rnb1kab1r/3ca4/2n6/p1p1p1p1p/4C4/9/P1P1P1P1P/2N1B1N2/9/R1BAKA1R1 w"},
	} {
		if got := score(position(t, test.fen)); got < 40 {
			t.Errorf("%s: %s: %d centipawns", test.name, test.fen, got)
		}
	}
}

// Guards alone cannot win.
func TestScoreUnwinnable(t *testing.T) {
	for _, fen := range []string{
		"3k5/9/9/9/9/2B3B2/9/3A1A3/9/4K4 w",
		"3ak4/4a4/4b4/9/2b6/9/9/9/9/4K1C2 w",
	} {
		if got := score(position(t, fen)); got > 100 || got < -100 {
			t.Errorf("%s: %d centipawns, want next to nothing", fen, got)
		}
	}
}

func TestScoreAllocatesNothing(t *testing.T) {
	b := position(t, starts[0]).Board()
	acc := eval.New(b)
	if n := testing.AllocsPerRun(100, func() { eval.Score(b, acc) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkScore(b *testing.B) {
	board := position(b, starts[0]).Board()
	acc := eval.New(board)
	b.ReportAllocs()
	for b.Loop() {
		eval.Score(board, acc)
	}
}

// By the plain weights a side is ahead by what the pieces are worth that it has more.
func TestUsePlain(t *testing.T) {
	tuned, plain := eval.TunedWeights(), eval.PlainWeights()
	eval.SetWeights(&plain)
	defer eval.SetWeights(&tuned)
	for fen, want := range map[string]int{
		xiangqi.StartFEN:                     0,
		"3k5/9/9/9/9/9/9/9/R8/4K4 w - - 0 1": eval.Value(xiangqi.Rook),
		"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 1": eval.Value(xiangqi.Cannon),
	} {
		pos, err := xiangqi.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := eval.Score(pos.Board(), eval.New(pos.Board())); got != want {
			t.Errorf("%s: %d, want %d", fen, got, want)
		}
	}
}

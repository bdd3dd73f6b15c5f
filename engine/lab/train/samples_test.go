package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"qhsh/engine"
	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/net"
)

// A boardSample is a position in both forms.
type boardSample struct {
	board  *xiangqi.Board
	sample Sample
}

// boards returns positions of random games.
func boards(n int, seed uint64) (list []boardSample) {
	randomBoards(n, seed, func(b *xiangqi.Board, _ *rand.Rand) {
		copied := *b
		list = append(list, boardSample{&copied, newSample(gamefile.Position{Board: b}, engine.Draw)})
	})
	return list
}

// A sample has the features that package net finds on the board.
func TestFeatures(t *testing.T) {
	for _, c := range boards(1000, 4) {
		own, other := c.sample.appendFeatures(nil, nil, false)
		for _, test := range []struct {
			got  []uint16
			side xiangqi.Side
		}{{own, c.board.Side()}, {other, c.board.Side().Other()}} {
			want := net.AppendFeatures(nil, c.board, test.side)
			slices.Sort(want)
			slices.Sort(test.got)
			if !slices.Equal(test.got, want) {
				t.Fatalf("%v sees %d, want %d", test.side, test.got, want)
			}
		}
	}
}

// The mirror image of a sample has the same features unless both kings are on file E, and then those of
// the mirror image.
func TestMirrorImage(t *testing.T) {
	asymmetric := 0
	for _, c := range boards(1000, 5) {
		own, other := c.sample.appendFeatures(nil, nil, false)
		mirrorOwn, mirrorOther := c.sample.appendFeatures(nil, nil, true)
		if c.board.King(xiangqi.Red)%9 == 4 && c.board.King(xiangqi.Black)%9 == 4 {
			if !slices.Equal(own, mirrorOwn) {
				asymmetric++
			}
			image := c.sample
			for i, sq := range image.squares {
				if sq != absent {
					image.squares[i] = sq/9*9 + 8 - sq%9
				}
			}
			own, other = image.appendFeatures(nil, nil, false)
		}
		if !slices.Equal(own, mirrorOwn) || !slices.Equal(other, mirrorOther) {
			t.Fatalf("features %d and %d, in the mirror %d and %d", own, other, mirrorOwn, mirrorOther)
		}
	}
	if asymmetric == 0 {
		t.Error("no position has a mirror image")
	}
}

// Results are those of the side to move.
func TestResults(t *testing.T) {
	red := xiangqi.Start().Board()
	black := xiangqi.Start().Board()
	black.Do(black.AppendMoves(nil)[0])
	for _, test := range []struct {
		board  *xiangqi.Board
		result engine.Outcome
		want   uint8
	}{
		{red, engine.FirstWins, 2},
		{red, engine.Draw, 1},
		{red, engine.SecondWins, 0},
		{black, engine.FirstWins, 0},
		{black, engine.Draw, 1},
		{black, engine.SecondWins, 2},
	} {
		if got := newSample(gamefile.Position{Board: test.board}, test.result).result; got != test.want {
			t.Errorf("%v to move, %v: %d, want %d", test.board.Side(), test.result, got, test.want)
		}
	}
}

// Half of a chance is what the next position leaves, and an unknown score is passed by; without a share all stay as
// they are.
func TestLookAhead(t *testing.T) {
	g := &gamefile.Game{}
	for _, score := range []gamefile.Score{100, gamefile.Unknown, -100, -30000, 30001, 0, -400, gamefile.Unknown} {
		g.Plies = append(g.Plies, gamefile.Ply{Score: score})
	}
	chance := func(score gamefile.Score) float64 { return 1 / (1 + math.Exp(-float64(score)/engine.DefaultScale)) }
	last := chance(-400)
	next := (chance(0) + 1 - last) / 2
	won := (1 + 1 - next) / 2
	lost := (0 + 1 - won) / 2
	worse := (chance(-100) + 1 - lost) / 2
	want := []float64{(chance(100) + worse) / 2, 0, worse, lost, won, next, last, 0}
	for i, score := range lookAhead(g, 0.5) {
		if unknown := g.Plies[i].Score == gamefile.Unknown; unknown != (score == gamefile.Unknown) || !unknown && math.Abs(chance(score)-want[i]) > 0.001 {
			t.Errorf("%d: %d, a chance of %.4f, want %.4f", i, score, chance(score), want[i])
		}
	}
	for i, score := range lookAhead(g, 0) {
		if score != g.Plies[i].Score {
			t.Errorf("%d: %d, want %d", i, score, g.Plies[i].Score)
		}
	}
}

// Neighbours leave the board as it was. Their target is what their score stands for.
func TestNeighbours(t *testing.T) {
	dice, always := rand.New(rand.NewPCG(1, 1)), target{lambda: 1, chances: newChances(300)}
	for _, c := range boards(20, 6) {
		key, ply := c.board.Key(), c.board.Ply()
		list := appendNeighbours(nil, c.board, 10, evaluating(net.NewEvaluator(net.Small())), dice)
		if c.board.Key() != key || c.board.Ply() != ply {
			t.Fatal("the board has changed")
		}
		if len(list) < 5 || len(list) > 10 {
			t.Errorf("%d neighbours, want 10 but for checks", len(list))
		}
		for _, s := range list {
			if want := always.chances[int(s.score)-math.MinInt16]; s.squares == c.sample.squares || always.of(&s) != want {
				t.Errorf("target %g, want %g", always.of(&s), want)
			}
		}
	}
}

// A teacher that searches finds captures, and scores only quiet positions.
func TestSearchingTeacher(t *testing.T) {
	l := Loader{Nodes: 200}
	score, err := l.teacher(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for fen, want := range map[string]bool{
		xiangqi.StartFEN:                         true,
		"3ak4/9/9/9/4r4/4R4/9/9/9/3K5 w - - 0 1": false, // a rook can be taken
		"4k4/R8/9/9/9/9/9/9/9/1R1K5 w - - 0 1":   false, // mate
	} {
		pos, err := xiangqi.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := score(pos.Board()); ok != want || ok && !s.Within(300) {
			t.Errorf("%s: %d, %v, want %v", fen, s, ok, want)
		}
	}
}

// The scale with which the results were drawn is found.
func TestFitScale(t *testing.T) {
	const want = 250
	r := rand.New(rand.NewPCG(1, 1))
	samples := make([]Sample, 100000)
	for i := range samples {
		score := r.NormFloat64() * 500
		samples[i].score = int16(score)
		if r.Float64() < sigmoid(score/want) {
			samples[i].result = 2
		}
	}
	if got := fitScale(samples); math.Abs(got-want) > 5 {
		t.Errorf("scale %g, want about %d", got, want)
	}
}

func TestExp(t *testing.T) {
	for x := -700.0; x < 700; x += 0.37 {
		if got, want := exp(x), math.Exp(x); math.Abs(got/want-1) > 1e-13 {
			t.Errorf("e^%g = %g, want %g", x, got, want)
		}
	}
	if a, b := sigmoid(-1e9), sigmoid(1e9); !(a >= 0 && a < 1e-300 && b == 1) {
		t.Errorf("sigmoid is %g and %g far out", a, b)
	}
}

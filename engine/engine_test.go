package engine_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/quoridor"
)

// TestScoreOrder lists scores from the worst to the best for the side to move.
func TestScoreOrder(t *testing.T) {
	order := []engine.Score{
		{},
		engine.MateIn(0), engine.MateIn(-1), engine.MateIn(-30),
		engine.Centipawns(-1 << 40), engine.Centipawns(-50), engine.Centipawns(0), engine.Centipawns(7), engine.Centipawns(1 << 40),
		engine.MateIn(30), engine.MateIn(2), engine.MateIn(1), engine.MateIn(0).Neg(),
	}
	for i, a := range order {
		for j, b := range order {
			if got, want := a.Compare(b), cmpInt(i, j); got != want {
				t.Errorf("%q compared with %q is %d, want %d", a, b, got, want)
			}
		}
	}
}

func cmpInt(i, j int) int {
	switch {
	case i < j:
		return -1
	case i > j:
		return 1
	}
	return 0
}

func TestScoreText(t *testing.T) {
	for _, c := range []struct {
		score       engine.Score
		text, pawns string
	}{
		{engine.Centipawns(35), "cp 35", "+0.35"},
		{engine.Centipawns(-7), "cp -7", "-0.07"},
		{engine.Centipawns(0), "cp 0", "+0.00"},
		{engine.MateIn(3), "mate 3", "mate 3"},
		{engine.MateIn(-2), "mate -2", "mate -2"},
		{engine.MateIn(0), "mate 0", "mate 0"},
		{engine.MateIn(0).Neg(), "mate +0", "mate +0"},
		{engine.MateIn(3).Neg(), "mate -3", "mate -3"},
	} {
		if got := c.score.Pawns(); got != c.pawns {
			t.Errorf("in pawns a score is %q, want %q", got, c.pawns)
		}
		if got := c.score.String(); got != c.text {
			t.Errorf("score is written %q, want %q", got, c.text)
		}
		if back, err := engine.ParseScore(c.text); err != nil || back != c.score {
			t.Errorf("%q reads as %v, %v", c.text, back, err)
		}
	}
	for _, bad := range []string{"", "cp", "mate", "cp x", "35", "wdl 3", "cp 3 4"} {
		if s, err := engine.ParseScore(bad); err == nil {
			t.Errorf("%q reads as %v", bad, s)
		}
	}
	if got := (engine.Score{}).String() + (engine.Score{}).Pawns(); got != "" {
		t.Errorf("the unknown score is written %q", got)
	}
}

// TestNames ends at a move that is not legal.
func TestNames(t *testing.T) {
	pos, err := enginetest.Stones.Position("9 first 2")
	if err != nil {
		t.Fatal(err)
	}
	move, err := pos.Parse("take 2")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		moves []engine.Move
		want  int
	}{{nil, 0}, {[]engine.Move{move}, 1}, {[]engine.Move{move, 77, move}, 1}, {[]engine.Move{77}, 0}} {
		got := engine.FormatMoves(pos, c.moves)
		if len(got) != c.want || c.want > 0 && got[0] != "take 2" {
			t.Errorf("%v: %q", c.moves, got)
		}
	}
}

func TestScoreProperties(t *testing.T) {
	score := rapid.Custom(func(t *rapid.T) engine.Score {
		n := rapid.Int().Draw(t, "n")
		if rapid.Bool().Draw(t, "mate") {
			return engine.MateIn(n)
		}
		return engine.Centipawns(n)
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := score.Draw(t, "a"), score.Draw(t, "b")
		if a.Neg().Neg() != a {
			t.Fatalf("%v negated twice is %v", a, a.Neg().Neg())
		}
		if a.Compare(b) != b.Neg().Compare(a.Neg()) {
			t.Fatalf("negation does not turn round the order of %v and %v", a, b)
		}
		if back, err := engine.ParseScore(a.String()); err != nil || back != a {
			t.Fatalf("%v reads back as %v, %v", a, back, err)
		}
	})
}

func TestLevels(t *testing.T) {
	levels := engine.NodeLevels()
	var nodes []int64
	for i, level := range levels {
		if level.ID != i+1 {
			t.Errorf("level %d has ID %d", i+1, level.ID)
		}
		nodes = append(nodes, level.Limits.Nodes)
	}
	if want := []int64{100, 400, 1600, 6400, 25600, 102400, 409600, 1638400, 6553600, 26214400}; !slices.Equal(nodes, want) {
		t.Errorf("budgets %v, want %v", nodes, want)
	}
	lim, err := engine.Limits{Level: 2, Nodes: 100, Lines: 3}.AtLevel(levels)
	if err != nil || lim.Nodes != 100 || lim.Level != 0 || lim.Lines != 3 {
		t.Errorf("the tighter budget does not hold: %+v, %v", lim, err)
	}
	_, err = engine.Limits{Level: 11}.AtLevel(levels)
	if err == nil || err.Error() != "no level 11: levels go from 1 to 10" {
		t.Errorf("error %v", err)
	}
}

func TestWithin(t *testing.T) {
	a := engine.Limits{Nodes: 10, Time: time.Second}
	b := engine.Limits{Nodes: 20, Depth: 3, Time: time.Minute}
	got := a.Within(b)
	if got.Nodes != 10 || got.Depth != 3 || got.Time != time.Second {
		t.Errorf("got %+v", got)
	}
}

// TestLeveled shows that a Searcher without levels gets budgets of nodes.
func TestLeveled(t *testing.T) {
	pos, err := enginetest.Stones.Position("9 first 2")
	if err != nil {
		t.Fatal(err)
	}
	s := engine.WithLevels(enginetest.Ranker{})
	lines, err := engine.Best(context.Background(), s, pos, engine.Limits{Level: 3})
	if err != nil || lines[0].Nodes != 1600 {
		t.Errorf("lines %v, error %v", lines, err)
	}
	if _, err := engine.Best(context.Background(), s, pos, engine.Limits{Level: 99}); err == nil {
		t.Error("level 99 exists")
	}
	if again := engine.WithLevels(s); again != s {
		t.Error("a Searcher with levels is wrapped again")
	}
}

func TestNothingToSearch(t *testing.T) {
	over, err := enginetest.Stones.Position("0 first")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Best(context.Background(), enginetest.Ranker{}, over, engine.Limits{}); !errors.Is(err, engine.ErrNoMove) {
		t.Errorf("error %v", err)
	}
}

// TestOtherGame: the error names games, not types.
func TestOtherGame(t *testing.T) {
	for _, c := range []struct {
		pos  engine.Position
		want string
	}{
		{enginetest.Stones.Start(), "the position is of Stones, and the engine plays Quoridor"},
		{nil, "there is no position"},
		{(*quoridor.Position)(nil), "there is no position"},
	} {
		if got := engine.OtherGame(c.pos, quoridor.Default).Error(); got != c.want {
			t.Errorf("%v: %s, want %s", c.pos, got, c.want)
		}
	}
}

// TestWholeMoves: the words of most games are moves; in Quoridor an orientation belongs to the
// vertex before it.
func TestWholeMoves(t *testing.T) {
	words := strings.Fields("E8 B3 h white:c4 VERTICAL B5h v h E2 x")
	if diff := cmp.Diff(words, engine.JoinMoves(enginetest.Stones, words)); diff != "" {
		t.Error(diff)
	}
	want := []string{"E8", "B3 h", "white:c4 VERTICAL", "B5h", "v", "h", "E2", "x"}
	if diff := cmp.Diff(want, engine.JoinMoves(quoridor.Default, words)); diff != "" {
		t.Error(diff)
	}
	if got := engine.JoinMoves(quoridor.Default, nil); len(got) != 0 {
		t.Errorf("of nothing: %q", got)
	}
}

func TestResultInWords(t *testing.T) {
	for _, c := range []struct {
		result    engine.Result
		text, why string
	}{
		{engine.Result{}, "ongoing", "ongoing"},
		{engine.Result{Outcome: engine.Draw}, "draw", "draw"},
		{engine.Result{Outcome: engine.FirstWins, Reason: "checkmate"}, "first wins by checkmate", "checkmate"},
	} {
		if text, why := c.result.String(), c.result.Why(); text != c.text || why != c.why {
			t.Errorf("%#v: %q, %q", c.result, text, why)
		}
	}
}

// TestExpected: the average of outcomes counts a mate as 100 pawns, unless all outcomes win or lose.
func TestExpected(t *testing.T) {
	for _, c := range []struct{ outcomes, want string }{
		{"0.25 cp 100, 0.75 cp -60", "cp -20"},
		{"0.5 cp 20000, 0.5 mate -3", "cp 0"},
		{"0.1 mate -1, 0.9 cp 50", "cp -955"},
		{"0.5 mate 3, 0.5 mate 7", "mate 7"},
		{"0.5 mate -3, 0.5 mate -7", "mate -7"},
		{"0.5 mate +0, 0.5 mate 2", "mate 2"},
		{"0 cp 900, 1 cp 3", "cp 3"},
		{"0 , 1 cp 3", ""},
		{"", ""},
	} {
		got := engine.Expected(func(yield func(float64, engine.Score) bool) {
			for text := range strings.SplitSeq(c.outcomes, ", ") {
				odds, score, _ := strings.Cut(text, " ")
				p, err := strconv.ParseFloat(odds, 64)
				s, _ := engine.ParseScore(score)
				if err != nil || !yield(p, s) {
					return
				}
			}
		})
		if got.String() != c.want {
			t.Errorf("%s: %q, want %q", c.outcomes, got, c.want)
		}
	}
}

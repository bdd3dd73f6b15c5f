package record

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// TestScoreNumber: scores and numbers are converted without loss, within the bounds of training data.
func TestScoreNumber(t *testing.T) {
	for n := -mateNumber; n <= mateNumber; n++ {
		if got := ScoreNumber(scoreOfNumber(n)); got != n {
			t.Fatalf("%d becomes %d", n, got)
		}
	}
	for n := 1; n <= mostMoves; n++ {
		for _, s := range []engine.Score{engine.MateIn(n), engine.MateIn(-n), engine.Centipawns(n), engine.Centipawns(-n)} {
			if got := scoreOfNumber(ScoreNumber(s)); got != s {
				t.Fatalf("%v becomes %v", s, got)
			}
		}
	}
	for s, want := range map[engine.Score]int{
		engine.MateIn(1): 31999, engine.MateIn(-1): -31998, engine.MateIn(0): -32000, engine.MateIn(9999): 31001, engine.MateIn(-9999): -31000,
		engine.Centipawns(99999): 32000, engine.Centipawns(-99999): -32000,
	} {
		if got := ScoreNumber(s); got != want {
			t.Errorf("%v is %d, want %d", s, got, want)
		}
	}
}

// TestScored reads scores from comments of several programs.
func TestScored(t *testing.T) {
	game := xiangqi.Rules
	lib := NewLibrary(Description{Game: game})
	for comment, want := range map[string]string{
		"+0.35/8 1.20s": "cp 35", "-M3/20 0.1s": "mate -3", "+M3": "mate 3", "M7/9 0.003s": "mate 7", "0.00/9 0.10s": "cp 0",
		"-12.05 0.10s": "cp -1205", "book": "", "0.10s": "", "1.5 points": "", "12. good": "", "good\n+0.07/3 1s, checkmate": "cp 7",
		"+1.00/9 0.67s, 0.33s not charged": "cp 100", "[%eval 0.40]": "", "[%eval 0.40]\n+0.35/8": "cp 35",
	} {
		g := NewGame(game.Start())
		g.Root.Append(game.Start().Moves()[0]).Comment = comment
		for s := range lib.Scored(g) {
			if s.Next != nil && s.Score.String() != want {
				t.Errorf("%q: %q, want %q", comment, s.Score, want)
			}
		}
	}
	g := NewGame(game.Start())
	style := lib.style(g)
	g.Tags = Tags{{style.First, "a"}, {style.Second, "b"}, {"Annotator", "x"}}
	n, pos := g.Root, g.Start
	n.Comment = "[%eval 0.10]"
	for _, comment := range []string{"[%eval 0.40,12] fine", "-1.50/3", "[%eval #-2]"} {
		n = n.Append(pos.Moves()[0])
		n.Comment = comment
		pos, _ = pos.Play(n.Move)
	}
	var got []string
	for s := range lib.Scored(g) {
		got = append(got, fmt.Sprintf("%d %v %s %v", s.Ply, s.Position.Turn(), s.By, s.Score))
	}
	const want = "0 first x cp 10\n1 second b cp -150\n2 first a \n3 second x mate 2"
	if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	g.Result = engine.FirstWins
	for _, c := range []struct {
		termination string
		counts      bool
	}{{"", true}, {"adjudication", true}, {"resignation", true}, {"Time forfeit", false}, {"crash", false}} {
		if g.Tags.Set(terminationTag, c.termination); g.ResultCounts() != c.counts {
			t.Errorf("termination %q: counts %v", c.termination, !c.counts)
		}
	}
}

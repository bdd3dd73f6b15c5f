package search_test

import (
	"slices"
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
)

// hunted is a position in which Red, otherwise lost, can give perpetual check with H8-H9 and
// H9-H8.
const hunted = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w"

// decided is the score of a game won by rule.
const decided = eval.Limit

// only returns the limits of a search that allows a single move.
func only(t testing.TB, pos engine.Position, text string, depth int) engine.Limits {
	t.Helper()
	m, err := pos.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	lim := engine.Limits{Depth: depth}
	for _, other := range pos.Moves() {
		if other != m {
			lim.Ban = append(lim.Ban, other)
		}
	}
	return lim
}

// hunt returns hunted after some cycles of checks.
func hunt(t testing.TB, cycles int) engine.Position {
	t.Helper()
	return playAll(t, hunted, slices.Repeat([]string{"h8h9", "f9f8", "h9h8", "f8f9"}, cycles)...)
}

// A move that completes two cycles of checks loses for the checking side.
func TestPerpetualCheckLoses(t *testing.T) {
	e := newEngine(t, small())
	pos := hunt(t, 2)
	cp, ok := best(t, e, pos, only(t, pos, "h8h9", 4))[0].Score.Centipawns()
	if !ok || cp != -decided {
		t.Errorf("checking again is worth %d, want a loss", cp)
	}
}

// The side that gives check may stop after one cycle, so its move is worth what its other moves are.
func TestCheckingAgainLosesNothing(t *testing.T) {
	e := newEngine(t, small())
	pos := hunt(t, 1)
	if cp, ok := best(t, e, pos, only(t, pos, "h8h9", 6))[0].Score.Centipawns(); !ok || cp == -decided {
		t.Errorf("checking again is worth %d, want no loss by rule", cp)
	}
	pos = playAll(t, hunted, "h8h9", "f9f8", "h9h8")
	if score := best(t, e, pos, only(t, pos, "f8f9", 6))[0].Score; score == engine.Centipawns(decided) {
		t.Errorf("the only move is worth %v, want no win by rule", score)
	}
}

// The side in check wins if it completes the second cycle, and does so.
func TestPerpetualCheckIsClaimed(t *testing.T) {
	e := newEngine(t, small())
	pos := playAll(t, hunted, "h8h9", "f9f8", "h9h8", "f8f9", "h8h9", "f9f8", "h9h8")
	line := best(t, e, pos, engine.Limits{Depth: 4})[0]
	if cp, ok := line.Score.Centipawns(); !ok || cp != decided {
		t.Errorf("%s %v, want a win", pos.Format(line.Move()), line.Score)
	}
}

// Red finds that perpetual check does not save the game: the position is lost or Red is mated.
func TestPerpetualCheckIsNoDraw(t *testing.T) {
	e := newEngine(t, small())
	if score := best(t, e, position(t, hunted), engine.Limits{Nodes: 100_000})[0].Score; score.Compare(engine.Centipawns(-100)) > 0 {
		t.Errorf("Red hopes for %v", score)
	}
}

// hounded is a position in which Red can perpetually chase the cannon with A6-A5 and A5-A6.
const hounded = "3k5/9/9/R8/2c6/9/9/9/9/5K3 w"

// A move that completes two cycles of chases loses for the chasing side, unless the chase rule is
// off.
func TestPerpetualChaseLoses(t *testing.T) {
	pos := playAll(t, hounded, slices.Repeat([]string{"a6a5", "c5c6", "a5a6", "c6c5"}, 2)...)
	for _, chases := range []bool{true, false} {
		o := small()
		o.Chases = chases
		score := best(t, newEngine(t, o), pos, only(t, pos, "a6a5", 4))[0].Score
		if cp, ok := score.Centipawns(); !ok || (cp == -decided) != chases || !chases && cp != 0 {
			t.Errorf("chasing again is worth %v with chases judged: %v", score, chases)
		}
	}
}

var mixedCycles = []string{"3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w", "3aka3/4n4/9/9/9/9/9/2C6/6r2/3AK4 b"}

// Two forbidden cycles may make an allowed one: a rook that must not lose sight of a cannon chases it
// or checks as it likes.
func TestMixedCyclesAreNoWin(t *testing.T) {
	for _, fen := range mixedCycles {
		line := best(t, newEngine(t, small()), position(t, fen), engine.Limits{Nodes: 30_000})[0]
		if line.Score != engine.Centipawns(0) {
			t.Errorf("%s: %v, want a draw", fen, line.Score)
		}
	}
}

// A repetition without checks is a draw, whatever the material balance.
func TestQuietRepetitionIsADraw(t *testing.T) {
	e := newEngine(t, small())
	pos := playAll(t, "3k5/9/9/9/9/9/9/9/9/2r1K4 w",
		"e0e1", "c0c3", "e1e0", "c3c0", "e0e1", "c0c3", "e1e0")
	line := best(t, e, pos, only(t, pos, "c3c0", 4))[0]
	if line.Score != engine.Centipawns(0) {
		t.Errorf("repeating is worth %v, want a draw", line.Score)
	}
}

// The winning side avoids repetition if it can.
func TestWinnerAvoidsRepetition(t *testing.T) {
	e := newEngine(t, small())
	pos := playAll(t, "3k5/9/9/9/9/9/9/p8/1r7/4K4 b", "b1b2", "e0f0", "b2b1", "f0e0", "b1b2", "e0f0")
	line := best(t, e, pos, engine.Limits{Nodes: 20_000})[0]
	if xiangqi.Move(line.Move()).UCI() == "b2b1" || line.Score.Compare(engine.Centipawns(500)) < 0 {
		t.Errorf("%s %v", xiangqi.Move(line.Move()).UCI(), line.Score)
	}
}

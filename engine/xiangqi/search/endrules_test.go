package search

import (
	"slices"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval"
	"qhsh/engine/xiangqi/net"
)

// after returns the position after the moves.
func after(t *testing.T, fen string, moves ...string) *xiangqi.Position {
	t.Helper()
	p, err := xiangqi.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range moves {
		m, err := xiangqi.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		if p, err = p.PlayMove(m); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// score returns the score of the only allowed move at a depth.
func score(t *testing.T, o Options, pos *xiangqi.Position, text string, depth int) engine.Score {
	t.Helper()
	o.Hash = 1
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	lim := engine.Limits{Depth: depth}
	for _, m := range pos.LegalMoves() {
		if m.UCI() != text {
			lim.Ban = append(lim.Ban, engine.Move(m))
		}
	}
	answer, err := engine.Best(t.Context(), e, pos, lim)
	if err != nil {
		t.Fatal(err)
	}
	return answer[0].Score
}

// An extra rook is worth nothing if the move limit comes before any capture.
func TestQuietLimit(t *testing.T) {
	const fen = "3k5/9/9/R8/2c6/9/9/9/9/5K3 w - - "
	without := DefaultOptions()
	without.QuietLimit = false
	chinese := DefaultOptions()
	chinese.Rules = xiangqi.Chinese
	for _, test := range []struct {
		name  string
		o     Options
		quiet string
		draw  bool
	}{
		{"at the limit after two plies", DefaultOptions(), "98", true},
		{"without the rule", without, "98", false},
		{"other rules, another limit", chinese, "98", false},
		{"other rules, at their limit", chinese, "118", true},
		{"far from the limit", DefaultOptions(), "20", false},
		{"played on beyond the limit", DefaultOptions(), "100", false},
	} {
		cp, ok := score(t, test.o, after(t, fen+test.quiet+" 90"), "a6b6", 5).Centipawns()
		if !ok || test.draw != (cp == 0) || !test.draw && cp < 300 {
			t.Errorf("%s: %d, want a draw: %v", test.name, cp, test.draw)
		}
	}
}

// TestBeyondTheLimit: a clock beyond the limit of the rules counts as the limit, from a FEN or in a
// game of thousands of plies.
func TestBeyondTheLimit(t *testing.T) {
	const fen = "4ka3/4a4/4b4/9/9/9/9/4B4/4A4/R3KA3 w - - "
	asian := DefaultOptions()
	asian.UseNetwork(net.Small())
	chinese := asian
	chinese.Rules = xiangqi.Chinese
	for _, test := range []struct {
		o     Options
		limit string
	}{{asian, "100"}, {chinese, "120"}} {
		want := scoreAt(t, test.o, after(t, fen+test.limit+" 1"), "a0a5", 4)
		if want < 200 || want == scoreAt(t, test.o, after(t, fen+"0 1"), "a0a5", 4) {
			t.Errorf("%v: %d at the limit, want less than without a clock, and more than 200", test.o.Rules, want)
		}
		for _, clock := range []string{"121", "239", "240", "250", "9999", "99999"} {
			if got := scoreAt(t, test.o, after(t, fen+clock+" 1"), "a0a5", 4); got != want {
				t.Errorf("%v: %d with a clock of %s, want %d as at the limit", test.o.Rules, got, clock, want)
			}
		}
		game := slices.Repeat([]string{"a0a1", "e9d9", "a1a0", "d9e9"}, 1000)
		if got := scoreAt(t, test.o, after(t, fen+"0 1", game...), "a0a5", 4); got != want {
			t.Errorf("%v: %d after %d plies, want %d as at the limit", test.o.Rules, got, len(game), want)
		}
	}
}

// scoreAt is score in centipawns.
func scoreAt(t *testing.T, o Options, pos *xiangqi.Position, text string, depth int) int {
	t.Helper()
	cp, ok := score(t, o, pos, text, depth).Centipawns()
	if !ok {
		t.Fatalf("%v: no score in centipawns", pos)
	}
	return cp
}

// A side that is mated by the move that reaches the limit has lost.
func TestMateBeatsTheLimit(t *testing.T) {
	pos := after(t, "3k5/5R3/9/9/9/9/9/9/9/4K1R2 w - - 99 90")
	if got := score(t, DefaultOptions(), pos, "g0g9", 3); got != engine.MateIn(1) {
		t.Errorf("%v, want mate in 1", got)
	}
}

// A mate is not found beyond the end of the game, in the quiescence search either: an evasion reaches
// the limit, or repeats a position for the third time.
func TestNoMateAfterTheEnd(t *testing.T) {
	const limited, repeated = "2b6/9/4k4/p8/2p3n2/7R1/9/8B/1R3K3/3A5 w - - ", "4k2n1/4a4/9/9/9/8P/9/8R/9/R3KA3 w - - 0 1"
	cycle := strings.Fields("i2d2 h9i7 d2i2 i7h9")
	o := DefaultOptions()
	o.Hash, o.Rules = 1, xiangqi.Computer
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		pos  *xiangqi.Position
		move string
		mate bool
	}{
		{"in time", after(t, limited+"110 60"), "h4h8", true},
		{"too late", after(t, limited+"116 60"), "h4h8", false},
		{"the second time", after(t, repeated, cycle[:2]...), "d2f2", true},
		{"the third time", after(t, repeated, slices.Concat(cycle, cycle[:2])...), "d2f2", false},
	} {
		e.Forget()
		answer, err := engine.Best(t.Context(), e, test.pos, engine.Limits{Depth: 2, Lines: 2})
		if err != nil {
			t.Fatal(err)
		}
		mate := slices.ContainsFunc(answer, func(l engine.Line) bool {
			return xiangqi.Move(l.Move()).UCI() == test.move && l.Score == engine.MateIn(3)
		})
		if mate != test.mate {
			t.Errorf("%s: %s mates in 3: %v, want %v", test.name, test.move, mate, test.mate)
		}
	}
}

// A mate in the table that another game has found is none if this game has repeated the positions on
// the way: it would be drawn.
func TestNoMateOfAnotherGame(t *testing.T) {
	o := DefaultOptions()
	o.Hash = 1
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	moves := strings.Fields("a3c3 d8e8 c3c9 e8d8 c9c8 d8d9 c8c7 d9e9 c7c8 e9d9 c8c7 d9e9")
	repeated := after(t, "9/3k5/9/9/9/9/R8/9/9/5K3 w", moves...)
	others := slices.DeleteFunc(repeated.Moves(), func(m engine.Move) bool { return xiangqi.Move(m).UCI() == "c7c8" })
	for _, test := range []struct {
		pos   *xiangqi.Position
		depth int
		mate  bool
	}{{after(t, repeated.FEN()), 6, true}, {repeated, 1, false}} {
		answer, err := engine.Best(t.Context(), e, test.pos, engine.Limits{Depth: test.depth, Ban: others})
		if err != nil {
			t.Fatal(err)
		}
		if got := answer[0].Score == engine.MateIn(2); got != test.mate {
			t.Errorf("depth %d: %v, want mate in 2: %v", test.depth, answer[0], test.mate)
		}
	}
}

// A mate in the table holds unless a rule can end the game before it: repetition after one in the game,
// or the limit.
func TestMateHolds(t *testing.T) {
	for _, test := range []struct {
		repeated, captured bool
		left               int // plies before the limit
		want               bool
	}{
		{false, false, 9, true},
		{false, false, 8, false},
		{true, false, 9, false},
		{true, true, 9, true},
	} {
		w := begun(t, DefaultOptions())
		w.endRules.repeated, w.endRules.quietLimit = test.repeated, w.board.QuietPlies()+test.left
		ply := w.board.QuietPlies()
		if test.captured {
			ply++
		}
		if got := w.mateHolds(mateScore-ply-9, ply); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// men counts men.
type men struct{ board *xiangqi.Board }

func (m *men) Reset(b *xiangqi.Board) { m.board = b }
func (m *men) Make(xiangqi.Move)      {}
func (m *men) Unmake()                {}

func (m *men) Evaluate() int {
	s := m.board.Side()
	return 100 * (m.board.OccupiedBy(s).Count() - m.board.OccupiedBy(s.Other()).Count())
}

// After the capture of the last attacking piece the game is drawn, whatever defenders are left.
func TestNoAttackers(t *testing.T) {
	pos := after(t, "4k4/9/9/9/9/9/9/B3B4/3p5/3K1A3 w")
	with := DefaultOptions()
	with.Evaluator = func() eval.Evaluator { return new(men) } // networks know that this is a draw
	without := with
	without.NoAttackers = false
	if got := score(t, with, pos, "d0d1", 3); got != engine.Centipawns(0) {
		t.Errorf("%v, want a draw", got)
	}
	if got := score(t, without, pos, "d0d1", 3); got == engine.Centipawns(0) {
		t.Error("also a draw without the rule: the test is not meaningful")
	}
	// Under the Computer rules a lone cannon is not enough.
	cannon := after(t, "3ak4/9/9/9/9/9/9/4B4/3p5/3K2C2 w")
	computer := DefaultOptions()
	computer.Rules = xiangqi.Computer
	if got := score(t, computer, cannon, "d0d1", 3); !computer.Rules.Adjudicate(after(t, cannon.FEN(), "d0d1")).Over() || got != engine.Centipawns(0) {
		t.Errorf("%v, want a draw", got)
	}
}

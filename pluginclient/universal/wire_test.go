package universal_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/pluginclient/universal"
)

var cmpScore = cmp.AllowUnexported(engine.Score{})

// TestReports: "info" lines of real engines, and of none.
func TestReports(t *testing.T) {
	cp, mate := engine.Centipawns, engine.MateIn
	for _, c := range []struct {
		line string
		want universal.Report
	}{
		{ // Stockfish and its kin
			"info depth 12 seldepth 18 multipv 2 score cp -35 nodes 81234 nps 900000 hashfull 12 tbhits 0 time 90 pv h2e2 h9g7",
			universal.Report{Depth: 12, MultiPV: 2, Score: cp(-35), Nodes: 81234, Time: 90 * time.Millisecond, PV: []string{"h2e2", "h9g7"}},
		},
		{"info depth 5 score mate -3 upperbound nodes 7 pv a1a10", universal.Report{Depth: 5, Score: mate(-3), Bound: "upperbound", Nodes: 7, PV: []string{"a1a10"}}},
		{"info depth 5 score cp 20 lowerbound wdl 100 800 100 pv a0a1", universal.Report{Depth: 5, Score: cp(20), Bound: "lowerbound", PV: []string{"a0a1"}}},
		{"info depth 1 score mate 0", universal.Report{Depth: 1, Score: mate(0)}},
		{"info score mate +0 pv a0a1", universal.Report{Score: mate(0).Neg(), PV: []string{"a0a1"}}},
		{"info depth 9 currmove h2e2 currmovenumber 3", universal.Report{Depth: 9}},
		{"info string depth 5 score cp 3 pv h2e2", universal.Report{Text: "depth 5 score cp 3 pv h2e2"}},
		{"info pv h2e2 h9g7 depth 7 score cp 1", universal.Report{Depth: 7, Score: cp(1), PV: []string{"h2e2", "h9g7"}}},
		{"info currline 1 h2e2 refutation h2e2 h9g7 nodes 4", universal.Report{Nodes: 4}},
		// ElephantEye
		{"info depth 8 score 4 pv c3c4 h9g7", universal.Report{Depth: 8, Score: cp(4), PV: []string{"c3c4", "h9g7"}}},
		{"info time 650 nodes 1702065", universal.Report{Nodes: 1702065, Time: 650 * time.Millisecond}},
		{"info depth 1 score 9999 pv a3d3", universal.Report{Depth: 1, Score: mate(1), PV: []string{"a3d3"}}},
		{"info depth 3 score 9997 pv a3a9 d9d8 b2d2", universal.Report{Depth: 3, Score: mate(2), PV: []string{"a3a9", "d9d8", "b2d2"}}},
		{"info depth 4 score -9996", universal.Report{Depth: 4, Score: mate(-2)}},
		{"info depth 4 score -10000", universal.Report{Depth: 4, Score: mate(0)}},
		{"info depth 4 score 9850", universal.Report{Depth: 4, Score: cp(9850)}}, // a win by the rules of repetition
		{"info depth 4 score 10001", universal.Report{Depth: 4, Score: cp(10001)}},
		{"info depth 0 score 1473 pv b2e2", universal.Report{Score: cp(1473), PV: []string{"b2e2"}, Book: true}},
		{"info message book depth 5", universal.Report{Text: "book depth 5"}},
		// nobody
		{"info", universal.Report{}},
		{"info depth", universal.Report{}},
		{"info depth x score y nodes -5 pv", universal.Report{}},
		{"info depth 99999999999 time -1 score cp 99999999999999999999", universal.Report{}},
		{"info score cp", universal.Report{}},
		{"info pv yes no", universal.Report{}},
		{"\tinfo   depth\t3 ", universal.Report{Depth: 3}},
	} {
		got, ok := universal.ParseReport(c.line, universal.DefaultMate)
		if diff := cmp.Diff(c.want, got, cmpScore, cmp.Transformer("", func(pv []string) string { return strings.Join(pv, " ") })); diff != "" || !ok {
			t.Errorf("%s: -want +got:\n%s", c.line, diff)
		}
	}
	for _, line := range []string{"", "bestmove h2e2", "information", "readyok", "depth 5"} {
		if _, ok := universal.ParseReport(line, 0); ok {
			t.Errorf("%q is taken for a report", line)
		}
	}
}

// TestPlainScores: what can be told by a plain number reads back the same.
func TestPlainScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(-9799, 9799).Draw(t, "cp")
		m := rapid.IntRange(-50, 50).Draw(t, "mate")
		for _, s := range []engine.Score{engine.Centipawns(n), engine.MateIn(m), engine.MateIn(0).Neg()} {
			r, _ := universal.ParseReport("info score "+universal.FormatPlain(s, universal.DefaultMate), universal.DefaultMate)
			if r.Score != s {
				t.Errorf("%v is written as %s and reads as %v", s, universal.FormatPlain(s, universal.DefaultMate), r.Score)
			}
		}
		far := rapid.IntRange(51, 1000).Draw(t, "far")
		if got := universal.FormatPlain(engine.MateIn(far), 10000) + universal.FormatPlain(engine.MateIn(-far), 10000); got != "9901-9900" {
			t.Errorf("far mates are written %s", got)
		}
		if got := universal.FormatPlain(engine.Centipawns(9799+far), 10000) + universal.FormatPlain(engine.Centipawns(-9799-far), 10000); got != "9799-9799" {
			t.Errorf("high scores are written %s", got)
		}
	})
}

// TestBestMoves: the last line of a search, in all its forms.
func TestBestMoves(t *testing.T) {
	for _, c := range []struct {
		line string
		want universal.Best
	}{
		{"bestmove h2e2", universal.Best{Move: "h2e2"}},
		{"bestmove h2e2 ponder h9g7", universal.Best{Move: "h2e2", Ponder: "h9g7"}},
		{"  BestMove  H2E2  ", universal.Best{Move: "H2E2"}},
		{"bestmove h2e2 ponder h9g7 draw", universal.Best{Move: "h2e2", Ponder: "h9g7", Draw: true}},
		{"bestmove h2e2 resign", universal.Best{Move: "h2e2", Resign: true}},
		{"bestmove h2e2 ponder (none)", universal.Best{Move: "h2e2"}},
		{"bestmove h2e2 ponder", universal.Best{Move: "h2e2"}},
		{"bestmove (none)", universal.Best{}},
		{"bestmove 0000", universal.Best{}},
		{"bestmove null", universal.Best{}},
		{"bestmove resign", universal.Best{Resign: true}},
		{"bestmove", universal.Best{}},
		{"nobestmove", universal.Best{}},
	} {
		got, ok := universal.ParseBest(c.line)
		if diff := cmp.Diff(c.want, got); diff != "" || !ok {
			t.Errorf("%q: -want +got:\n%s", c.line, diff)
		}
	}
	for _, line := range []string{"", "info bestmove h2e2", "bestmoves h2e2"} {
		if _, ok := universal.ParseBest(line); ok {
			t.Errorf("%q is taken for a best move", line)
		}
	}
}

// TestOptions: the lines by which real engines offer their options.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		line string
		want universal.Option
	}{
		{"option name Move Overhead type spin default 10 min 0 max 5000", universal.Option{Name: "Move Overhead", Kind: universal.Spin, Default: "10", Max: 5000}},
		{"option name Clear Hash type button", universal.Option{Name: "Clear Hash", Kind: universal.Button}},
		{"option name Debug Log File type string default ", universal.Option{Name: "Debug Log File", Kind: universal.String}},
		{"option name EvalFile type string default my min file.nnue", universal.Option{Name: "EvalFile", Kind: universal.String, Default: "my min file.nnue"}},
		{"option name UCI_Variant type combo default chess var chess var xiangqi", universal.Option{Name: "UCI_Variant", Kind: universal.Combo, Default: "chess", Vars: []string{"chess", "xiangqi"}}},
		{"option hashsize type spin min 16 max 1024 default 16", universal.Option{Name: "hashsize", Kind: universal.Spin, Default: "16", Min: 16, Max: 1024}},
		{"option usemillisec type check default true", universal.Option{Name: "usemillisec", Kind: universal.Check, Default: "true"}},
		{"option idle type combo var none var very small default none", universal.Option{Name: "idle", Kind: universal.Combo, Default: "none", Vars: []string{"none", "very small"}}},
		{"option name type type check default false", universal.Option{Name: "type", Kind: universal.Check, Default: "false"}},
		{"option newgame type button", universal.Option{Name: "newgame", Kind: universal.Button}},
	} {
		got, ok := universal.ParseOption(c.line)
		if diff := cmp.Diff(c.want, got); diff != "" || !ok {
			t.Errorf("%s: -want +got:\n%s", c.line, diff)
		}
	}
	for _, line := range []string{"", "option", "option name", "option type check default true", "option name X type odd", "options a type check"} {
		if got, ok := universal.ParseOption(line); ok {
			t.Errorf("%q is taken for %+v", line, got)
		}
	}
}

// TestClock: no game is lost on time by a move that takes what it was given and a little
// more, and what there is is used.
func TestClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := func(name string, least, most int) time.Duration {
			return time.Duration(rapid.IntRange(least, most).Draw(t, name)) * time.Millisecond
		}
		total, increment, late := ms("total", 2000, 600_000), ms("increment", 30, 5000), ms("late", 0, 29)
		period := rapid.IntRange(0, 60).Draw(t, "period")
		if period == 0 {
			period = 1 << 30
		}
		left := total
		for move := range 200 {
			c := universal.Clock{Left: left, Increment: increment}
			if period < 1<<30 {
				c.Moves = period - move%period
			}
			budget := c.Budget()
			if left -= budget + late; budget <= 0 || left <= 0 {
				t.Fatalf("move %d: %v of %+v leaves %v", move+1, budget, c, left)
			}
			left += increment
			if c.Moves == 1 {
				left += total
			}
		}
	})
	for _, c := range []struct {
		clock universal.Clock
		want  time.Duration
	}{
		{universal.Clock{Left: 60*time.Second + 30*time.Millisecond}, 2 * time.Second},
		{universal.Clock{Left: 60*time.Second + 30*time.Millisecond, Increment: time.Second}, 2750 * time.Millisecond},
		{universal.Clock{Left: 10*time.Second + 30*time.Millisecond, Moves: 10}, time.Second},
		{universal.Clock{Left: 10*time.Second + 30*time.Millisecond, Moves: 1}, 10 * time.Second},
		{universal.Clock{Left: 130 * time.Millisecond, Increment: 10 * time.Second}, 50 * time.Millisecond},
		{universal.Clock{}, time.Millisecond},
		{universal.Clock{Left: -time.Second}, time.Millisecond},
	} {
		if got := c.clock.Budget(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.clock, got, c.want)
		}
	}
}

package uci_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/pluginclient/protocol/uci"
)

var cmpScore = cmp.AllowUnexported(engine.Score{})

// TestReports parses "info" lines of real engines, and invalid ones.
func TestReports(t *testing.T) {
	cp, mate := engine.Centipawns, engine.MateIn
	for _, c := range []struct {
		line string
		want uci.InfoLine
	}{
		{ // Stockfish and its derivatives
			"info depth 12 seldepth 18 multipv 2 score cp -35 nodes 81234 nps 900000 hashfull 12 tbhits 0 time 90 pv h2e2 h9g7",
			uci.InfoLine{Depth: 12, MultiPV: 2, Score: cp(-35), Nodes: 81234, PV: []string{"h2e2", "h9g7"}, Details: engine.Details{SelDepth: 18, HashFull: 12}},
		},
		{"info depth 5 score mate -3 upperbound nodes 7 pv a1a10", uci.InfoLine{Depth: 5, Score: mate(-3), Bound: "upperbound", Nodes: 7, PV: []string{"a1a10"}}},
		{"info depth 5 score cp 20 lowerbound wdl 100 800 100 pv a0a1", uci.InfoLine{Depth: 5, Score: cp(20), Bound: "lowerbound", PV: []string{"a0a1"}, Details: engine.Details{WDL: engine.WDL{100, 800, 100}}}},
		{"info depth 5 wdl 100 800 90 tbhits 3 hashfull -1", uci.InfoLine{Depth: 5, Details: engine.Details{TBHits: 3}}},
		{"info depth 5 wdl 100 800", uci.InfoLine{Depth: 5, Malformed: "a number behind wdl"}},
		{"info depth 1 score mate 0", uci.InfoLine{Depth: 1, Score: mate(0)}},
		{"info score mate +0 pv a0a1", uci.InfoLine{Score: mate(0).Neg(), PV: []string{"a0a1"}}},
		{"info depth 9 currmove h2e2 currmovenumber 3", uci.InfoLine{Depth: 9}},
		{"info string depth 5 score cp 3 pv h2e2", uci.InfoLine{}},
		{"info pv h2e2 h9g7 depth 7 score cp 1", uci.InfoLine{Depth: 7, Score: cp(1), PV: []string{"h2e2", "h9g7"}}},
		{"info currline 1 h2e2 refutation h2e2 h9g7 nodes 4", uci.InfoLine{Nodes: 4}},
		// ElephantEye
		{"info depth 8 score 4 pv c3c4 h9g7", uci.InfoLine{Depth: 8, Score: cp(4), PV: []string{"c3c4", "h9g7"}, PlainScore: true}},
		{"info time 650 nodes 1702065", uci.InfoLine{Nodes: 1702065}},
		{"info depth 1 score 9999 pv a3d3", uci.InfoLine{Depth: 1, Score: mate(1), PV: []string{"a3d3"}, PlainScore: true}},
		{"info depth 3 score 9997 pv a3a9 d9d8 b2d2", uci.InfoLine{Depth: 3, Score: mate(2), PV: []string{"a3a9", "d9d8", "b2d2"}, PlainScore: true}},
		{"info depth 4 score -9996", uci.InfoLine{Depth: 4, Score: mate(-2), PlainScore: true}},
		{"info depth 4 score -10000", uci.InfoLine{Depth: 4, Score: mate(0), PlainScore: true}},
		{"info depth 4 score 9850", uci.InfoLine{Depth: 4, Score: cp(9850), PlainScore: true}}, // a win by the rules of repetition
		{"info depth 4 score 10001", uci.InfoLine{Depth: 4, Score: cp(10001), PlainScore: true}},
		{"info depth 0 score 1473 pv b2e2", uci.InfoLine{Score: cp(1473), PV: []string{"b2e2"}, Book: true, PlainScore: true}},
		{"info message book depth 5", uci.InfoLine{}},
		// invalid
		{"info", uci.InfoLine{}},
		{"info depth", uci.InfoLine{Malformed: "a number behind depth"}},
		{"info depth x score y nodes -5 pv", uci.InfoLine{PlainScore: true, Malformed: "a number behind depth"}},
		{"info depth 99999999999 time -1 score cp 99999999999999999999", uci.InfoLine{Malformed: "a number behind time"}},
		{"info score cp", uci.InfoLine{Malformed: "a number behind score"}},
		{"info pv yes no", uci.InfoLine{}},
		{"info depth -1 multipv 0", uci.InfoLine{Malformed: "a number behind depth"}},
		{"info multipv 0 depth 2", uci.InfoLine{Depth: 2, Malformed: "a number behind multipv"}},
		{"info depth 2 nps fast", uci.InfoLine{Depth: 2, Malformed: "a number behind nps"}},
		{"info depth 2 score mate soon", uci.InfoLine{Depth: 2, Malformed: "a number behind score"}},
		{"info depth 2 pv h2e2 Rb8 h9g7", uci.InfoLine{Depth: 2, PV: []string{"h2e2"}, Malformed: "moves behind pv"}},
		{"\tinfo   depth\t3 ", uci.InfoLine{Depth: 3}},
	} {
		got, ok := uci.ParseInfoLine(c.line, uci.DefaultMate)
		if diff := cmp.Diff(c.want, got, cmpScore, cmp.Transformer("", func(pv []string) string { return strings.Join(pv, " ") })); diff != "" || !ok {
			t.Errorf("%s: -want +got:\n%s", c.line, diff)
		}
	}
	for _, line := range []string{"", "bestmove h2e2", "information", "readyok", "depth 5"} {
		if _, ok := uci.ParseInfoLine(line, 0); ok {
			t.Errorf("%q is taken for a report", line)
		}
	}
}

// TestPlainScores: a score that a plain number can express is formatted so that it parses to the
// same score.
func TestPlainScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(-9799, 9799).Draw(t, "cp")
		m := rapid.IntRange(-50, 50).Draw(t, "mate")
		for _, s := range []engine.Score{engine.Centipawns(n), engine.MateIn(m), engine.MateIn(0).Neg()} {
			r, _ := uci.ParseInfoLine("info score "+uci.FormatPlainScore(s, uci.DefaultMate), uci.DefaultMate)
			if r.Score != s {
				t.Errorf("%v is written as %s and reads as %v", s, uci.FormatPlainScore(s, uci.DefaultMate), r.Score)
			}
		}
		far := rapid.IntRange(51, 1000).Draw(t, "far")
		if got := uci.FormatPlainScore(engine.MateIn(far), 10000) + uci.FormatPlainScore(engine.MateIn(-far), 10000); got != "9901-9900" {
			t.Errorf("far mates are written %s", got)
		}
		if got := uci.FormatPlainScore(engine.Centipawns(9799+far), 10000) + uci.FormatPlainScore(engine.Centipawns(-9799-far), 10000); got != "9799-9799" {
			t.Errorf("high scores are written %s", got)
		}
	})
}

// TestBestMoves parses the lines that end a search, in all forms.
func TestBestMoves(t *testing.T) {
	for _, c := range []struct {
		line string
		want uci.BestMove
	}{
		{"bestmove h2e2", uci.BestMove{Move: "h2e2"}},
		{"bestmove h2e2 ponder h9g7", uci.BestMove{Move: "h2e2", Ponder: "h9g7"}},
		{"  BestMove  H2E2  ", uci.BestMove{Move: "H2E2"}},
		{"bestmove h2e2 ponder h9g7 draw", uci.BestMove{Move: "h2e2", Ponder: "h9g7", Offer: engine.DrawOffer}},
		{"bestmove h2e2 resign", uci.BestMove{Move: "h2e2", Offer: engine.Resignation}},
		{"bestmove h2e2 ponder (none)", uci.BestMove{Move: "h2e2"}},
		{"bestmove h2e2 ponder", uci.BestMove{Move: "h2e2"}},
		{"bestmove (none)", uci.BestMove{}},
		{"bestmove 0000", uci.BestMove{}},
		{"bestmove null", uci.BestMove{}},
		{"bestmove resign", uci.BestMove{Offer: engine.Resignation}},
		{"bestmove", uci.BestMove{}},
		{"nobestmove", uci.BestMove{}},
	} {
		got, ok := uci.ParseBestMove(c.line)
		if diff := cmp.Diff(c.want, got); diff != "" || !ok {
			t.Errorf("%q: -want +got:\n%s", c.line, diff)
		}
	}
	for _, line := range []string{"", "info bestmove h2e2", "bestmoves h2e2"} {
		if _, ok := uci.ParseBestMove(line); ok {
			t.Errorf("%q is taken for a best move", line)
		}
	}
}

// TestOptions parses the option lines of real engines.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		line string
		want uci.Option
	}{
		{"option name Move Overhead type spin default 10 min 0 max 5000", uci.Option{Name: "Move Overhead", Kind: uci.Spin, Default: "10", Max: 5000}},
		{"option name Clear Hash type button", uci.Option{Name: "Clear Hash", Kind: uci.Button}},
		{"option name Debug Log File type string default ", uci.Option{Name: "Debug Log File", Kind: uci.String}},
		{"option name EvalFile type string default my min file.nnue", uci.Option{Name: "EvalFile", Kind: uci.String, Default: "my min file.nnue"}},
		{"option name UCI_Variant type combo default chess var chess var xiangqi", uci.Option{Name: "UCI_Variant", Kind: uci.Combo, Default: "chess", Vars: []string{"chess", "xiangqi"}}},
		{"option hashsize type spin min 16 max 1024 default 16", uci.Option{Name: "hashsize", Kind: uci.Spin, Default: "16", Min: 16, Max: 1024}},
		{"option usemillisec type check default true", uci.Option{Name: "usemillisec", Kind: uci.Check, Default: "true"}},
		{"option idle type combo var none var very small default none", uci.Option{Name: "idle", Kind: uci.Combo, Default: "none", Vars: []string{"none", "very small"}}},
		{"option name type type check default false", uci.Option{Name: "type", Kind: uci.Check, Default: "false"}},
		{"option newgame type button", uci.Option{Name: "newgame", Kind: uci.Button}},
	} {
		got, ok := uci.ParseOption(c.line)
		if diff := cmp.Diff(c.want, got); diff != "" || !ok {
			t.Errorf("%s: -want +got:\n%s", c.line, diff)
		}
	}
	for _, line := range []string{"", "option", "option name", "option type check default true", "option name X type odd", "options a type check"} {
		if got, ok := uci.ParseOption(line); ok {
			t.Errorf("%q is taken for %+v", line, got)
		}
	}
}

// TestClock: no game is lost on time by a move that takes slightly longer than its budget, and the
// time is used.
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
			c := uci.Clock{Left: left, Increment: increment}
			if period < 1<<30 {
				c.Moves = period - move%period
			}
			budget := c.Budget(uci.DefaultOverhead)
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
		clock uci.Clock
		want  time.Duration
	}{
		{uci.Clock{Left: 60*time.Second + 30*time.Millisecond}, 2 * time.Second},
		{uci.Clock{Left: 60*time.Second + 30*time.Millisecond, Increment: time.Second}, 2750 * time.Millisecond},
		{uci.Clock{Left: 10*time.Second + 30*time.Millisecond, Moves: 10}, time.Second},
		{uci.Clock{Left: 10*time.Second + 30*time.Millisecond, Moves: 1}, 10 * time.Second},
		{uci.Clock{Left: 130 * time.Millisecond, Increment: 10 * time.Second}, 50 * time.Millisecond},
		{uci.Clock{}, time.Millisecond},
		{uci.Clock{Left: -time.Second}, time.Millisecond},
	} {
		if got := c.clock.Budget(uci.DefaultOverhead); got != c.want {
			t.Errorf("%+v: %v, want %v", c.clock, got, c.want)
		}
	}
}

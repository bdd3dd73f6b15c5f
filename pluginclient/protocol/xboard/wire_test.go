package xboard

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/xiangqitest"
	"qhsh/pluginclient/protocol/uci"
)

var (
	cmpScore = cmp.AllowUnexported(engine.Score{})
	cmpPV    = cmp.Transformer("", func(pv []string) string { return strings.Join(pv, " ") })
)

// TestThoughts parses thinking output of real engines, the protocol's examples, and other lines.
func TestThoughts(t *testing.T) {
	cp, mate := engine.Centipawns, engine.MateIn
	for _, c := range []struct {
		line string
		want uci.InfoLine
	}{
		{"9 156 1084 48000 h2e2 h9g7", uci.InfoLine{Depth: 9, Score: cp(156), Nodes: 48000, PV: []string{"h2e2", "h9g7"}}},
		{"1 29 0 78 1 78000 0\t b9c7", uci.InfoLine{Details: engine.Details{SelDepth: 1}, Depth: 1, Score: cp(29), Nodes: 78, PV: []string{"b9c7"}}}, // Fairy-Stockfish
		{" 6   -7    1\t 4109 12 273933 5\t h9g7  c2c6", uci.InfoLine{Details: engine.Details{SelDepth: 12, TBHits: 5}, Depth: 6, Score: cp(-7), Nodes: 4109, PV: []string{"h9g7", "c2c6"}}},
		{"9 156 1084 48000 Nf3 Nc6 Nc3 Nf6", uci.InfoLine{Depth: 9, Score: cp(156), Nodes: 48000, UnreadablePV: true}},
		{"  4    109      14   1435  1. h2e2 h9g7 2. Hg2 dxe4", uci.InfoLine{Depth: 4, Score: cp(109), Nodes: 1435, PV: []string{"h2e2", "h9g7"}}},
		{"4 9 14 1435 1. ... h9g7 2. h0g2", uci.InfoLine{Depth: 4, Score: cp(9), Nodes: 1435, PV: []string{"h9g7", "h0g2"}}},
		{" 2.     14    3       38   d1d2  e8e7 ", uci.InfoLine{Depth: 2, Score: cp(14), Nodes: 38, PV: []string{"d1d2", "e8e7"}}}, // GNU Chess
		{"10&     34    7   135944   a3a4", uci.InfoLine{Depth: 10, Score: cp(34), Nodes: 135944, PV: []string{"a3a4"}}},
		{"5 100003 0 9 a0a1", uci.InfoLine{Depth: 5, Score: mate(3), Nodes: 9, PV: []string{"a0a1"}}},
		{"5 -100002 0 9 a0a1?", uci.InfoLine{Depth: 5, Score: mate(-2), Nodes: 9, PV: []string{"a0a1"}, Bound: "upperbound"}},
		{"5 12 0 9 a0a1 a9a8 !", uci.InfoLine{Depth: 5, Score: cp(12), Nodes: 9, PV: []string{"a0a1", "a9a8"}, Bound: "lowerbound"}},
		{"5 -100000 0 9", uci.InfoLine{Depth: 5, Score: mate(0), Nodes: 9}},
		{"5 100000 0 9", uci.InfoLine{Depth: 5, Score: mate(0).Neg(), Nodes: 9}},
		{"0 0 0 0 (h2e2 64%, b2e2 24%)", uci.InfoLine{UnreadablePV: true}},
		{"5 99999999999 -4 -1 a1a10", uci.InfoLine{Depth: 5, Score: mate(1<<30 - 100000), PV: []string{"a1a10"}}},
	} {
		got, ok := parseThought(c.line, noMate)
		if diff := cmp.Diff(c.want, got, cmpScore, cmpPV); diff != "" || !ok {
			t.Errorf("%q: -want +got:\n%s", c.line, diff)
		}
	}
	for _, line := range []string{"", "move a0a1", "1", "1 2 3", "1 2 3 x", "x 1 2 3", "1.2 3 4 5 a0a1", "-1 2 3 4", "# 1 2 3 4", "stat01: 1 2 3 4 5", "1-0 {White mates}"} {
		if got, ok := parseThought(line, noMate); ok {
			t.Errorf("%q is taken for %+v", line, got)
		}
	}
}

// TestThoughtsReadBack: the client parses what the server writes.
func TestThoughtsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pos := xiangqitest.RandomPosition(t, 20)
		score := engine.Centipawns(rapid.IntRange(-99_999, 99_999).Draw(t, "cp"))
		if rapid.Bool().Draw(t, "mate") {
			score = engine.MateIn(rapid.IntRange(-500, 500).Draw(t, "moves"))
		}
		line := engine.Line{
			Moves: pos.Moves()[:1], Score: score,
			Depth: rapid.IntRange(1, 200).Draw(t, "depth"), Nodes: rapid.Int64Range(0, 1<<50).Draw(t, "nodes"),
		}
		text := formatThought(line, 1234*time.Millisecond)
		got, ok := parseThought(text, noMate)
		want := uci.InfoLine{Depth: line.Depth, Score: score, Nodes: line.Nodes, PV: []string{uci.FromZero.Format(line.Move())}}
		if diff := cmp.Diff(want, got, cmpScore, cmpPV); diff != "" || !ok || strings.Fields(text)[2] != "123" {
			t.Fatalf("%q: -want +got:\n%s", text, diff)
		}
	})
	if got := formatScore(engine.Score{}) + " " + formatScore(engine.Centipawns(1<<29)) + " " + formatScore(engine.Centipawns(-1<<29)); got != "0 99999 -99999" {
		t.Errorf("odd scores are written %s", got)
	}
	if got := parseScore(9997, 10000); got != engine.MateIn(2) {
		t.Errorf("with the option mate a score of 9997 is %v", got)
	}
}

// TestBest parses the lines that end a search.
func TestBest(t *testing.T) {
	for _, c := range []struct {
		line string
		want uci.BestMove
	}{
		{"move h2e2", uci.BestMove{Move: "h2e2"}},
		{" move  Nf3 ", uci.BestMove{Move: "Nf3"}},
		{"1. ... h2e2", uci.BestMove{Move: "h2e2"}},
		{"12 ... h2e2", uci.BestMove{Move: "h2e2"}},
		{"resign", uci.BestMove{Claim: "resign"}},
		{"0-1 {White resigns}", uci.BestMove{Claim: "0-1 {White resigns}"}},
		{"1/2-1/2 {Draw by repetition}", uci.BestMove{Claim: "1/2-1/2 {Draw by repetition}"}},
		{"1-0", uci.BestMove{Claim: "1-0"}},
		{"White mates", uci.BestMove{Claim: "White mates"}},
		{"Black resigns", uci.BestMove{Claim: "Black resigns"}},
		{"game is a draw by the 50 move rule", uci.BestMove{Claim: "game is a draw by the 50 move rule"}},
		{"checkmate", uci.BestMove{Claim: "checkmate"}},
	} {
		got, ok := parseBest(c.line)
		if diff := cmp.Diff(c.want, got); diff != "" || !ok {
			t.Errorf("%q: -want +got:\n%s", c.line, diff)
		}
	}
	for _, line := range []string{"", "move", "move a b", "1 h2e2", "x ... h2e2", "1-0x", "Whitehall", "usermove h2e2", "# move h2e2", "Hint: h2e2", "resigned"} {
		if got, ok := parseBest(line); ok {
			t.Errorf("%q is taken for %+v", line, got)
		}
	}
}

// TestFeatures parses features as real engines send them.
func TestFeatures(t *testing.T) {
	for _, c := range []struct {
		text string
		want []feature
	}{
		{`ping=1 setboard=1`, []feature{{"ping", "1"}, {"setboard", "1"}}},
		{`myname="A B=c" done=1`, []feature{{"myname", "A B=c"}, {"done", "1"}}},
		{`variants="normal,xiangqi"  option="Hash -spin 1 1 2"`, []feature{{"variants", "normal,xiangqi"}, {"option", "Hash -spin 1 1 2"}}},
		{`odd words ping=1 done`, []feature{{"ping", "1"}}},
		{`myname="not closed ping=1`, []feature{{"myname", "not closed ping=1"}}},
		{`a= b=2`, []feature{{"a", ""}, {"b", "2"}}},
		{`=3`, []feature{{"", "3"}}},
		{``, nil},
	} {
		if diff := cmp.Diff(c.want, parseFeatures(c.text), cmp.AllowUnexported(feature{})); diff != "" {
			t.Errorf("%q: -want +got:\n%s", c.text, diff)
		}
	}
	for text, want := range map[string]bool{"ping=1": true, "san=1": false, "san=0": true, "teleport=1": false, "done=1": true} {
		if got := parseFeatures(text)[0].accepts(); got != want {
			t.Errorf("%s is accepted: %v", text, got)
		}
	}
}

// TestOptions parses options of each kind, and invalid ones.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		text string
		want uci.Option
	}{
		{"Move Overhead -spin 10 0 5000", uci.Option{Name: "Move Overhead", Kind: uci.Spin, Default: "10", Max: 5000}},
		{"Contempt -slider -5 -10 10", uci.Option{Name: "Contempt", Kind: uci.Spin, Default: "-5", Min: -10, Max: 10}},
		{"Own Book -check 1", uci.Option{Name: "Own Book", Kind: uci.Check, Default: "true"}},
		{"Own Book -check 0", uci.Option{Name: "Own Book", Kind: uci.Check, Default: "false"}},
		{"Style -combo Solid /// *Very Risky /// Mad", uci.Option{Name: "Style", Kind: uci.Combo, Default: "Very Risky", Vars: []string{"Solid", "Very Risky", "Mad"}}},
		{"Style -combo Solid /// Risky", uci.Option{Name: "Style", Kind: uci.Combo, Default: "Solid", Vars: []string{"Solid", "Risky"}}},
		{"Book -file my book.dat", uci.Option{Name: "Book", Kind: uci.String, Default: "my book.dat"}},
		{"Log -string", uci.Option{Name: "Log", Kind: uci.String}},
		{"Clear Hash -button", uci.Option{Name: "Clear Hash", Kind: uci.Button}},
		{"Save -save", uci.Option{Name: "Save", Kind: uci.Button}},
	} {
		got, ok := parseOption(c.text)
		if diff := cmp.Diff(c.want, got); diff != "" || !ok {
			t.Errorf("%q: -want +got:\n%s", c.text, diff)
		}
		again, ok := parseOption(formatOption(got))
		if diff := cmp.Diff(got, again); diff != "" || !ok {
			t.Errorf("%q, written %q: -read +read again:\n%s", c.text, formatOption(got), diff)
		}
	}
	for _, text := range []string{"", "-check 1", "Hash", "Hash -spin", "Hash -spin 1 2", "Hash -spin x 1 2", "Hash -odd 1"} {
		if got, ok := parseOption(text); ok {
			t.Errorf("%q is taken for %+v", text, got)
		}
	}
}

// TestSetup parses the engine's start position and the letters of its FENs.
func TestSetup(t *testing.T) {
	const own = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1"
	for _, c := range []struct {
		text, start string
		letters     Letters
	}{
		{"(PH.R.AE..K.C.ph.r.ae..k.c.) 9x10+0_xiangqi rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1", xiangqi.StartFEN, HorseElephant},
		{"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", xiangqi.StartFEN, KnightBishop},
		{"(PNBRQKpnbrqk) " + own, own, ""},
		{"(PNBRQKpnbrqk) 8x8+0_fairy rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w KQkq - 0 1", "", ""},
		{"", "", ""},
	} {
		b := protocol{game: game{start: xiangqi.Start(), pos: xiangqi.Start()}}
		b.applySetup(c.text)
		got := ""
		if b.pos != nil {
			got = b.pos.String()
		}
		if got != c.start || b.setupLetters != c.letters {
			t.Errorf("%q: %q with letters %q", c.text, got, b.setupLetters)
		}
	}
}

package uci

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/plugintest"
)

// TestReference: the reference has the words that the server knows, and no others.
func TestReference(t *testing.T) {
	for _, d := range []*Dialect{UCI, UCCI} {
		known := append(slices.Collect(maps.Keys(d.commands)), d.Greeting, "isready", "setoption", "position", "go", "stop", "ponderhit", "quit")
		if diff := cmp.Diff(slices.Sorted(slices.Values(known)), plugintest.Words(d.Language())); diff != "" {
			t.Errorf("%s: -server +reference\n%s", d.Name, diff)
		}
	}
}

// TestUCIAsk: all limits go into one "go"; a ban is sent as the other moves.
func TestUCIAsk(t *testing.T) {
	pos, err := xiangqi.ParseFEN("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	up, side := engine.Move(pos.LegalMoves()[0]), engine.Move(pos.LegalMoves()[1])
	next, err := pos.PlayMove(xiangqi.Move(up))
	if err != nil {
		t.Fatal(err)
	}
	const fen = "position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"
	for _, c := range []struct {
		q    SearchRequest
		want string
	}{
		{SearchRequest{Pos: pos}, fen + "|go infinite"},
		{SearchRequest{Pos: pos, Limits: engine.Limits{Nodes: 5, Depth: 3, Time: 1500 * time.Microsecond}}, fen + "|go depth 3 nodes 5 movetime 1"},
		{SearchRequest{Pos: pos, Limits: engine.Limits{Time: time.Microsecond}}, fen + "|go movetime 1"},
		{SearchRequest{Pos: pos, Limits: engine.Limits{Time: time.Second}, Ponder: true}, fen + "|go ponder"},
		{SearchRequest{Pos: pos, Limits: engine.Limits{Ban: []engine.Move{up}}}, fen + "|go infinite searchmoves " + FromZero.Format(side)},
		{SearchRequest{Pos: pos, Limits: engine.Limits{Ban: []engine.Move{side}, Depth: 1}, Ranks: FromOne}, fen + "|go depth 1 searchmoves " + FromOne.Format(up)},
		{SearchRequest{Pos: next, Limits: engine.Limits{Depth: 1}}, fen + " moves " + FromZero.Format(up) + "|go depth 1"},
	} {
		asked := UCI.protocol().GoCommand(c.q)
		if got := strings.Join(append(asked.Setup, asked.Line), "|"); got != c.want {
			t.Errorf("%+v: %s\nwant %s", c.q, got, c.want)
		}
		if asked.SentTime == c.q.Ponder || asked.HasMoves != strings.Contains(c.want, "moves") {
			t.Errorf("%+v: %+v", c.q, asked)
		}
	}
}

func TestUCISetOption(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"Move Overhead", "30", "name Move Overhead value 30"},
		{"Clear Hash", "", "name Clear Hash"},
		{"Book File", "my book.bin", "name Book File value my book.bin"},
	} {
		line := UCI.SetOption(c.name, c.value)
		name, value := UCI.readSetOption(strings.Fields(line)[1:])
		if line != "setoption "+c.want || name != c.name || value != c.value {
			t.Errorf("%q reads as %q=%q", line, name, value)
		}
	}
}

// TestDemands: an engine for several games is set to Xiangqi, if it supports it.
func TestDemands(t *testing.T) {
	option := Option{Name: "UCI_Variant", Kind: Combo, Vars: []string{"chess", "xiangqi"}}
	settings, err := UCI.Required(OptionList{option})
	if err != nil || len(settings) != 1 || settings[0] != (Setting{Name: "UCI_Variant", Value: "xiangqi"}) {
		t.Errorf("%v, %v", settings, err)
	}
	option.Vars = option.Vars[:1]
	if _, err := UCI.Required(OptionList{option}); err == nil {
		t.Error("an engine without xiangqi is taken")
	}
	if settings, err := UCI.Required(nil); err != nil || settings != nil {
		t.Errorf("%v, %v", settings, err)
	}
}

// TestUCIReadGoNumbers: a number that is too large is clamped, and one that is invalid sets no limit.
func TestUCIReadGoNumbers(t *testing.T) {
	const huge = "99999999999999999999"
	for _, c := range []struct {
		text string
		want Go
	}{
		{"nodes 5", Go{Limits: engine.Limits{Nodes: 5}}},
		{"nodes " + huge, Go{Limits: engine.Limits{Nodes: 1 << 37}}},
		{"nodes -" + huge, Go{Limits: engine.Limits{Nodes: 1}}},
		{"nodes 0", Go{Limits: engine.Limits{Nodes: 1}}},
		{"nodes xyz", Go{Infinite: true}},
		{"nodes", Go{Infinite: true}},
		{"nodes xyz depth 3", Go{Limits: engine.Limits{Depth: 3}}},
		{"nodes depth 3", Go{Limits: engine.Limits{Depth: 3}}},
		{"depth " + huge, Go{Limits: engine.Limits{Depth: 1 << 20}}},
		{"depth xyz", Go{Infinite: true}},
		{"depth 0", Go{Limits: engine.Limits{Depth: 1}}},
		{"movetime " + huge, Go{Limits: engine.Limits{Time: 1 << 37 * time.Millisecond}}},
		{"movetime 1e3", Go{Infinite: true}},
		{"movetime xyz nodes 7", Go{Limits: engine.Limits{Nodes: 7}}},
		{"wtime xyz", Go{Infinite: true}},
		{"wtime -" + huge, Go{Limits: engine.Limits{Time: time.Millisecond}}},
		{"mate xyz", Go{Infinite: true}},
		{"mate " + huge, Go{Mate: 1 << 20}},
		{"perft", Go{Perft: 1, Infinite: true}},
		{"perft " + huge, Go{Perft: 20, Infinite: true}},
		{"wtime 60000 movestogo 0", Go{Limits: engine.Limits{Time: 1999 * time.Millisecond}}},
	} {
		got := (&serverConn{dialect: UCI, overhead: 30}).readGo(strings.Fields(c.text))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("go %s (-want +got):\n%s", c.text, diff)
		}
	}
}

// TestUCCIAsk: one limit goes into "go", and the position starts after the last capture.
func TestUCCIAsk(t *testing.T) {
	exact := OptionList{{Name: "usemillisec", Kind: Check}}
	pos := xiangqi.Start()
	i0i1 := engine.Move(move(t, "I0-I1"))
	for _, c := range []struct {
		q           SearchRequest
		want        string
		nodes, time bool // sent
	}{
		{SearchRequest{Pos: pos}, "go infinite", false, false},
		{SearchRequest{Pos: pos, Limits: engine.Limits{Nodes: 5, Depth: 3, Time: time.Second}, Options: exact}, "go depth 3", false, false},
		{SearchRequest{Pos: pos, Limits: engine.Limits{Nodes: 5, Time: time.Second}, Options: exact}, "go nodes 5", true, false},
		{SearchRequest{Pos: pos, Limits: engine.Limits{Time: 1500 * time.Millisecond}, Options: exact}, "go time 1500 movestogo 1", false, true},
		{SearchRequest{Pos: pos, Limits: engine.Limits{Time: 1500 * time.Millisecond}}, "go time 2 movestogo 1", false, false},
		{SearchRequest{Pos: pos, Limits: engine.Limits{Time: time.Microsecond}, Options: exact, Ponder: true}, "go ponder time 1 movestogo 1", false, true},
		{SearchRequest{Pos: pos, Limits: engine.Limits{Ban: []engine.Move{i0i1}}, Ranks: FromOne}, "banmoves i1i2|go infinite", false, false},
	} {
		asked := UCCI.protocol().GoCommand(c.q)
		if got := strings.Join(append(asked.Setup, asked.Line), "|"); got != "position startpos|"+c.want {
			t.Errorf("%+v: %s", c.q, got)
		}
		if asked.SentNodes != c.nodes || asked.SentTime != c.time || asked.HasMoves != (c.q.Ban != nil) {
			t.Errorf("%+v: %+v", c.q, asked)
		}
	}
}

func move(t *testing.T, text string) xiangqi.Move {
	t.Helper()
	m, err := xiangqi.ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSinceCapture tests the example of section 4 of the specification.
func TestSinceCapture(t *testing.T) {
	const (
		start   = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
		capture = "rnbakabnr/9/1c2c4/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2"
	)
	pos := xiangqi.Start()
	for i, c := range []struct{ move, start, moves string }{
		{"", start, ""},
		{"H2-E2", start, " h2e2"},
		{"H7-E7", start, " h2e2 h7e7"},
		{"E2-E6", capture, ""},
		{"D9-E8", capture, " d9e8"},
	} {
		if i > 0 {
			next, err := pos.PlayMove(move(t, c.move))
			if err != nil {
				t.Fatal(err)
			}
			pos = next
		}
		from, moves := UCCI.history(pos)
		if from.String() != c.start || FromZero.Join(moves) != c.moves {
			t.Errorf("after %s: %v%s", c.move, from, FromZero.Join(moves))
		}
	}
}

// TestLongGame: at most 1,000 moves are sent, since ElephantEye accepts 1,024 moves and 8,191
// bytes.
func TestLongGame(t *testing.T) {
	pos := xiangqi.Start()
	for i := range 2100 {
		next, err := pos.PlayMove(move(t, [...]string{"A0-A1", "A9-A8", "A1-A0", "A8-A9"}[i%4]))
		if err != nil {
			t.Fatal(err)
		}
		pos = next
	}
	asked := UCCI.protocol().GoCommand(SearchRequest{Pos: pos})
	if n := strings.Count(asked.Setup[0], " a"); n != maxMoves || len(asked.Setup[0]) > 8191 {
		t.Errorf("%d moves in %d bytes", n, len(asked.Setup[0]))
	}
}

// TestUCCISetOption: an option's name is one word.
func TestUCCISetOption(t *testing.T) {
	name, value := UCCI.readSetOption(strings.Fields(UCCI.SetOption("bookfiles", "a.dat; b.dat"))[1:])
	if name != "bookfiles" || value != "a.dat; b.dat" {
		t.Errorf("%q=%q", name, value)
	}
	if name, value := UCCI.readSetOption(nil); name != "" || value != "" {
		t.Errorf("%q=%q", name, value)
	}
	if line := UCCI.SetOption("newgame", ""); line != "setoption newgame" {
		t.Error(line)
	}
}

// TestUCCIReadGoNumbers: a number that is too large is clamped, and one that is invalid sets no limit.
func TestUCCIReadGoNumbers(t *testing.T) {
	const huge = "99999999999999999999"
	for _, c := range []struct {
		text string
		want Go
	}{
		{"nodes 5", Go{Limits: engine.Limits{Nodes: 5}}},
		{"nodes " + huge, Go{Limits: engine.Limits{Nodes: 1 << 37}}},
		{"nodes 0", Go{Limits: engine.Limits{Nodes: 1}}},
		{"nodes xyz", Go{Infinite: true}},
		{"nodes", Go{Infinite: true}},
		{"nodes xyz depth 3", Go{Limits: engine.Limits{Depth: 3}}},
		{"depth " + huge, Go{Limits: engine.Limits{Depth: 1 << 20}}},
		{"depth xyz", Go{Infinite: true}},
		{"time xyz", Go{Infinite: true}},
		{"time " + huge, Go{Limits: engine.Limits{Time: 1 << 30 * time.Millisecond}}},
		{"time 5000 movestogo xyz", Go{Limits: engine.Limits{Time: 5 * time.Second}}},
		{"time 0", Go{Limits: engine.Limits{Time: time.Millisecond}}},
		{"depth 0", Go{Nothing: true, Infinite: true}},
	} {
		got := (&serverConn{dialect: UCCI}).readGo(strings.Fields(c.text))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("go %s (-want +got):\n%s", c.text, diff)
		}
	}
}

// FuzzOption: a parsed option is formatted so that it parses to the same option, and accepts its
// own default.
func FuzzOption(f *testing.F) {
	f.Add("option name Move Overhead type spin default 10 min 0 max 5000")
	f.Add("option idle type combo var none var small default none")
	f.Add("option name x type string default <empty>")
	f.Add("option type combo type combo")
	f.Add("option name type check")
	f.Fuzz(func(t *testing.T, line string) {
		opt, ok := ParseOption(line)
		if !ok {
			return
		}
		again, ok := ParseOption(UCI.formatOption(opt))
		if !ok || again.Name != opt.Name || again.Kind != opt.Kind || len(again.Vars) != len(opt.Vars) {
			t.Errorf("%q reads as %+v, and that as %+v", line, opt, again)
		}
		if value, err := opt.Value(opt.Default); err == nil {
			if back, err := opt.Value(value); err != nil || back != value {
				t.Errorf("%q: %q becomes %q, %v", line, value, back, err)
			}
		}
	})
}

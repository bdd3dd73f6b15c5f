package uci

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/ucifamily"
)

// TestAsk: all limits go into one "go"; a ban is sent as the other moves.
func TestAsk(t *testing.T) {
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
		q    ucifamily.SearchRequest
		want string
	}{
		{ucifamily.SearchRequest{Pos: pos}, fen + "|go infinite"},
		{ucifamily.SearchRequest{Pos: pos, Nodes: 5, Depth: 3, Time: 1500 * time.Microsecond}, fen + "|go depth 3 nodes 5 movetime 1"},
		{ucifamily.SearchRequest{Pos: pos, Time: time.Microsecond}, fen + "|go movetime 1"},
		{ucifamily.SearchRequest{Pos: pos, Time: time.Second, Ponder: true}, fen + "|go ponder"},
		{ucifamily.SearchRequest{Pos: pos, Ban: []engine.Move{up}}, fen + "|go infinite searchmoves " + ucifamily.FromZero.Format(side)},
		{ucifamily.SearchRequest{Pos: pos, Ban: []engine.Move{side}, Depth: 1, Ranks: ucifamily.FromOne}, fen + "|go depth 1 searchmoves " + ucifamily.FromOne.Format(up)},
		{ucifamily.SearchRequest{Pos: next, Depth: 1}, fen + " moves " + ucifamily.FromZero.Format(up) + "|go depth 1"},
	} {
		asked := goCommand(c.q)
		if got := strings.Join(append(asked.Setup, asked.Line), "|"); got != c.want {
			t.Errorf("%+v: %s\nwant %s", c.q, got, c.want)
		}
		if asked.SentTime == c.q.Ponder || asked.HasMoves != strings.Contains(c.want, "moves") {
			t.Errorf("%+v: %+v", c.q, asked)
		}
	}
}

func TestSetOption(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"Move Overhead", "30", "name Move Overhead value 30"},
		{"Clear Hash", "", "name Clear Hash"},
		{"Book File", "my book.bin", "name Book File value my book.bin"},
	} {
		line := setOption(c.name, c.value)
		name, value := readSetOption(strings.Fields(line)[1:])
		if line != "setoption "+c.want || name != c.name || value != c.value {
			t.Errorf("%q reads as %q=%q", line, name, value)
		}
	}
}

// TestDemands: an engine for several games is set to Xiangqi, if it supports it.
func TestDemands(t *testing.T) {
	option := ucifamily.Option{Name: "UCI_Variant", Kind: ucifamily.Combo, Vars: []string{"chess", "xiangqi"}}
	settings, err := requiredOptions(ucifamily.OptionList{option})
	if err != nil || len(settings) != 1 || settings[0] != (ucifamily.Setting{Name: "UCI_Variant", Value: "xiangqi"}) {
		t.Errorf("%v, %v", settings, err)
	}
	option.Vars = option.Vars[:1]
	if _, err := requiredOptions(ucifamily.OptionList{option}); err == nil {
		t.Error("an engine without xiangqi is taken")
	}
	if settings, err := requiredOptions(nil); err != nil || settings != nil {
		t.Errorf("%v, %v", settings, err)
	}
}

// TestReadGoNumbers: a number that is too large is clamped, and one that is invalid sets no limit.
func TestReadGoNumbers(t *testing.T) {
	const huge = "99999999999999999999"
	for _, c := range []struct {
		text string
		want ucifamily.Go
	}{
		{"nodes 5", ucifamily.Go{Limits: engine.Limits{Nodes: 5}}},
		{"nodes " + huge, ucifamily.Go{Limits: engine.Limits{Nodes: 1 << 37}}},
		{"nodes -" + huge, ucifamily.Go{Limits: engine.Limits{Nodes: 1}}},
		{"nodes 0", ucifamily.Go{Limits: engine.Limits{Nodes: 1}}},
		{"nodes xyz", ucifamily.Go{Infinite: true}},
		{"nodes", ucifamily.Go{Infinite: true}},
		{"nodes xyz depth 3", ucifamily.Go{Limits: engine.Limits{Depth: 3}}},
		{"nodes depth 3", ucifamily.Go{Limits: engine.Limits{Depth: 3}}},
		{"depth " + huge, ucifamily.Go{Limits: engine.Limits{Depth: 1 << 20}}},
		{"depth xyz", ucifamily.Go{Infinite: true}},
		{"depth 0", ucifamily.Go{Limits: engine.Limits{Depth: 1}}},
		{"movetime " + huge, ucifamily.Go{Limits: engine.Limits{Time: 1 << 37 * time.Millisecond}}},
		{"movetime 1e3", ucifamily.Go{Infinite: true}},
		{"movetime xyz nodes 7", ucifamily.Go{Limits: engine.Limits{Nodes: 7}}},
		{"wtime xyz", ucifamily.Go{Infinite: true}},
		{"wtime -" + huge, ucifamily.Go{Limits: engine.Limits{Time: time.Millisecond}}},
		{"mate xyz", ucifamily.Go{Infinite: true}},
		{"mate " + huge, ucifamily.Go{Mate: 1 << 20}},
		{"perft", ucifamily.Go{Perft: 1, Infinite: true}},
		{"perft " + huge, ucifamily.Go{Perft: 20, Infinite: true}},
		{"wtime 60000 movestogo 0", ucifamily.Go{Limits: engine.Limits{Time: 1999 * time.Millisecond}}},
	} {
		got := readGo(new(ucifamily.ServerConn), strings.Fields(c.text))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("go %s (-want +got):\n%s", c.text, diff)
		}
	}
}

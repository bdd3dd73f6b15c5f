package ucci

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/ucifamily"
)

// TestAsk: one limit goes into "go", and the position starts after the last capture.
func TestAsk(t *testing.T) {
	exact := ucifamily.OptionList{{Name: "usemillisec", Kind: ucifamily.Check}}
	pos := xiangqi.Start()
	i0i1 := engine.Move(move(t, "I0-I1"))
	for _, c := range []struct {
		q           ucifamily.SearchRequest
		want        string
		nodes, time bool // sent
	}{
		{ucifamily.SearchRequest{Pos: pos}, "go infinite", false, false},
		{ucifamily.SearchRequest{Pos: pos, Nodes: 5, Depth: 3, Time: time.Second, Options: exact}, "go depth 3", false, false},
		{ucifamily.SearchRequest{Pos: pos, Nodes: 5, Time: time.Second, Options: exact}, "go nodes 5", true, false},
		{ucifamily.SearchRequest{Pos: pos, Time: 1500 * time.Millisecond, Options: exact}, "go time 1500 movestogo 1", false, true},
		{ucifamily.SearchRequest{Pos: pos, Time: 1500 * time.Millisecond}, "go time 2 movestogo 1", false, false},
		{ucifamily.SearchRequest{Pos: pos, Time: time.Microsecond, Options: exact, Ponder: true}, "go ponder time 1 movestogo 1", false, true},
		{ucifamily.SearchRequest{Pos: pos, Ban: []engine.Move{i0i1}, Ranks: ucifamily.FromOne}, "banmoves i1i2|go infinite", false, false},
	} {
		asked := goCommand(c.q)
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
		from, moves := sinceCapture(pos)
		if from.String() != c.start || ucifamily.FromZero.Join(moves) != c.moves {
			t.Errorf("after %s: %v%s", c.move, from, ucifamily.FromZero.Join(moves))
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
	asked := goCommand(ucifamily.SearchRequest{Pos: pos})
	if n := strings.Count(asked.Setup[0], " a"); n != maxMoves || len(asked.Setup[0]) > 8191 {
		t.Errorf("%d moves in %d bytes", n, len(asked.Setup[0]))
	}
}

// TestSetOption: an option's name is one word.
func TestSetOption(t *testing.T) {
	name, value := readSetOption(strings.Fields(setOption("bookfiles", "a.dat; b.dat"))[1:])
	if name != "bookfiles" || value != "a.dat; b.dat" {
		t.Errorf("%q=%q", name, value)
	}
	if name, value := readSetOption(nil); name != "" || value != "" {
		t.Errorf("%q=%q", name, value)
	}
	if line := setOption("newgame", ""); line != "setoption newgame" {
		t.Error(line)
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
		{"nodes 0", ucifamily.Go{Limits: engine.Limits{Nodes: 1}}},
		{"nodes xyz", ucifamily.Go{Infinite: true}},
		{"nodes", ucifamily.Go{Infinite: true}},
		{"nodes xyz depth 3", ucifamily.Go{Limits: engine.Limits{Depth: 3}}},
		{"depth " + huge, ucifamily.Go{Limits: engine.Limits{Depth: 1 << 20}}},
		{"depth xyz", ucifamily.Go{Infinite: true}},
		{"time xyz", ucifamily.Go{Infinite: true}},
		{"time " + huge, ucifamily.Go{Limits: engine.Limits{Time: 1 << 30 * time.Millisecond}}},
		{"time 5000 movestogo xyz", ucifamily.Go{Limits: engine.Limits{Time: 5 * time.Second}}},
		{"time 0", ucifamily.Go{Limits: engine.Limits{Time: time.Millisecond}}},
		{"depth 0", ucifamily.Go{Nothing: true, Infinite: true}},
	} {
		got := readGo(new(ucifamily.ServerConn), strings.Fields(c.text))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("go %s (-want +got):\n%s", c.text, diff)
		}
	}
}

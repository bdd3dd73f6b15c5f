package xboard_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/search"
	"qhsh/engine/xiangqi/xiangqitest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
)

// program returns a server of s whose output passes through out, if that is not nil.
func program(s engine.Searcher, out func(line string) string) pluginclient.Program {
	inner := xboard.InProcess(uci.ServerConfig{Searcher: s, Name: "served"})
	m := &plugintest.FaultyEngine{Engine: inner.Start, OnReply: out}
	return pluginclient.Program{Name: inner.Name, Start: m.Start}
}

func dial(t testing.TB, p pluginclient.Program) *uci.Client {
	t.Helper()
	client, err := xboard.Dial(t.Context(), p, xboard.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// without removes features from the server's introduction: a boolean feature is set to 0, an option
// is omitted.
func without(features ...string) func(string) string {
	return func(line string) string {
		if !strings.HasPrefix(line, "feature ") {
			return line + "\n"
		}
		for _, f := range features {
			if strings.Contains(line, `"`+f+" -") {
				return ""
			}
			line = strings.ReplaceAll(line, " "+f+"=1", " "+f+"=0")
		}
		return line + "\n"
	}
}

// TestLaw: a client of a server of s returns what s returns, whatever features the engine has.
func TestLaw(t *testing.T) {
	embedded, err := search.New(search.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		s      engine.Searcher
		hidden []string
	}{
		{"ranker", engine.WithLevels(enginetest.Ranker{Depth: 3}), nil},
		{"embedded engine", embedded, nil},
		{"moves without a word", engine.WithLevels(enginetest.Ranker{Depth: 3}), []string{"usermove"}},
		{"every game in a new process", engine.WithLevels(enginetest.Ranker{Depth: 3}), []string{"reuse"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := dial(t, program(c.s, without(c.hidden...)))
			defer client.Close()
			rapid.Check(t, func(t *rapid.T) {
				pos := xiangqitest.RandomPosition(t, 40)
				plugintest.CheckRoundTrip(t, client, c.s, pos, randomLimits(t, pos))
			})
		})
	}
}

// randomLimits returns limits that the protocol can express, without a time limit.
func randomLimits(t *rapid.T, pos engine.Position) engine.Limits {
	lim := engine.Limits{Lines: rapid.IntRange(0, 7).Draw(t, "lines"), Ban: plugintest.RandomBan(t, pos)}
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		lim.Nodes = rapid.Int64Range(1, 4000).Draw(t, "nodes")
	case 1:
		lim.Depth = rapid.IntRange(1, 3).Draw(t, "depth")
	case 2:
		lim.Level = rapid.IntRange(1, 3).Draw(t, "level")
	}
	return lim
}

// TestLawOneGame: without a new game between searches, the board is updated by undo and moves.
func TestLawOneGame(t *testing.T) {
	client := dial(t, program(enginetest.Ranker{}, nil))
	defer client.Close()
	rapid.Check(t, func(t *rapid.T) {
		pos := xiangqitest.RandomPosition(t, 40)
		for range 3 {
			lim := engine.Limits{Depth: 1, Ban: plugintest.RandomBan(t, pos)}
			plugintest.CheckSameLines(t, plugintest.SearchLines(t, enginetest.Ranker{}, pos, lim), plugintest.SearchLines(t, client, pos, lim), pos, lim)
			pos = nearby(t, pos)
		}
	})
}

// nearby returns a position some moves before or after.
func nearby(t *rapid.T, pos engine.Position) engine.Position {
	board := pos.(*xiangqi.Position)
	for range rapid.IntRange(0, 25).Draw(t, "back") {
		if board.Before() != nil {
			board = board.Before()
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "on") {
		next, err := board.PlayMove(rapid.SampledFrom(board.LegalMoves()).Draw(t, "move"))
		if err != nil || next.Result().Over() {
			break
		}
		board = next
	}
	return board
}

// TestLawLeavingOut: without exclude, moves are excluded by asking for more lines; without MultiPV,
// lines are requested one by one. The ranker's result does not depend on the number of lines.
func TestLawLeavingOut(t *testing.T) {
	for _, hidden := range []string{"exclude", "MultiPV"} {
		t.Run(hidden, func(t *testing.T) {
			client := dial(t, program(enginetest.Ranker{}, without(hidden)))
			defer client.Close()
			rapid.Check(t, func(t *rapid.T) {
				pos := xiangqitest.RandomPosition(t, 40)
				lim := randomLimits(t, pos)
				lim.Nodes, lim.Level, lim.Depth = 0, 0, 1 // nodes would be split between the searches
				plugintest.CheckRoundTrip(t, client, enginetest.Ranker{}, pos, lim)
			})
		})
	}
}

// TestLawLateClaim: a result that the engine reports shortly after its move is not taken for the
// answer to the next search.
func TestLawLateClaim(t *testing.T) { synctest.Test(t, testLawLateClaim) }

func testLawLateClaim(t *testing.T) {
	late := without("MultiPV")
	client := dial(t, program(enginetest.Ranker{}, func(line string) string {
		if strings.HasPrefix(line, "1-0 ") {
			time.Sleep(10 * time.Millisecond)
		}
		return late(line)
	}))
	defer client.Close()
	pos, err := xiangqi.ParseFEN("3k5/9/9/9/9/9/R8/1R7/9/4K4 w - - 0 1") // three moves mate
	if err != nil {
		t.Fatal(err)
	}
	plugintest.CheckRoundTrip(t, client, enginetest.Ranker{}, pos, engine.Limits{Depth: 1, Lines: len(pos.Moves())})
}

// TestLawTime: Time ends a search, in whole seconds or not, and so does a limit on nodes that is
// reached first.
func TestLawTime(t *testing.T) {
	for depth := range 6 {
		for _, part := range []time.Duration{time.Second / 2, time.Second / 4} {
			t.Run(fmt.Sprint(depth, part), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := enginetest.Ranker{Depth: 5, Pace: time.Second}
					client := dial(t, program(s, nil))
					defer client.Close()
					limit := time.Duration(depth)*time.Second + part
					plugintest.CheckRoundTrip(t, client, s, xiangqi.Start(), engine.Limits{Lines: 2, Time: limit})
					plugintest.CheckRoundTrip(t, client, s, xiangqi.Start(), engine.Limits{Lines: 2, Time: limit, Nodes: 5})
				})
			})
		}
	}
}

// TestLawTwoMoves: lines after the engine's move are not taken for its next move.
func TestLawTwoMoves(t *testing.T) {
	client := dial(t, program(enginetest.Ranker{}, func(line string) string {
		if strings.HasPrefix(line, "move ") {
			return line + "\n9 9 9 9 a0a1\nmove a0a1\n0-1 {White resigns}\nIllegal move: a0a1\n"
		}
		return line + "\n"
	}))
	defer client.Close()
	rapid.Check(t, func(t *rapid.T) {
		pos := xiangqitest.RandomPosition(t, 4)
		plugintest.CheckRoundTrip(t, client, enginetest.Ranker{}, pos, engine.Limits{Depth: 1})
	})
}

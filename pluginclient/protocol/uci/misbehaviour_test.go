package uci_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
)

// prankster is a faulty server of a ranker over one of both protocols.
func prankster(i int, pace time.Duration) *plugintest.FaultyEngine {
	s := enginetest.Ranker{}
	if pace > 0 {
		s = enginetest.Ranker{Depth: 100000, Pace: pace}
	}
	return mischievous(both[i].inProcess(uci.ServerConfig{Searcher: s, Name: "mischief"}))
}

func searchOnce(ctx context.Context, c *uci.Client, lim engine.Limits) ([]engine.Line, error) {
	return engine.Best(ctx, c, position("H2-E2", "H9-G7"), lim)
}

// TestMisbehaviour: whatever an engine does causes only an error that says what it did, within the
// deadlines. The next search finds the engine restarted.
func TestMisbehaviour(t *testing.T) {
	minute := func(d time.Duration) time.Duration { return 5*time.Minute + d }
	second := engine.Limits{Time: time.Second}
	deep := engine.Limits{Depth: 5}
	for _, c := range []struct {
		name string
		pace time.Duration
		in   behaviour
		out  func(string) string
		lim  engine.Limits
		kind error         // of the search's error; nil: it succeeds
		most time.Duration // maximum duration
	}{
		{"hangs at the start", 0, func(string) act { return act{} }, nil, deep, pluginclient.ErrStart, 31 * time.Second},
		{"repeats what it is sent", 0, func(line string) act { return say(line + "\n") }, nil, deep, pluginclient.ErrInvalidReply, 2 * time.Second},
		{"speaks another protocol", 0, func(string) act { return say("ERROR unknown command\n") }, nil, deep, pluginclient.ErrInvalidReply, 2 * time.Second},
		{"speaks another protocol at length", 0, func(string) act { return say("ERROR unknown command\nsee the manual\n") }, nil, deep, pluginclient.ErrInvalidReply, 2 * time.Second},
		{"greets and hangs", 0, func(string) act { return say("Best Engine 1.0 by Somebody\n") }, nil, deep, pluginclient.ErrStart, 31 * time.Second},
		{"hangs at position", 0, on("position", act{Hang: true}), nil, second, pluginclient.ErrNoReply, 8 * time.Second},
		{"hangs at go", 0, on("go", act{Hang: true}), nil, second, pluginclient.ErrNoReply, 8 * time.Second},
		{"hangs at go without a time", 0, on("go", act{Hang: true}), nil, deep, pluginclient.ErrNoReply, minute(3 * time.Second)},
		{"half a line", 0, on("go", act{Send: "bestmove h2e", Hang: true}), nil, second, pluginclient.ErrPartialLine, 8 * time.Second},
		{"half a line and death", 0, on("go", act{Send: "bestmove h2e", Die: true}), nil, deep, pluginclient.ErrPartialLine, time.Second},
		{"floods", 0, on("go", act{Flood: true}), nil, deep, pluginclient.ErrFlood, time.Second},
		{"floods at the start", 0, func(string) act { return act{Flood: true} }, nil, deep, pluginclient.ErrFlood, time.Second},
		{"an endless line", 0, on("go", say(strings.Repeat("x", 2<<20))), nil, deep, pluginclient.ErrFlood, time.Second},
		{"dies at once", 0, func(string) act { return act{Die: true} }, nil, deep, pluginclient.ErrDied, time.Second},
		{"dies at position", 0, on("position", act{Die: true}), nil, deep, pluginclient.ErrDied, time.Second},
		{"dies at go", 0, on("go", act{Die: true}), nil, deep, pluginclient.ErrDied, time.Second},
		{"dies at stop", time.Hour, endless(on("stop", act{Die: true})), nil, second, pluginclient.ErrDied, 2 * time.Second},
		{"ignores stop and time", time.Hour, endless(on("stop", act{})), nil, second, pluginclient.ErrNoReply, 5 * time.Second},

		{"an illegal best move", 0, on("go", say("bestmove a0a9\n")), nil, deep, pluginclient.ErrIllegal, time.Second},
		{"a best move of chess", 0, on("go", say("info depth 3 score cp 10 pv e2e4\nbestmove e2e4 ponder e7e5\n")), nil, deep, pluginclient.ErrIllegal, time.Second},
		{"nonsense for a best move", 0, on("go", say("bestmove yes\n")), nil, deep, pluginclient.ErrIllegal, time.Second},
		{"a banned move", 0, on("go", say("bestmove i3i4\n")), nil, engine.Limits{Depth: 1, Ban: mustMoves("I3-I4")}, pluginclient.ErrRefused, time.Second},
		{"(none)", 0, on("go", say("bestmove (none)\n")), nil, deep, pluginclient.ErrRefused, time.Second},
		{"0000", 0, on("go", say("bestmove 0000\n")), nil, deep, pluginclient.ErrRefused, time.Second},
		{"nobestmove", 0, on("go", say("nobestmove\n")), nil, deep, pluginclient.ErrRefused, time.Second},
		{"resign", 0, on("go", say("bestmove resign\n")), nil, deep, pluginclient.ErrResigned, time.Second},
		{"bestmove and nothing", 0, on("go", say("bestmove\n")), nil, deep, pluginclient.ErrRefused, time.Second},

		{"skips readyok", 0, on("isready", act{}), nil, deep, nil, 31 * time.Second},
		{"readyok comes late", 0, nil, func(line string) string {
			if line == "readyok" {
				time.Sleep(4 * time.Second)
			}
			return line + "\n"
		}, deep, nil, 20 * time.Second},
		{"ignores the time", time.Second, endless(plain), nil, engine.Limits{Time: 3 * time.Second}, nil, 4 * time.Second},
		{"CRLF", 0, nil, func(line string) string { return line + "\r\n" }, deep, nil, 0},
		{"chatter", 0, nil, func(line string) string { return "\nDebug: x=3\ninfo string hello\n" + line + "\ninfo\n" }, deep, nil, 0},
		{"two best moves", 0, nil, func(line string) string {
			if strings.HasPrefix(line, "bestmove") {
				return line + "\nbestmove a0a1\n"
			}
			return line + "\n"
		}, deep, nil, 0},
	} {
		for i, p := range both {
			t.Run(p.name+" "+c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := prankster(i, c.pace)
					m.OnCommand, m.OnReply = c.in, c.out
					plugintest.FaultTest{
						Faulty: m, Name: "mischief",
						Dial: func() (pluginclient.Session, error) { return p.dial(t.Context(), asProgram(m), uci.Options{}) },
						Pos:  position("H2-E2", "H9-G7"), Limits: c.lim, WantErr: c.kind, MaxTime: c.most,
					}.Run(t)
				})
			})
		}
	}
}

package qhplugin

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi/xiangqitest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

// Shorthands for these tests.
type act = plugintest.Action

var (
	obey      = plugintest.Obey
	on        = plugintest.On
	deaf      = plugintest.IgnoreAfter
	slow      = plugintest.Delay
	position  = xiangqitest.After
	mustMoves = xiangqitest.Moves
)

// mischief configures a faulty plugin. A zero field means normal behaviour.
type mischief struct {
	info   func(*Info)              // changes the info block
	pace   time.Duration            // of its searches, which then have no end
	lives  int                      // how many processes misbehave; 0: all
	in     plugintest.Behaviour     // what a command does
	out    func(line string) string // the bytes to send for an answer
	stderr string                   // the output of each process

	running *plugintest.FaultyEngine
}

func (m *mischief) plugin() Plugin {
	server := &Server{Searcher: enginetest.Ranker{Depth: 100000, Pace: m.pace}, Name: "mischief"}
	if m.pace == 0 {
		server.Searcher = enginetest.Ranker{}
	}
	plugin := InProcess(server)
	m.running = &plugintest.FaultyEngine{Engine: plugin.Start, FaultyStarts: m.lives, OnCommand: m.in, OnReply: m.out, Stderr: m.stderr}
	plugin.Start = m.running.Start
	plugin.Info = func(context.Context) (Info, error) {
		info := server.Info()
		if m.info != nil {
			m.info(&info)
		}
		return info, nil
	}
	return plugin
}

func noHints(i *Info) { i.Hints = false }

func searchOnce(ctx context.Context, c *Client, lim engine.Limits) ([]engine.Line, error) {
	return engine.Best(ctx, c, position("H2-E2", "H9-G7"), lim)
}

// TestMisbehaviour: whatever a plugin does causes only an error that says what it did, within the
// deadlines. The next search finds the plugin restarted.
func TestMisbehaviour(t *testing.T) {
	minute := func(d time.Duration) time.Duration { return 5*time.Minute + d }
	for _, c := range []struct {
		name string
		m    mischief
		lim  engine.Limits
		kind error         // of the search's error; nil: it succeeds
		most time.Duration // maximum duration
	}{
		{"passes over FEN", mischief{in: on("FEN", act{})}, engine.Limits{}, pluginclient.ErrRefused, 6 * time.Second},
		{"hangs at FEN", mischief{in: deaf("FEN")}, engine.Limits{}, pluginclient.ErrNoReply, 11 * time.Second},
		{"hangs at LOAD", mischief{in: deaf("LOAD")}, engine.Limits{}, pluginclient.ErrNoReply, 11 * time.Second},
		{"hangs at LEVEL", mischief{in: on("LEVEL", act{})}, engine.Limits{Level: 3}, pluginclient.ErrStart, 31 * time.Second},
		{"hangs at BAN", mischief{in: deaf("BAN")}, engine.Limits{Ban: mustMoves("I3-I4")}, pluginclient.ErrNoReply, 11 * time.Second},
		{"hangs at HINTS", mischief{in: deaf("HINTS")}, engine.Limits{}, pluginclient.ErrNoReply, minute(3 * time.Second)},
		{"hangs at HINTS with a time", mischief{in: deaf("HINTS")}, engine.Limits{Time: 4 * time.Second}, pluginclient.ErrNoReply, 10 * time.Second},
		{"hangs at AI", mischief{info: noHints, in: deaf("AI")}, engine.Limits{}, pluginclient.ErrNoReply, minute(3 * time.Second)},
		{"hangs at UNDO", mischief{info: noHints, in: deaf("UNDO")}, engine.Limits{}, pluginclient.ErrNoReply, 11 * time.Second},

		{"half a line at FEN", mischief{in: on("FEN", act{Send: "O"})}, engine.Limits{}, pluginclient.ErrPartialLine, 11 * time.Second},
		{"half a line at HINTS", mischief{in: on("HINTS", act{Send: "H2-E"})}, engine.Limits{Time: time.Second}, pluginclient.ErrPartialLine, 8 * time.Second},
		{"half a line and death", mischief{in: on("HINTS", act{Send: "H2-E", Die: true})}, engine.Limits{}, pluginclient.ErrPartialLine, time.Second},

		{"floods at FEN", mischief{in: on("FEN", act{Flood: true})}, engine.Limits{}, pluginclient.ErrFlood, time.Second},
		{"floods at HINTS", mischief{in: on("HINTS", act{Flood: true})}, engine.Limits{}, pluginclient.ErrFlood, time.Second},
		{"an endless line", mischief{in: on("HINTS", act{Send: strings.Repeat("x", 2<<20)})}, engine.Limits{}, pluginclient.ErrFlood, time.Second},

		{"dies at FEN", mischief{in: on("FEN", act{Die: true})}, engine.Limits{}, pluginclient.ErrDied, time.Second},
		{"dies at LOAD", mischief{in: on("LOAD", act{Die: true})}, engine.Limits{}, pluginclient.ErrDied, time.Second},
		{"dies at BAN", mischief{in: on("BAN", act{Die: true})}, engine.Limits{Ban: mustMoves("I3-I4")}, pluginclient.ErrDied, time.Second},
		{"dies at HINTS", mischief{in: on("HINTS", act{Die: true})}, engine.Limits{}, pluginclient.ErrDied, time.Second},
		{"dies at AI", mischief{info: noHints, in: on("AI", act{Die: true})}, engine.Limits{}, pluginclient.ErrDied, time.Second},
		{"dies at UNDO", mischief{info: noHints, in: on("UNDO", act{Die: true})}, engine.Limits{}, pluginclient.ErrDied, time.Second},
		{"dies at TIMEOUT", mischief{pace: time.Hour, in: on("TIMEOUT", act{Die: true})}, engine.Limits{Time: time.Second}, pluginclient.ErrDied, 2 * time.Second},
		{"dies at LEVEL 3", mischief{in: on("LEVEL 3", act{Die: true})}, engine.Limits{Level: 3}, pluginclient.ErrDied, time.Second},

		{"nonsense for OK", mischief{in: on("FEN", act{Send: "jawohl\n"})}, engine.Limits{}, pluginclient.ErrInvalidReply, time.Second},
		{"nonsense for hints", mischief{in: on("HINTS", act{Send: "e2e4\nENDHINTS\n"})}, engine.Limits{}, pluginclient.ErrIllegal, time.Second},
		{"no hints", mischief{in: on("HINTS", act{Send: "ENDHINTS\n"})}, engine.Limits{}, pluginclient.ErrInvalidReply, time.Second},
		{"nonsense for a move", mischief{info: noHints, in: on("AI", act{Send: "e2e4 is best\n"})}, engine.Limits{}, pluginclient.ErrIllegal, time.Second},
		{"an illegal move", mischief{info: noHints, in: on("AI", act{Send: "A0-A9\n"})}, engine.Limits{}, pluginclient.ErrIllegal, time.Second},
		{"illegal hints", mischief{in: on("HINTS", act{Send: "A0-A9\nB0-B9\nENDHINTS\n"})}, engine.Limits{}, pluginclient.ErrIllegal, time.Second},
		{"ERROR for hints", mischief{in: on("HINTS", act{Send: "ERROR - too tired\n"})}, engine.Limits{}, pluginclient.ErrRefused, time.Second},
		{"ERROR for BAN", mischief{in: on("BAN", act{Send: "ERROR\n"})}, engine.Limits{Ban: mustMoves("I3-I4")}, pluginclient.ErrRefused, time.Second},
		{"level refused", mischief{in: on("LEVEL 3", act{Send: "ERROR - Bad level 3 (use 6 to 9)\n"})}, engine.Limits{Level: 3}, pluginclient.ErrRefused, time.Second},
		{"ignores TIMEOUT", mischief{pace: time.Hour, in: on("TIMEOUT", act{})}, engine.Limits{Time: time.Second}, pluginclient.ErrTimedOut, 5 * time.Second},
		{"ignores TIMEOUT and ABORT", mischief{pace: time.Hour, in: func(line string) act {
			if line == "TIMEOUT" || line == "ABORT" {
				return act{}
			}
			return obey(line)
		}}, engine.Limits{Time: time.Second}, pluginclient.ErrNoReply, 7 * time.Second},

		{"CRLF", mischief{out: func(line string) string { return line + "\r\n" }}, engine.Limits{}, nil, 0},
		{"chatter", mischief{out: func(line string) string { return "info depth 3\n\n" + line + "\nthinking\n" }}, engine.Limits{Ban: mustMoves("I3-I4")}, nil, 0},
		{"ABORTED at every chance", mischief{out: func(line string) string { return "ABORTED\n" + line + "\nABORTED\n" }}, engine.Limits{}, nil, 0},
		{"lower case", mischief{out: func(line string) string { return strings.ToLower(line) + "\n" }}, engine.Limits{}, nil, 0},
		{"an illegal hint among others", mischief{in: on("HINTS", act{Send: "A0-A9\nI3-I4\nENDHINTS\n"})}, engine.Limits{}, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				plugin := c.m.plugin()
				plugintest.FaultTest{
					Faulty: c.m.running, Name: "mischief",
					Dial: func() (pluginclient.Session, error) { return Dial(t.Context(), plugin, Options{}) },
					Pos:  position("H2-E2", "H9-G7"), Limits: c.lim, WantErr: c.kind, MaxTime: c.most,
				}.Run(t)
			})
		})
	}
}

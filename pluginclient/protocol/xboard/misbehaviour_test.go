package xboard_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi/xiangqitest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
)

type act = plugintest.Action

var (
	on   = plugintest.On
	say  = plugintest.Send
	obey = plugintest.Obey
)

// endless returns limits without an end.
func endless(then plugintest.Behaviour) plugintest.Behaviour {
	return func(line string) act {
		if strings.HasPrefix(line, "st ") || strings.HasPrefix(line, "sd ") {
			return obey("st 90000")
		}
		return then(line)
	}
}

// instead replaces the engine's move by another text.
func instead(text string) func(string) string {
	return func(line string) string {
		if strings.HasPrefix(line, "move ") {
			return text
		}
		return line + "\n"
	}
}

// TestMisbehaviour: whatever an engine does causes only an error that says what it did, within the
// deadlines. The next search finds the engine restarted or working.
func TestMisbehaviour(t *testing.T) {
	minute := func(d time.Duration) time.Duration { return 5*time.Minute + d }
	second, deep := engine.Limits{Time: time.Second}, engine.Limits{Depth: 5}
	fine := time.Second
	for _, c := range []struct {
		name string
		pace time.Duration
		in   plugintest.Behaviour
		out  func(string) string
		lim  engine.Limits
		kind error         // of the search's error; nil: it succeeds
		most time.Duration // maximum duration
	}{
		{"asks for time and hangs", 0, on("xboard", act{Send: "feature done=0\n", Hang: true}), nil, deep, pluginclient.ErrStart, 31 * time.Second},
		{"repeats what it is sent", 0, func(line string) act { return say(line + "\n") }, nil, deep, pluginclient.ErrInvalidReply, 2 * time.Second},
		{"speaks another protocol", 0, func(line string) act { return say("Unknown command: '" + line + "'\n") }, nil, deep, pluginclient.ErrInvalidReply, 2 * time.Second},
		{"speaks another protocol at length", 0, func(line string) act { return say("Unknown command: '" + line + "'\n") }, nil, deep, pluginclient.ErrInvalidReply, 2 * time.Second},
		{"dies at once", 0, on("xboard", act{Die: true}), nil, deep, pluginclient.ErrDied, fine},
		{"floods at the start", 0, on("xboard", act{Flood: true}), nil, deep, pluginclient.ErrFlood, 3 * time.Second},
		{"plays other games", 0, on("protover", say("feature ping=1 variants=\"normal,shogi\" done=1\n")), nil, deep, pluginclient.ErrRefused, fine},
		{"never answers a ping", 0, on("ping", act{}), nil, deep, nil, 31 * time.Second},
		{"hangs at the position", 0, on("usermove", act{Hang: true}), nil, second, pluginclient.ErrNoReply, 8 * time.Second},
		{"hangs at go", 0, on("go", act{Hang: true}), nil, second, pluginclient.ErrNoReply, 8 * time.Second},
		{"hangs at go without a time", 0, on("go", act{Hang: true}), nil, deep, pluginclient.ErrNoReply, minute(3 * time.Second)},
		{"half a line", 0, on("go", act{Send: "move h2e", Hang: true}), nil, second, pluginclient.ErrPartialLine, 8 * time.Second},
		{"half a line and death", 0, on("go", act{Send: "move h2e", Die: true}), nil, deep, pluginclient.ErrPartialLine, fine},
		{"floods", 0, on("go", act{Flood: true}), nil, deep, pluginclient.ErrFlood, fine},
		{"dies at go", 0, on("go", act{Die: true}), nil, deep, pluginclient.ErrDied, fine},
		{"dies at ?", time.Hour, endless(on("?", act{Die: true})), nil, second, pluginclient.ErrDied, 2 * time.Second},
		{"ignores ? and the time", time.Hour, endless(on("?", act{})), nil, second, pluginclient.ErrNoReply, 5 * time.Second},

		{"an illegal move", 0, nil, instead("move a0a9\n"), deep, pluginclient.ErrIllegal, fine},
		{"a move in SAN", 0, nil, instead("move Cxe4\n"), deep, pluginclient.ErrIllegal, fine},
		{"a banned move", 0, nil, instead("move i3i4\n"), engine.Limits{Depth: 1, Ban: xiangqitest.Moves("I3-I4")}, pluginclient.ErrRefused, fine},
		{"resigns", 0, on("go", say("resign\n")), nil, deep, pluginclient.ErrResigned, fine},
		{"claims a draw", 0, nil, instead("1/2-1/2 {Draw by repetition}\n"), deep, pluginclient.ErrRefused, fine},
		{"claims in the old way", 0, nil, instead("White mates\n"), deep, pluginclient.ErrRefused, fine},
		{"takes a legal move for illegal", 0, on("usermove", say("Illegal move: h2e2\n")), nil, deep, pluginclient.ErrRefused, fine},
		{"knows no go", 0, on("go", say("Error (unknown command): go\n")), nil, deep, pluginclient.ErrRefused, 4 * time.Second},
		{"cannot search", 0, on("go", say("tellusererror the net is missing\n")), nil, deep, pluginclient.ErrRefused, 4 * time.Second},
		{"does not like the position", 0, on("usermove", say("tellusererror Illegal position\n")), nil, deep, pluginclient.ErrRefused, fine},

		{"speaks version 1", 0, on("protover", say("Error (unknown command): protover\n")), nil, deep, nil, fine},
		{"tells no features", 0, on("protover", act{}), nil, deep, nil, 3 * time.Second},
		{"never says done", 0, nil, func(line string) string { return strings.ReplaceAll(line, "done=", "nearly=") + "\n" }, deep, nil, 3 * time.Second},
		{"knows no variant, st, sd, post", 0, func(line string) act {
			switch word, _, _ := strings.Cut(line, " "); word {
			case "variant", "st", "sd", "post", "easy":
				return say("Error (unknown command): " + word + "\n")
			}
			return obey(line)
		}, nil, deep, nil, fine},
		{"ignores the time", time.Second, endless(func(line string) act { return obey(line) }), nil, engine.Limits{Time: 3 * time.Second}, nil, 4 * time.Second},
		{"CRLF", 0, nil, func(line string) string { return line + "\r\n" }, deep, nil, fine},
		{"chatter", 0, nil, func(line string) string {
			return "\n# x=3\ntelluser hello\nHint: h9g7\n++\noffer draw\nstat01: 1 2 3 4 5\n    b9c7\ntellusererror out of coffee\n" + line + "\n"
		}, deep, nil, fine},
		{"moves twice", 0, nil, func(line string) string {
			if strings.HasPrefix(line, "move") {
				return line + "\nmove a0a1\n"
			}
			return line + "\n"
		}, deep, nil, fine},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := enginetest.Ranker{}
				if c.pace > 0 {
					s = enginetest.Ranker{Depth: 100_000, Pace: c.pace}
				}
				m := &plugintest.FaultyEngine{
					Engine:    xboard.InProcess(uci.ServerConfig{Searcher: s, Name: "mischief"}).Start,
					OnCommand: c.in, OnReply: c.out,
				}
				plugintest.FaultTest{
					Faulty: m, Name: "mischief",
					Dial: func() (pluginclient.Session, error) {
						return xboard.Dial(t.Context(), pluginclient.Program{Name: "mischief", Start: m.Start}, xboard.Options{})
					},
					Pos: xiangqitest.After("H2-E2", "H9-G7"), Limits: c.lim, WantErr: c.kind, MaxTime: c.most,
				}.Run(t)
			})
		})
	}
}

package main

import (
	"context"
	"regexp"
	"strings"
	"time"

	"qhsh/engine/enginetest"
	"qhsh/engine/quoridor"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/attach"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/qtp"
	"qhsh/pluginclient/protocol/qtp/qtpcheck"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
	"qhsh/pluginclient/task/check"
)

// A lineBug is one thing that an engine does wrong that is otherwise the server of this program: it
// answers a command, or changes a line.
type lineBug struct {
	name string
	in   plugintest.Behaviour     // nil: every command is executed
	out  func(line string) string // nil: every line is sent
}

// start returns the starter of an engine with the bug. It takes a line only when everything before it
// is done: the time is simulated, so that its lines come in the same order every time.
func (b lineBug) start(without pluginclient.Starter) pluginclient.Starter {
	return (&plugintest.FaultyEngine{
		Engine: without, OnReply: b.out,
		OnCommand: func(line string) plugintest.Action {
			time.Sleep(time.Millisecond)
			if b.in == nil {
				return plugintest.Obey(line)
			}
			return b.in(line)
		},
	}).Start
}

// replies answers a command with a text.
func replies(command, text string) plugintest.Behaviour {
	return plugintest.On(command, plugintest.Send(text))
}

// does makes an engine do something at a command.
func does(command string, a plugintest.Action) plugintest.Behaviour { return plugintest.On(command, a) }

// lines changes the lines that begin with a text.
func lines(begin string, change func(line string) string) func(string) string {
	return func(line string) string {
		if strings.HasPrefix(line, begin) {
			return change(line + "\n")
		}
		return line + "\n"
	}
}

// are replaces a line.
func are(text string) func(string) string { return func(string) string { return text } }

// preceding sends a text before a line.
func preceding(text string) func(string) string {
	return func(line string) string { return text + line }
}

// doubled sends a line twice.
func doubled(line string) string { return line + line }

// xboardRow returns an engine kind that runs a bug in XBoard's protocol.
func xboardRow(b lineBug) attach.Row {
	return parsedRow(attach.Kind{Name: "bug", Title: "XBoard"}, attach.Parsed{
		Game: xiangqi.Rules,
		Open: func(ctx context.Context, o attach.Options) (pluginclient.Session, error) {
			server := xboard.InProcess(uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "Bug"})
			native, err := xboard.Dial(ctx, pluginclient.Program{Name: "bug", Start: b.start(server.Start)}, xboard.Options{Options: uci.Options{
				ClientOptions: o.ClientOptions,
			}})
			if err != nil {
				return nil, err
			}
			return attach.NewBridge(ctx, native, o)
		},
	})
}

const xboardScript = `AI
UNDO
HINTS 2
.raw force
.raw usermove a0a9
.raw usermove a3a4
.raw undo
.raw setboard 4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1
.raw ping 7
.raw sd 1
.raw go
QUIT
`

func xboardSubjects() []subject {
	const sane = "xboard"
	all := []subject{xboardSubject(lineBug{name: sane}, "")}
	for _, b := range xboardBugs {
		b.name = "xboard-" + b.name
		all = append(all, xboardSubject(b, sane))
	}
	return all
}

func xboardSubject(b lineBug, like string) subject {
	return subject{name: b.name, like: like, row: xboardRow(b), tools: []bugTool{
		{"shell", func(run runner) outcome { return run(xboardScript, "-engine", "bug:x", "-wait-reply", "200ms") }},
		{"hints", func(run runner) outcome {
			return run("startpos\nstartpos moves H2-E2\n", "hints", "-depth", "1", "-engine", "bug:x", "-wait-reply", "200ms")
		}},
		{"match", func(run runner) outcome {
			return playBug(run, "-player", "bug,depth=1", "builtin,nodes=1", "bug=bug:x", "-wait-reply", "200ms")
		}},
	}}
}

// xboardBugs are the bugs of engines that speak XBoard's protocol.
var xboardBugs = []lineBug{
	{name: "two-moves", out: lines("move", doubled)},
	{name: "illegal", out: lines("move", are("move a0a9\n"))},
	{name: "other-side", out: lines("move", are("move h9g7\n"))},
	{name: "san", out: lines("move", are("move Nf3\n"))},
	{name: "bestmove", out: lines("move", preceding("best"))},
	{name: "no-move", out: lines("move", are(""))},
	{name: "half-a-move", out: lines("move", strings.TrimSpace)},
	{name: "resigns", out: lines("move", are("resign\n"))},
	{name: "claims", out: lines("move", are("1-0 {White wins}\n"))},
	{name: "moves-in-force", in: does("force", plugintest.Action{Obey: []string{"force"}, Send: "move a3a4\n"})},
	{name: "refuses-moves", in: replies("usermove", "Illegal move: a3a4\n")},
	{name: "accepts-illegal", in: does("usermove a0a9", plugintest.Action{})},
	{name: "no-go", in: replies("go", "Error (unknown command): go\n")},
	{name: "no-force", in: replies("force", "Error (unknown command): force\n")},
	{name: "no-setboard", in: replies("setboard", "Error (unknown command): setboard\n")},
	{name: "no-ping", in: replies("ping", "Error (unknown command): ping\n")},
	{name: "wrong-pong", out: lines("pong", are("pong 77\n"))},
	{name: "second-pong", out: lines("pong", preceding("pong 77\n"))},
	{name: "two-pongs", out: lines("pong", doubled)},
	{name: "no-pong", out: lines("pong", are(""))},
	{name: "feature-without-value", out: lines("feature done", preceding("feature colors\n"))},
	{name: "feature-with-word", out: lines("feature done", preceding("feature colors=yes\n"))},
	{name: "feature-half-quoted", out: lines("feature done", preceding("feature egt=\"none\n"))},
	{name: "option-without-type", out: lines("feature done", preceding("feature option=\"Trouble\"\n"))},
	{name: "other-variants", out: lines("feature done", preceding("feature variants=\"normal,shogi\"\n"))},
	{name: "thought-with-fraction", out: lines("1 ", are("1 0.35 3 100 a3a4\n"))},
	{name: "thought-cut", out: lines("1 ", are("1 35\n"))},
	{name: "thought-illegal", out: lines("1 ", are("1 35 3 100 a3a4 a0a9\n"))},
	{name: "dies", in: does("go", plugintest.Action{Die: true})},
	{name: "hangs", in: does("go", plugintest.Action{Hang: true})},
	{name: "quit-ignored", in: does("quit", plugintest.Action{Hang: true})},
}

// qtpRow returns an engine kind that runs a bug in QTP.
func qtpRow(b lineBug) attach.Row {
	start := b.start(qtp.InProcess(&qtp.Server{Searcher: enginetest.Ranker{}, Name: "Bug"}).Start)
	return parsedRow(attach.Kind{Name: "bug", Title: "QTP", UnsupportedLimits: pluginclient.OneMoveUnsupported, Scores: attach.NoneScored, Checked: true}, attach.Parsed{
		Game: quoridor.Default,
		Open: func(ctx context.Context, o attach.Options) (pluginclient.Session, error) {
			return qtp.Dial(ctx, pluginclient.Program{Name: "bug", Start: start}, qtp.Options{
				ClientOptions: o.ClientOptions,
			})
		},
		Examine: func(_ context.Context, o attach.Options) (*check.Suite, error) {
			return qtpcheck.Suite(pluginclient.Program{Name: "bug", Start: start}, o.Log), nil
		},
	})
}

const qtpScript = `name
known_command frobnicate
playmove black E8
playmove black A1
playwall white B5 h
undo
undo 5
genmove white
winner
walls 5
boardsize 26
.send frobnicate
list_commands
quit
`

const qtpChecks = "talk,name,known,list,unknown,size.unacceptable,clear,walls.number,move.step,move.illegal,genmove,undo,winner,quit,response"

func qtpSubjects() []subject {
	const sane = "qtp"
	all := []subject{qtpSubject(lineBug{name: sane}, "")}
	for _, b := range qtpBugs {
		b.name = "qtp-" + b.name
		all = append(all, qtpSubject(b, sane))
	}
	return all
}

func qtpSubject(b lineBug, like string) subject {
	return subject{name: b.name, like: like, row: qtpRow(b), tools: []bugTool{
		{"shell", func(run runner) outcome { return run(qtpScript, "-engine", "bug:x", "-wait-reply", "200ms") }},
		{"hints", func(run runner) outcome {
			return withoutLast(run("9 b E9/10 E1/10 -\n9 w E8/10 E1/10 -\n", "hints", "-engine", "bug:x", "-wait-reply", "200ms"))
		}},
		{"match", func(run runner) outcome {
			return withoutLast(playBug(run, "quoridor,nodes=1", "bug=bug:x", "-wait-reply", "200ms"))
		}},
		{"check", func(run runner) outcome { return checkBug(run, qtpChecks) }},
	}}
}

// lastLines matches the last lines of a conversation in an error. Of QTP's empty lines some come only
// after the next command.
var lastLines = regexp.MustCompile(`(?m); last lines: .*?("\}|$)`)

func withoutLast(o outcome) outcome {
	o.stdout = lastLines.ReplaceAllString(o.stdout, "; last lines$1")
	o.stderr = lastLines.ReplaceAllString(o.stderr, "; last lines$1")
	return o
}

// qtpBugs are the bugs of engines that speak QTP.
var qtpBugs = []lineBug{
	{name: "no-empty-line", out: func(line string) string {
		if line == "" {
			return ""
		}
		return line + "\n"
	}},
	{name: "no-blank", out: lines("= ", func(line string) string { return "=" + line[2:] })},
	{name: "result-below", out: lines("= ", func(line string) string { return "=\n" + line[2:] })},
	{name: "control-characters", out: lines("= ", preceding("\a"))},
	{name: "tab", out: lines("= ", func(line string) string { return "=\t" + line[2:] })},
	{name: "done", in: does("undo", plugintest.Action{Send: "= done\n\n"})},
	{name: "chatter", out: lines("=", preceding("thinking ...\n"))},
	{name: "banner", in: does("name", plugintest.Action{Obey: []string{"name"}, Send: "Welcome to Bug\n"})},
	{name: "two-responses", out: lines("= ", func(line string) string { return line + "\n" + line })},
	{name: "no-response", in: does("playmove", plugintest.Action{})},
	{name: "name-fails", in: replies("name", "? no name\n\n")},
	{name: "name-empty", in: replies("name", "= \n\n")},
	{name: "known-fails", in: replies("known_command", "? false\n\n")},
	{name: "genmove-fails", in: replies("genmove", "? no idea\n\n")},
	{name: "genmove-word", in: replies("genmove", "= pass\n\n")},
	{name: "genmove-illegal", in: replies("genmove", "= A5\n\n")},
	{name: "genmove-off-the-board", in: replies("genmove", "= Z30\n\n")},
	{name: "genmove-none", in: does("genmove", plugintest.Action{})},
	{name: "accepts-illegal", in: replies("playmove black A1", "= \n\n")},
	{name: "refuses-moves", in: replies("playmove", "? illegal move\n\n")},
	{name: "refuses-walls", in: replies("playwall", "? illegal move\n\n")},
	{name: "refuses-undo", in: replies("undo", "? cannot undo\n\n")},
	{name: "undoes-too-much", in: replies("undo 5", "= \n\n")},
	{name: "accepts-size", in: replies("boardsize 26", "= \n\n")},
	{name: "walls-fails", in: replies("walls", "? no walls\n\n")},
	{name: "clear-fails", in: replies("clear_board", "? why\n\n")},
	{name: "winner-fails", in: replies("winner", "? nobody\n\n")},
	{name: "winner-wrong", in: replies("winner", "= true black\n\n")},
	{name: "unknown-message", in: replies("frobnicate", "? what\n\n")},
	{name: "illegal-message", in: replies("playmove black A1", "? no\n\n")},
	{name: "dies", in: does("genmove", plugintest.Action{Die: true})},
	{name: "hangs", in: does("genmove", plugintest.Action{Hang: true})},
	{name: "quit-silent", in: does("quit", plugintest.Action{Die: true})},
	{name: "quit-ignored", in: does("quit", plugintest.Action{Hang: true})},
}

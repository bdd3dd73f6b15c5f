package xboard_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/xiangqitest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
)

// answers matches the lines that a server may send.
var answers = regexp.MustCompile(`^(feature .+|pong.*|move [a-i]\d[a-i]\d|offer draw|Hint: [a-i]\d[a-i]\d` +
	`|\d+ -?\d+ \d+ \d+( [a-i]\d[a-i]\d)+|stat01: \d+ \d+ \d+ 0 \d+( [a-i]\d[a-i]\d)?` +
	`|(1-0|0-1|1/2-1/2) \{[A-Z][a-z ]+\}|Illegal move( \([^()]+\))?: .*|Error \([^()]+\): .*` +
	`|tellusererror (Illegal position|the search failed): .*|telluser Odd position: .*| there is no book|)$`)

// FuzzConversation sends arbitrary bytes to a server, and connects a client to an engine that
// introduces itself, and answers "go", with arbitrary bytes.
func FuzzConversation(f *testing.F) {
	f.Add([]byte("quit\n"), "feature ping=0 option=\"Hash -spin 1 1 5\" usermove=1\n", "3 5 0 9 b2e2 b9c7\nmove b2e2\n")
	f.Add([]byte("quit\n"), "feature exclude=0 option=\"MultiPV -spin 1 1 50\"\n", "3 100003 0 9\tb3e3 a10a9\nmove b1c3\n")
	f.Add([]byte("quit\n"), "feature setboard=0 variants=\"xiangqi\n", "0 100 0 0 (i0i1)\nIllegal move: h2e2\nmove a0a9\n")
	f.Add([]byte("quit\n"), "setup (PH) 9x10+0_xiangqi rheakaehr/9 w\n", "resign\noffer draw\n1-0 {x}\n")
	f.Add([]byte("quit\n"), "feature reuse=0 san=1\n", "1. ... i0i2\n# move a0a1\ntellusererror x\nError (unknown command): st\n")
	plugintest.AddSeeds(f, "testdata/server", "", "move b2e2\n")
	f.Fuzz(func(t *testing.T, commands []byte, features, thoughts string) {
		checkServer(t, commands)
		checkClient(t, features, thoughts)
	})
}

// checkServer runs a server on the input: it must not panic, must end, and must send valid lines
// only.
func checkServer(t *testing.T, input []byte) {
	t.Helper()
	var out bytes.Buffer
	served := uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "ranker", Options: demoOptions}
	if err := xboard.Serve(t.Context(), bytes.NewReader(input), &out, served); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if line = strings.TrimSuffix(line, "\n"); !answers.MatchString(line) {
			t.Errorf("the answer %q", line)
		}
	}
}

// checkClient runs a client on such an engine: it must not panic, and must not accept an illegal or
// banned move.
func checkClient(t *testing.T, features, thoughts string) {
	t.Helper()
	m := &plugintest.FaultyEngine{
		Engine: xboard.InProcess(uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "served"}).Start,
		OnCommand: func(line string) act {
			switch line {
			case "protover 2":
				return act{Obey: []string{line}, Send: features + "\n"}
			case "go":
				return say(thoughts + "\nmove h2e2\n")
			}
			return obey(line)
		},
	}
	brief := pluginclient.Deadlines{Start: time.Second, Reply: time.Second, Think: time.Second, Late: time.Second, Abort: time.Second}
	client, err := xboard.Dial(t.Context(), pluginclient.Program{Name: "served", Start: m.Start}, xboard.Options{Options: uci.Options{ClientOptions: pluginclient.ClientOptions{Deadlines: brief}}})
	if err != nil {
		return // it may offer only other variants
	}
	defer client.Close()
	ban := xiangqitest.Moves("H2-E2")
	lines, err := engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{Lines: 3, Depth: 1, Ban: ban})
	if err != nil {
		return
	}
	for _, line := range lines {
		if got := engine.FormatMoves(xiangqi.Start(), line.Moves); len(got) != len(line.Moves) || len(got) == 0 || got[0] == "H2-E2" {
			t.Errorf("the line %q of %v", got, line.Moves)
		}
	}
}

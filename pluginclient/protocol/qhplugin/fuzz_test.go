package qhplugin

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/plugintest"
)

// FuzzInfo: no block makes the parser panic, and a parsed block is formatted so that it parses to
// the same block.
func FuzzInfo(f *testing.F) {
	f.Add("QHPLUGIN V1.3\nQianhong\nLEVELS 2\n1 - Easy\n2\nUNDO 1\nHINTS 0\nfree text\n\nENDINFO\n")
	f.Add("QHPLUGIN V1.2\r\nx\r\nLEVELS 99\r\nENDINFO")
	f.Fuzz(func(t *testing.T, text string) {
		info, complete, err := ParseInfo(text)
		if err != nil || !complete {
			return
		}
		again, complete, err := ParseInfo(info.String())
		if err != nil || !complete || again.String() != info.String() {
			t.Errorf("%q is printed as %q and reads as %q, %v", text, info.String(), again.String(), err)
		}
	})
}

// FuzzHint: no hint makes the parser panic, and a parsed hint is formatted so that it parses to the
// same hint.
func FuzzHint(f *testing.F) {
	for _, hint := range []string{
		"H2-E2", "h2e2", "H2-E2 score cp 35 depth 12 nodes 81234 pv H2-E2 H9-G7", "H2-E2 score mate -3 pv H2-E2",
		"H2-E2 a strong move", "H2-E2 depth 5", "H2-E2 score cp 1 pv A0-A1", "A0-A9", "B0-C2 pv B0-C2 A9-A0 H9-G7", "H2-E2 score cp 5 good",
	} {
		f.Add(hint)
	}
	f.Fuzz(func(t *testing.T, hint string) {
		line, err := parseHint(xiangqi.Start(), hint)
		if err != nil {
			return
		}
		printed := formatHint(line)
		again, err := parseHint(xiangqi.Start(), printed)
		if err != nil {
			t.Fatalf("%q is printed as %q: %v", hint, printed, err)
		}
		if diff := cmp.Diff(printed, formatHint(again)); diff != "" {
			t.Errorf("%q:\n%s", hint, diff)
		}
	})
}

// FuzzCommand: a parsed command is formatted so that it parses to the same command.
func FuzzCommand(f *testing.F) {
	f.Add("play h2-e2\r\n")
	f.Add("  BAN\t12 ")
	f.Fuzz(func(t *testing.T, line string) {
		cmd, ok := ParseCommand(line)
		if !ok {
			return
		}
		if again, ok := ParseCommand(cmd.String()); !ok || again != cmd {
			t.Errorf("%q reads as %+v, and that as %+v", line, cmd, again)
		}
	})
}

var (
	anyMove = regexp.MustCompile(`[A-Ia-i][0-9]-[A-Ia-i][0-9]`)
	answers = regexp.MustCompile(`^(OK|ERROR .+|ABORTED|BYE|ENDHINTS|[0-9]+|[A-I][0-9]-[A-I][0-9]( (score|depth|pv) .*)?|[ 0-9A-I|()\[\]rheakcpRHEAKCP+\\/-]{10,})$`)
)

// FuzzConversation sends arbitrary bytes to a server, and connects a client to a plugin that
// answers with arbitrary bytes.
func FuzzConversation(f *testing.F) {
	for _, said := range [][2]string{
		{"OK\n", "H2-E2 score cp 5 pv H2-E2 H9-G7\nENDHINTS\n"},
		{"ERROR\n", "ERROR\n"},
		{"OK\nOK\n", "A0-A9\nENDHINTS\n"},
		{"5\n", "ABORTED\n"},
	} {
		f.Add([]byte("QUIT\n"), said[0], said[1])
	}
	plugintest.AddSeeds(f, "testdata/server", "OK\n", "B2-E2\n")
	f.Fuzz(func(t *testing.T, commands []byte, ok, hints string) {
		checkServer(t, commands)
		checkClient(t, ok, hints)
	})
}

// checkServer runs a server on the input: it must not panic, must end, must send valid lines only,
// and no text with the form of a move in an ERROR.
func checkServer(t *testing.T, input []byte) {
	t.Helper()
	var out bytes.Buffer
	if err := (&Server{Searcher: enginetest.Ranker{}, Name: "qhsh"}).Serve(t.Context(), bytes.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if !answers.MatchString(line) {
			t.Errorf("the answer %q", line)
		}
		if strings.HasPrefix(line, "ERROR") && anyMove.MatchString(line) {
			t.Errorf("a move's shape in %q", line)
		}
	}
}

// checkClient runs a client on a plugin that answers HINTS with hints and everything else with ok:
// it must not panic, and must not accept an illegal move.
func checkClient(t *testing.T, ok, hints string) {
	t.Helper()
	m := &mischief{in: func(line string) act {
		switch {
		case line == "LEVEL" || line == "QUIT":
			return obey(line)
		case strings.HasPrefix(line, "HINTS"):
			return act{Send: hints + "\nENDHINTS\n"}
		}
		return act{Send: ok + "\nOK\n"}
	}}
	client, err := Dial(t.Context(), m.plugin(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	lines, err := engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{Lines: 3, Ban: mustMoves("H2-E2")})
	if err != nil {
		return
	}
	for _, line := range lines {
		if _, err := xiangqi.Start().Play(line.Move()); err != nil || iccs(line.Move()) == "H2-E2" {
			t.Errorf("it took %v, %v", iccs(line.Move()), err)
		}
	}
}

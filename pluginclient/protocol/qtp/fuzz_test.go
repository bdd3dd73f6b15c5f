package qtp

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

// responses matches the lines that a server may send.
var responses = regexp.MustCompile(`^((=( (ranker|false|true( black| white)?|[A-Y]\d{1,2}( [hv])?)?|(\n[ 0-9A-YBWH|+=-]*[ 0-9A-Za-z:|+_-]*)+)|` +
	`\? (unknown command|unacceptable size|illegal move|cannot undo|invalid syntax|no legal move))\n\n)*$`)

// FuzzConversation sends arbitrary bytes to a server, and connects a client to an engine that
// answers genmove, and what follows it, with arbitrary bytes.
func FuzzConversation(f *testing.F) {
	for _, said := range []string{"= E8\n\n", "=e8\n", "? no\n\n", "= E5 h\n\n= E8\n\n", "\n\n\n=\nE8", "= E8 h v\n\n", "= pass\n", "= I9 v\n\n", "=\r\n\x00\n", "= black:E8\n\n", "? \n\n= mischief\n\n"} {
		f.Add([]byte("quit\n"), said)
	}
	plugintest.AddSeeds(f, "testdata/server", "= E8\n\n")
	plugintest.AddSeeds(f, "testdata/naive", "= E8\n\n")
	blanks := strings.Repeat(" ", maxLine)
	f.Add([]byte(blanks+"name\nname"+blanks+"x\n"+blanks+"\n#"+blanks+"x\nwinner\n"), "")
	f.Fuzz(func(t *testing.T, commands []byte, said string) {
		checkServer(t, commands)
		checkClient(t, said)
	})
}

// checkServer runs a server on the input: it must not panic, must end, and must answer each command
// once, with valid responses only.
func checkServer(t *testing.T, input []byte) {
	t.Helper()
	var out bytes.Buffer
	s := &Server{Searcher: enginetest.Ranker{}, Name: "ranker"}
	if err := s.Serve(t.Context(), bytes.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	if !responses.Match(out.Bytes()) {
		t.Errorf("the answers %q", out.String())
	}
	commands := 0
	for line := range strings.SplitSeq(string(input), "\n") {
		words := fields(cleanCommand(line))
		if len(words) > 0 {
			commands++
		}
		if len(words) == 1 && words[0] == Quit {
			break
		}
	}
	if got := strings.Count(out.String(), "\n\n"); got != commands {
		t.Errorf("%d responses to %d commands: %q", got, commands, out.String())
	}
}

// checkClient runs a client on such an engine: it must not panic or hang, and must not accept an
// illegal or banned move.
func checkClient(t *testing.T, said string) {
	t.Helper()
	m := &plugintest.FaultyEngine{Engine: ranker().Start, OnCommand: func(line string) act {
		if strings.HasPrefix(line, GenMove) {
			return plugintest.Action{Send: said + "\n= E8\n\n", Die: true}
		}
		return plugintest.Obey(line)
	}}
	client, err := Dial(t.Context(), pluginclient.Program{Name: "mischief", Start: m.Start}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	start := at(quoridor.Default)
	ban, err := start.Parse("D9")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := engine.Best(t.Context(), client, start, engine.Limits{Ban: []engine.Move{ban}})
	if err != nil {
		return
	}
	if _, err := start.Play(lines[0].Move()); err != nil || lines[0].Move() == ban {
		t.Errorf("it took %s: %v", start.Format(lines[0].Move()), err)
	}
	if _, err := client.Raw(t.Context(), "winner\nshowboard"); err != nil && !pluginclient.Lost(err) && !errors.Is(err, pluginclient.ErrNotRunning) {
		t.Logf("afterwards: %v", err)
	}
}

package uci_test

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"testing"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
)

// answers matches the lines that a server may send.
var answers = regexp.MustCompile(strings.ReplaceAll(`^(id (name|author) .+|option .+ type (check|spin|combo|button|string).*|ucc?iok|readyok|bye|pophash`+
	`|info (string|message) .*|info time \d+( nodes \d+)?`+
	`|info( depth \d+)?( multipv \d+)?( score (cp -?\d+|mate [-+]?\d+|-?\d+))?( nodes \d+)?( nps \d+)?( time \d+)? pv( MOVE)+`+
	`|bestmove \(none\)|nobestmove|bestmove MOVE( ponder MOVE)?( draw)?`+
	`|MOVE: \d+|Nodes searched: \d+||Fen: .*|[ 0-9A-I|()\[\]rheakcpRHEAKCP+\\/-]{10,})$`, "MOVE", `[a-i](10|\d)[a-i](10|\d)`))

// FuzzUCI and FuzzUCCI send arbitrary bytes to a server of their protocol, and connect a client to
// an engine that introduces itself, and answers "go", with arbitrary bytes.
func FuzzUCI(f *testing.F)  { fuzzConversation(f, 0, "testdata/uci", uci.UCI.Serve) }
func FuzzUCCI(f *testing.F) { fuzzConversation(f, 1, "testdata/ucci", uci.UCCI.Serve) }

type serveFunc func(context.Context, io.Reader, io.Writer, uci.ServerConfig) error

func fuzzConversation(f *testing.F, protocol int, transcripts string, serve serveFunc) {
	for _, said := range [][2]string{
		{"option name Hash type spin min 1 max 5\n", "info depth 3 multipv 1 score cp 5 pv b2e2 b9c7\nbestmove b2e2 ponder b9c7\n"},
		{"option name UCI_Variant type combo var xiangqi\n", "info score mate 3 pv b3e3 a10a9\nbestmove b1c3\n"},
		{"id name\nid\noption\n", "info depth 0 score 100 pv i0i1\nbestmove a0a9\n"},
		{"", "nobestmove\nbestmove resign\n"},
		{"option newgame type button\n", "bestmove (none)\n"},
		{"option multipv type spin min 1 max 9\n", "info multipv 3 pv i0i1\ninfo multipv 1 pv i0i2\ninfo multipv 1 pv i0i1 lowerbound\nbestmove i0i2 draw\nreadyok"},
	} {
		f.Add([]byte("quit\n"), said[0], said[1])
	}
	plugintest.AddSeeds(f, transcripts, "", "bestmove b2e2\n")
	f.Fuzz(func(t *testing.T, commands []byte, offers, thoughts string) {
		checkServer(t, serve, commands)
		checkClient(t, protocol, offers, thoughts)
	})
}

var lasting = regexp.MustCompile(`perft\s+\+?0*([4-9]|\d\d)|bench`)

// checkServer runs a server on the input: it must not panic, must end, and must send valid lines
// only.
func checkServer(t *testing.T, serve serveFunc, input []byte) {
	t.Helper()
	if lasting.Match(input) {
		t.Skip("it would count for ever")
	}
	var out bytes.Buffer
	served := uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "ranker", Author: "nobody", Options: demoOptions}
	if err := serve(t.Context(), bytes.NewReader(input), &out, served); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if line = strings.TrimSuffix(line, "\n"); !answers.MatchString(line) {
			t.Errorf("the answer %q", line)
		}
	}
}

// checkClient runs a client on an engine that sends offers and thoughts: it must not panic, and
// must not accept an illegal or banned move.
func checkClient(t *testing.T, protocol int, offers, thoughts string) {
	t.Helper()
	m := prankster(protocol, 0)
	m.OnCommand = func(line string) act {
		switch word, _, _ := strings.Cut(line, " "); word {
		case "uci", "ucci":
			return act{Send: offers + "\n", Obey: []string{line}}
		case "go":
			return say(thoughts + "\nbestmove h2e2\n")
		}
		return obey(line)
	}
	client, err := both[protocol].dial(t.Context(), asProgram(m), uci.Options{})
	if err != nil {
		return // it may offer only other variants
	}
	lines, err := engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{Lines: 3, Depth: 1, Ban: mustMoves("H2-E2")})
	client.Close()
	if err != nil {
		return
	}
	for _, line := range lines {
		checkLine(t, line)
	}
}

func checkLine(t *testing.T, line engine.Line) {
	t.Helper()
	var pos engine.Position = xiangqi.Start()
	if line.Move() == mustMoves("H2-E2")[0] {
		t.Error("it took the banned move")
	}
	for _, m := range line.Moves {
		next, err := pos.Play(m)
		if err != nil {
			t.Fatalf("it took %v: %v", xiangqi.Move(m), err)
		}
		pos = next
	}
}

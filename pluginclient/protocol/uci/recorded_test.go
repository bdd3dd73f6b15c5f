package uci_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest/golden"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
)

// TestRecorded compares the results of searches by real engines with those when testdata/recorded
// was written. Each file is the trace of a conversation, followed by its outcome after "=". With
// -update and QHSH_PEERS the engines themselves are used.
func TestRecorded(t *testing.T) {
	for _, p := range peers {
		t.Run(p.name, func(t *testing.T) {
			file := "testdata/recorded/" + p.name + ".txt"
			if golden.Updating() {
				record(t, p, file)
				return
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r := plugintest.ReadRecording(t, string(text))
			client, err := both[p.protocol].dial(t.Context(), pluginclient.Program{Name: "recording", Start: r.Start}, uci.Options{
				Settings: p.settings, ClientOptions: pluginclient.ClientOptions{Judged: func(j pluginclient.Judgement) { t.Errorf("a real engine is accused: %v", j) }},
			})
			if err != nil {
				t.Fatal(err)
			}
			got := interview(t, client)
			client.Close()
			if diff := cmp.Diff(r.Outcome, got); diff != "" {
				t.Errorf("-recorded +now:\n%s", diff)
			}
			if len(r.Unexpected) > 0 || r.Remaining() > 0 {
				t.Errorf("it was told %q; %d recorded lines were not said", r.Unexpected, r.Remaining())
			}
		})
	}
}

// record records a conversation with the engine itself.
func record(t *testing.T, p peer, file string) {
	var trace bytes.Buffer
	client := p.dial(t, uci.Options{ClientOptions: pluginclient.ClientOptions{Log: pluginclient.NewTraceLog(&trace)}})
	outcome := interview(t, client)
	client.Close()
	var b strings.Builder
	b.WriteString(strings.ReplaceAll(trace.String(), os.Getenv("QHSH_PEERS"), "/opt/engines"))
	for line := range strings.Lines(outcome) {
		b.WriteString("= " + line)
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// interview runs a few searches, and returns their outcome.
func interview(t *testing.T, client *uci.Client) string {
	t.Helper()
	mate, err := xiangqi.ParseFEN("3k5/9/9/9/9/9/R8/1R7/9/4K4 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	mated, err := xiangqi.ParseFEN("3k5/9/R8/1R7/9/9/9/9/9/4K4 b - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintln(&b, client.Info().Name)
	for _, q := range []struct {
		pos *xiangqi.Position
		lim engine.Limits
	}{
		{xiangqi.Start(), engine.Limits{Depth: 3, Lines: 3}},
		{position("H2-E2", "H9-G7", "E2-E6"), engine.Limits{Depth: 3}},
		{position("H2-E2", "H9-G7", "H0-G2"), engine.Limits{Nodes: 1000, Ban: mustMoves("I9-H9", "B9-C7", "B7-E7")}},
		{mate, engine.Limits{Depth: 3}},
		{mated, engine.Limits{Depth: 3, Lines: 2}},
		{position("B0-C2"), engine.Limits{Time: 40 * time.Millisecond}},
	} {
		l := q.lim
		fmt.Fprintf(&b, "%v {Level:%d Nodes:%d Depth:%d Time:%v Lines:%d Ban:%v}\n", q.pos, l.Level, l.Nodes, l.Depth, l.Time, l.Lines, l.Ban)
		lines, err := engine.Best(t.Context(), client, q.pos, q.lim)
		if err != nil {
			fmt.Fprintln(&b, "  ", err)
		}
		for _, l := range lines {
			fmt.Fprintf(&b, "  %v depth %d nodes %d%s", l.Score, l.Depth, l.Nodes, l.Text)
			for _, m := range l.Moves {
				b.WriteString(" " + xiangqi.Move(m).ICCS())
			}
			b.WriteString("\n")
		}
	}
	for _, raw := range []string{"isready", "position startpos moves h2e2 h9g7", "go depth 1", "quit"} {
		answer, err := client.Raw(t.Context(), raw)
		fmt.Fprintf(&b, "%s: %d lines, %v\n", raw, len(answer), err)
	}
	return b.String()
}

package qchesscheck

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/qchess/search"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/qchess"
	"qhsh/pluginclient/task/check"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// ours is our own agent, which follows the protocol.
func ours(t *testing.T) pluginclient.Starter {
	e, err := search.New(search.Options{Agent: search.Ply})
	if err != nil {
		t.Fatal(err)
	}
	return qchess.InProcess(&qchess.Server{Searcher: e, Limits: func() engine.Limits { return engine.Limits{Nodes: 2000} }}).Start
}

// failed returns the checks that an agent does not pass.
func failed(t *testing.T, start pluginclient.Starter) (names []string) {
	t.Helper()
	report, err := check.Run(t.Context(), Suite(pluginclient.Program{Name: "agent", Start: start}, nil), check.Options{Budget: 10 * check.DefaultBudget})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if r.Verdict != check.Passed {
			t.Logf("%s: %s: expected %s, got %s %s", r.Name, r.Verdict, r.Expected, r.Got, r.Reason)
		}
		if r.Verdict == check.Failed || r.Verdict == check.Advised {
			names = append(names, r.Name)
		}
	}
	if len(report.Results) != len(table) {
		t.Errorf("%d results", len(report.Results))
	}
	return names
}

func TestOurs(t *testing.T) {
	if names := failed(t, ours(t)); len(names) > 0 {
		t.Errorf("failed: %v", names)
	}
}

// blocked returns an agent that first selects its king, which cannot move yet, and is wrong about all
// moves of others.
func blocked() *plugintest.FaultyEngine {
	king := ""
	return &plugintest.FaultyEngine{OnCommand: func(line string) plugintest.Action {
		switch {
		case line == "white":
			king = "3 7\n"
		case line == "black":
			king = "3 0\n"
		case line == "MOVE?":
			return plugintest.Send("9 9\n")
		case line == "SELECTION?" && king != "":
			defer func() { king = "" }()
			return plugintest.Send(king)
		}
		return plugintest.Obey(line)
	}}
}

// TestSlow: the protocol sets no time for an answer.
func TestSlow(t *testing.T) {
	for _, c := range []struct {
		took time.Duration
		want check.Verdict
	}{{20 * time.Second, check.Passed}, {time.Hour, check.Unreached}} {
		synctest.Test(t, func(t *testing.T) {
			slow := &plugintest.FaultyEngine{Engine: ours(t), OnCommand: plugintest.Delay("SELECTION?", c.took)}
			report, err := check.Run(t.Context(), Suite(pluginclient.Program{Name: "agent", Start: slow.Start}, nil), check.Options{Only: []string{basic}, Budget: 5 * check.DefaultBudget})
			if err != nil {
				t.Fatal(err)
			}
			if r := report.Result(basic); r.Verdict != c.want {
				t.Errorf("an answer after %v: %s, %s %s", c.took, r.Verdict, r.Got, r.Reason)
			}
		})
	}
}

// TestBad: the checks find violations of the document.
func TestBad(t *testing.T) {
	for _, c := range []struct {
		name  string
		agent *plugintest.FaultyEngine
		want  []string
	}{
		{
			"it greets", &plugintest.FaultyEngine{OnCommand: plugintest.On("white", plugintest.Action{Send: "hello\n", Obey: []string{"white"}})},
			[]string{"start.silent", "select.answer"},
		},
		{
			"it names squares as chess does", &plugintest.FaultyEngine{OnReply: func(string) string { return "e2\n" }},
			[]string{"select.answer"},
		},
		{
			"it tells more than the square", &plugintest.FaultyEngine{OnReply: func(line string) string { return line + " pawn\n" }},
			[]string{"select.form"},
		},
		{
			"it says goodbye", &plugintest.FaultyEngine{OnCommand: plugintest.On("QUIT", plugintest.Action{Send: "bye\n", Obey: []string{"QUIT"}})},
			[]string{"quit.alone", "quit.winner", "quit.words", "quit.start"},
		},
		{"its first piece cannot move", blocked(), []string{"select.movable", "move.first", "notes.opponent", "game.board"}},
	} {
		c.agent.Engine = ours(t)
		names := failed(t, c.agent.Start)
		if diff := cmp.Diff(c.want, names); diff != "" {
			t.Errorf("%s: %v", c.name, diff)
		}
	}
	for _, e := range table {
		if strings.ToLower(e.Name) != e.Name || e.Section == "" || e.Rule == "" {
			t.Errorf("the check %q", e.Name)
		}
	}
}

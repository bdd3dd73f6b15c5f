package uci_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/uci"
)

// changed returns a change of the lines that begin with a word.
func changed(word string, change func(line string) string) func(string) string {
	return func(line string) string {
		if strings.HasPrefix(line, word) {
			return change(line + "\n")
		}
		return line + "\n"
	}
}

// instead replaces the lines that begin with a word.
func instead(word, text string) func(string) string {
	return changed(word, func(string) string { return text })
}

// TestJudged: two searches and a raw one of an engine with one fault each, and the rules that it is said to have
// broken, without repetitions. What is a matter of taste, or of no specification, is no fault.
func TestJudged(t *testing.T) {
	twice := func(line string) string { return line + line }
	for _, c := range []struct {
		name string
		out  func(string) string
		want string // the names of the rules
	}{
		{"none", nil, ""},
		{"bestmove twice", changed("bestmove", twice), "move.single"},
		{"bestmove and nobestmove", changed("bestmove", func(line string) string { return line + "nobestmove\n" }), "move.single"},
		{"an illegal bestmove", instead("bestmove", "bestmove a0a9\n"), "move.legal"},
		{"a bestmove of the other side", instead("bestmove", "bestmove h9g7\n"), "move.legal"},
		{"a bestmove that is none", instead("bestmove", "bestmove e2-\n"), "move.legal"},
		{"no move", instead("bestmove", "bestmove (none)\n"), ""},
		{"an empty bestmove", instead("bestmove", "bestmove\n"), ""},
		{"an illegal pv", instead("info", "info depth 1 score cp 3 pv a0a9\n"), "info.pv"},
		{"a pv with an illegal end", instead("info", "info depth 1 score cp 3 pv a3a4 a0a9\n"), "info.pv"},
		{"info with words", instead("info", "info depth high score cp much nodes all\n"), "info.form"},
		{"info without anything", instead("info", "info\n"), ""},
		{"info string", changed("bestmove", func(line string) string { return "info string bestmove a0a9\n" + line }), ""},
		{"chatter", changed("bestmove", func(line string) string { return "I think\n" + line + "that was fun\n" }), ""},
		{"blank lines", func(line string) string { return line + "\n\n" }, ""},
		{"CR LF", func(line string) string { return line + "\r\n" }, ""},
		{"two readyok", changed("readyok", twice), "ready.single"},
		{"two uciok", func(line string) string {
			if line == "uciok" || line == "ucciok" {
				return line + "\n" + line + "\n"
			}
			return line + "\n"
		}, "start.single"},
		{"an option without a type", changed("option", func(line string) string { return "option name Trouble\n" + line }), "option.form"},
		{"a negative depth", instead("info", "info depth -1 score cp 3\n"), "info.form"},
		{"a score without a number", instead("info", "info depth 1 score cp pv a3a4\n"), "info.form"},
		{"a pv that is none", instead("info", "info depth 1 score cp 3 pv a3a4 Rb8\n"), "info.form"},
		{"a line too many", instead("info", "info depth 1 multipv 2 score cp 3 pv a3a4\n"), "info.multipv"},
	} {
		for i, p := range both {
			t.Run(c.name+" "+p.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var told []string
					m := mischievous(p.inProcess(uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "mischief"}))
					m.OnReply = c.out
					client, err := both[i].dial(t.Context(), asProgram(m), uci.Options{
						ClientOptions: pluginclient.ClientOptions{Judged: func(j pluginclient.Judgement) { told = append(told, j.Name) }},
					})
					if err != nil {
						t.Fatal(err)
					}
					for _, pos := range []engine.Position{position(), position("H2-E2", "H9-G7")} {
						_, _ = engine.Best(t.Context(), client, pos, engine.Limits{Depth: 2})
					}
					for _, line := range []string{"position startpos", "go depth 1"} {
						_, _ = client.Raw(t.Context(), line)
					}
					client.Close()
					if got := strings.Join(slices.Compact(told), " "); got != c.want {
						t.Errorf("judged %q, want %q", got, c.want)
					}
				})
			})
		}
	}
}

// TestStrict checks that a broken rule is an error for a strict client, and what is only a warning is none.
func TestStrict(t *testing.T) {
	for _, c := range []struct {
		out    func(string) string
		raw    string
		isFine bool
	}{
		{nil, "go depth 1", true},
		{changed("bestmove", func(line string) string { return "info depth high\n" + line }), "go depth 1", false},
		{changed("bestmove", func(line string) string { return line + line }), "go depth 1\nisready", false},
		{changed("readyok", func(line string) string { return line + line }), "isready\nisready", false},
		{instead("info", "info depth 1 score cp 3 pv a3a4 a0a9\n"), "go depth 1", true},
	} {
		for i, p := range both {
			synctest.Test(t, func(t *testing.T) {
				m := mischievous(p.inProcess(uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "mischief"}))
				client, err := both[i].dial(t.Context(), asProgram(m), uci.Options{Strict: true})
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				m.OnReply = c.out
				_, err = client.Raw(t.Context(), c.raw)
				if isFine := err == nil; isFine != c.isFine || !isFine && !errors.Is(err, pluginclient.ErrInvalidReply) {
					t.Errorf("%s: %q: %v", p.name, c.raw, err)
				}
			})
		}
	}
}

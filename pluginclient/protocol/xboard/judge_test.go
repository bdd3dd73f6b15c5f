package xboard_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi/xiangqitest"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
	"qhsh/pluginclient/protocol/uci"
	"qhsh/pluginclient/protocol/xboard"
)

// changing changes the lines that begin with a word.
func changing(word string, change func(line string) string) func(string) string {
	return func(line string) string {
		if strings.HasPrefix(line, word) {
			return change(line + "\n")
		}
		return line + "\n"
	}
}

func twice(line string) string { return line + line }

func saying(text string) func(string) string { return func(string) string { return text } }

// TestJudged: searches and raw lines of an engine with one fault each, and the rules that it is said to
// have broken, without repetitions.
func TestJudged(t *testing.T) {
	for _, c := range []struct {
		name string
		in   plugintest.Behaviour
		out  func(string) string
		want string // the names of the rules
	}{
		{"none", nil, nil, ""},
		{"two moves", nil, changing("move", twice), "move.single"},
		{"an illegal move", nil, changing("move", saying("move a0a9\n")), "move.legal"},
		{"a move of the other side", nil, changing("move", saying("move h9g7\n")), "move.legal"},
		{"a move in SAN", nil, changing("move", saying("move Nf3\n")), "move.legal"},
		{"another word", nil, changing("move", func(line string) string { return "best" + line }), "move.form"},
		{"a claim", nil, changing("move", saying("1-0 {White wins}\n")), ""},
		{"a resignation", nil, changing("move", saying("resign\n")), ""},
		{"a resignation behind a move", nil, changing("move", func(line string) string { return line + "resign\n" }), ""},
		{"a pong with another number", nil, changing("pong", func(line string) string { return "pong 77\n" + line }), "ping.pong"},
		{"two pongs", nil, changing("pong", twice), "ping.pong"},
		{"a pong without a number", nil, changing("pong", func(line string) string { return "pong\n" + line }), "ping.pong"},
		{"feature without a value", nil, changing("feature done", func(line string) string { return "feature colors\n" + line }), "feature.form"},
		{"feature with an open quote", nil, changing("feature done", func(line string) string { return "feature myname=\"Trouble\n" + line }), "feature.form"},
		{"feature with a word", nil, changing("feature done", func(line string) string { return "feature colors=yes\n" + line }), "feature.value"},
		{"an option without a type", nil, changing("feature done", func(line string) string { return "feature option=\"Trouble\"\n" + line }), "feature.value"},
		{"an unknown feature", nil, changing("feature done", func(line string) string { return "feature trouble=3\n" + line }), ""},
		{"no done", nil, changing("feature done", saying("")), ""},
		{"a score with a fraction", nil, changing("1 ", saying("1 0.35 3 100 a3a4\n")), "info.form"},
		{"too few numbers", nil, changing("1 ", saying("1 35\n")), "info.form"},
		{"an illegal best line", nil, changing("1 ", saying("1 35 3 100 a3a4 a0a9\n")), "info.pv"},
		{"a best line in SAN", nil, changing("1 ", saying("1 35 3 100 Nf3\n")), ""},
		{"chatter", nil, changing("move", func(line string) string { return "I think\n# so\n" + line + "that was fun\n" }), ""},
		{"Error to force", nil, changing("move", func(line string) string { return line + "Error (unknown command): force\n" }), "error.known"},
		{"Error to a feature", on("exclude", say("Error (unknown command): exclude i0i1\n")), nil, "error.known"},
		{"Error to hint", nil, changing("move", func(line string) string { return line + "Error (unknown command): hint\n" }), ""},
		{"a legal move refused", on("usermove", say("Illegal move: a3a4\n")), nil, "move.refused info.pv move.legal move.refused"},
		{"an illegal move accepted", on("usermove a0a9", act{}), nil, "illegal.told"},
		{"CR LF", nil, func(line string) string { return line + "\r\n" }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var told []string
				m := &plugintest.FaultyEngine{Engine: xboard.InProcess(uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "mischief"}).Start, OnCommand: c.in, OnReply: c.out}
				client, err := xboard.Dial(t.Context(), pluginclient.Program{Name: "mischief", Start: m.Start}, xboard.Options{Options: uci.Options{
					ClientOptions: pluginclient.ClientOptions{Judged: func(j pluginclient.Judgement) { told = append(told, j.Name) }},
				}})
				if err != nil {
					t.Fatal(err)
				}
				for _, pos := range []engine.Position{xiangqitest.After(), xiangqitest.After("A3-A4", "A6-A5")} {
					_, _ = engine.Best(t.Context(), client, pos, engine.Limits{Depth: 1, Ban: xiangqitest.Moves("I0-I1")})
				}
				for _, line := range []string{"new", "force", "usermove a3a4", "usermove a0a9", "setboard " + xiangqitest.After().String(), "sd 1", "go"} {
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

// TestStrict checks that a broken rule is an error for a strict client.
func TestStrict(t *testing.T) {
	for out, isFine := range map[string]bool{"1 0.5 3 100 a3a4\n": false, "1 5 3 100 a3a4\n": true, "1 5 3 100 a3a4 a0a9\n": true} {
		synctest.Test(t, func(t *testing.T) {
			m := &plugintest.FaultyEngine{Engine: xboard.InProcess(uci.ServerConfig{Searcher: enginetest.Ranker{}, Name: "mischief"}).Start, OnReply: changing("1 ", saying(out))}
			client, err := xboard.Dial(t.Context(), pluginclient.Program{Name: "mischief", Start: m.Start}, xboard.Options{Options: uci.Options{Strict: true}})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			_, err = engine.Best(t.Context(), client, xiangqitest.After(), engine.Limits{Depth: 1})
			if (err == nil) != isFine || err != nil && !errors.Is(err, pluginclient.ErrInvalidReply) {
				t.Errorf("%q: %v", out, err)
			}
		})
	}
}

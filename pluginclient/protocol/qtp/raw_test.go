package qtp

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

// rawLines are lines of a user, the replies, and the positions after them.
var rawLines = []struct{ line, answer, board string }{
	{"boardsize 5", "= ", "5 b C5/10 C1/10 -"},
	{"clear_board", "= ", "5 b C5/10 C1/10 -"},
	{"walls 3", "= ", "5 b C5/3 C1/3 -"},
	{"  playwall\tB b5 H # a wall", "= ", "5 w C5/2 C1/3 B5h"},
	{"playmove w C2", "= ", "5 b C5/2 C2/3 B5h"},
	{"playmove w C3", "= ", "5 b C5/2 C3/3 B5h"},
	{"playmove black A1", "? illegal move", "5 b C5/2 C3/3 B5h"},
	{"undo 2", "= ", "5 w C5/2 C1/3 B5h"},
	{"undo 5", "? cannot undo", "5 w C5/2 C1/3 B5h"},
	{"genmove", "? invalid syntax", "5 w C5/2 C1/3 B5h"},
	{"genmove black", "= A3 v", "5 w C5/1 C1/3 B5h,A3v"},
	{"boardsize 99", "? unacceptable size", "5 w C5/1 C1/3 B5h,A3v"},
	{"walls 7", "= ", "5 w C5/7 C1/7 B5h,A3v"},
	{"undo", "= ", "5 w C5/8 C1/7 B5h"},
	{"winner", "= false", "5 w C5/8 C1/7 B5h"},
	{"frobnicate", "? unknown command", "5 w C5/8 C1/7 B5h"},
	{"# nothing", "", "5 w C5/8 C1/7 B5h"},
	{"", "", "5 w C5/8 C1/7 B5h"},
	{"name\nplaymove white C2\n# a comment\nwinner", "= mischief\n= \n= false", "5 b C5/8 C2/7 B5h"},
	{"clear_board\nwalls 2\nplayWall\nplaywall white d3 v", "= \n= \n? unknown command\n= ", "5 b C5/2 C1/1 D3v"},
	{"quit\nname", "= ", "5 b C5/2 C1/1 D3v"},
}

// TestRaw: lines are sent unchanged, and the board follows the commands that are accepted.
func TestRaw(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dial(t, ranker(), Options{Rules: quoridor.Rules{Size: 9, Walls: 10}})
		for _, c := range rawLines {
			answer, err := client.Raw(t.Context(), c.line)
			if got := strings.Join(answer, "\n"); err != nil || got != c.answer {
				t.Errorf("%q: %q, %v, want %q", c.line, got, err, c.answer)
			}
			if got := client.Position().String(); got != c.board {
				t.Errorf("%q: the board is %s, want %s", c.line, got, c.board)
			}
		}
		if _, err := client.Raw(t.Context(), "name"); err == nil {
			t.Error("it answers after quit")
		}
		if err := client.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		answer, err := client.Raw(t.Context(), "showboard")
		board := client.Position().(*quoridor.Position).Diagram()
		if diff := cmp.Diff("=\n"+board, strings.Join(answer, "\n")+"\n"); diff != "" || err != nil {
			t.Errorf("%v, after the restart -here +there:\n%s", err, diff)
		}
	})
}

// TestRawAfterSearch: a search leaves the engine at another position; before a raw line the client
// restores it, by lines marked as added.
func TestRawAfterSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, ranker(), Options{})
		if _, err := engine.Best(t.Context(), c, at(quoridor.Default, "E8"), engine.Limits{}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Raw(t.Context(), "winner"); err != nil {
			t.Fatal(err)
		}
		sent := plugintest.SentLines(c)
		if want := []string{">genmove white", "~undo 2", ">winner"}; !cmp.Equal(sent[len(sent)-3:], want) {
			t.Errorf("sent %q", sent)
		}
	})
}

// TestRawWinner: the reply to a raw winner is compared with the board.
func TestRawWinner(t *testing.T) {
	won := []string{"boardsize 3", "clear_board", "walls 0", "playmove black B2", "playmove white A1", "playmove black A2", "playmove white B1", "playmove black A1"}
	for _, c := range []struct {
		say  string
		at   []string
		want string // empty: no error
	}{
		{"= false", nil, ""},
		{"= true black", nil, `winner answered "true black" at 9 b E9/10 E1/10 -, want "false"`},
		{"= TRUE Black", won[:7], `winner answered "TRUE Black" at 3 b A2/0 B1/0 -, want "false"`},
		{"= TRUE Black", won, ""},
		{"=true white", won, `winner answered "true white" at 3 w A1/0 B1/0 -, want "true black"`},
		{"? false", won, `winner answered "false" at 3 w A1/0 B1/0 -, want "true black"`},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := &plugintest.FaultyEngine{Engine: ranker().Start, OnCommand: plugintest.On("winner", plugintest.Send(c.say+"\n\n"))}
			client := dial(t, pluginclient.Program{Name: "mischief", Start: m.Start}, Options{})
			for _, line := range c.at {
				if _, err := client.Raw(t.Context(), line); err != nil {
					t.Fatal(err)
				}
			}
			answer, err := client.Raw(t.Context(), "winner")
			if diff := cmp.Diff([]string{c.say}, answer); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.say, diff)
			}
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%s: %v", c.say, err)
			case c.want != "" && (err == nil || !strings.Contains(pluginclient.Brief(err), c.want)):
				t.Errorf("%s: %v, want %s", c.say, err, c.want)
			}
			if got := client.Position(); err == nil && len(c.at) == 0 && got.String() != "9 b E9/10 E1/10 -" {
				t.Errorf("%s: the board is %v", c.say, got)
			}
		})
	}
}

// TestRawNonsense: an invalid reply to genmove is returned together with one error.
func TestRawNonsense(t *testing.T) {
	for _, c := range []struct{ say, want string }{
		{"= pass", "genmove black: invalid reply: genmove: move \"pass\": want a cell such as E8, or a wall such as B5h"},
		{"= E1", "genmove black: invalid reply: an illegal move: black E1: illegal move: the other pawn stands there"},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := &plugintest.FaultyEngine{Engine: ranker().Start, OnCommand: plugintest.On("genmove", plugintest.Send(c.say+"\n\n"))}
			client := dial(t, pluginclient.Program{Name: "mischief", Start: m.Start}, Options{})
			answer, err := client.Raw(t.Context(), "genmove black")
			if err == nil {
				t.Fatalf("%q is believed", c.say)
			}
			if diff := cmp.Diff([]string{c.say}, answer); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.say, diff)
			}
			if got := pluginclient.Brief(err); !strings.Contains(got, c.want) {
				t.Errorf("%s: %s, want %s", c.say, got, c.want)
			}
		})
	}
}

// TestRawTaken: if an engine accepts an invalid command, the error says why it is invalid.
func TestRawTaken(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"walls -1", `"= ", but -1: want 0 to 2147483647`},
		{"walls 2147483648", `"= ", but 2147483648: want 0 to 2147483647`},
		{"walls", `"= ", but walls wants N`},
		{"undo 1 2", `"= ", but undo wants [N]`},
		{"clear_board now", `"= ", but clear_board takes no arguments`},
		{"boardsize 26", `"= ", but size 26: want 3 to 25`},
		{"undo", `"= ", but there are not that many moves to take back`},
		{"playmove red E8", `"= ", but colour "red": want black or white`},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := &plugintest.FaultyEngine{Engine: ranker().Start, OnCommand: plugintest.On(c.line, plugintest.Send("= \n\n"))}
			client := dial(t, pluginclient.Program{Name: "mischief", Start: m.Start}, Options{})
			if _, err := client.Raw(t.Context(), c.line); err == nil || !strings.HasSuffix(pluginclient.Brief(err), c.want) {
				t.Errorf("%s: %v, want %s", c.line, err, c.want)
			}
		})
	}
}

// TestFails: "true" and "false" are never failures, whatever their sign.
func TestFails(t *testing.T) {
	c := dial(t, ranker(), Options{})
	for _, r := range []struct {
		answer string
		want   bool
	}{
		{"= false", false},
		{"? false", false},
		{"?\tTRUE black", false},
		{"? illegal move", true},
		{"?", true},
		{"? falsehood", true},
		{"= \n? cannot undo", true},
	} {
		if got := c.Language().Fails(strings.Split(r.answer, "\n")); got != r.want {
			t.Errorf("%q fails: %v", r.answer, got)
		}
	}
}

// TestRawBehindTheEnd: genmove is sent even if ctx has already ended. The move is taken back.
func TestRawBehindTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, ranker(), Options{})
		before := len(plugintest.SentLines(c))
		errTest := errors.New("given up by the test")
		ctx, giveUp := context.WithCancelCause(t.Context())
		giveUp(errTest)
		if answer, err := c.Raw(ctx, "genmove white"); answer != nil || !errors.Is(err, errTest) {
			t.Errorf("%q, %v", answer, err)
		}
		if _, err := c.Raw(t.Context(), "winner"); err != nil {
			t.Fatal(err)
		}
		want := []string{">genmove white", "~undo", ">winner"}
		if diff := cmp.Diff(want, plugintest.SentLines(c)[before:]); diff != "" {
			t.Errorf("-want +sent:\n%s", diff)
		}
	})
}

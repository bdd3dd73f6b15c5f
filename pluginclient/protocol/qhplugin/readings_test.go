package qhplugin

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

// The tests of this file test how a host interprets the protocol.

// TestLateAnswer: the answer to a command whose ctx has ended is read before the next command is
// sent.
func TestLateAnswer(t *testing.T) {
	for _, c := range []struct {
		name string
		m    mischief
		call func(ctx context.Context, client *Client) error
		want []string
	}{
		{
			"LEVEL 2",
			mischief{in: slow("LEVEL 2", 3*time.Second)},
			func(ctx context.Context, client *Client) error { return client.SetLevel(ctx, 2) },
			[]string{">LEVEL 2", "<OK", ">LEVEL 9", "<OK"},
		},
		{
			"FEN",
			mischief{in: slow("FEN", 3*time.Second)},
			func(ctx context.Context, client *Client) error { return client.NewGame(ctx, xiangqi.Start()) },
			[]string{">" + startFEN, "<OK", ">LEVEL 9", "<OK"},
		},
		{
			"AI",
			mischief{pace: time.Hour, in: slow("ABORT", time.Second)},
			func(ctx context.Context, client *Client) error {
				_, err := client.AI(ctx, engine.Limits{})
				return err
			},
			[]string{">" + startFEN, "<OK", ">AI", ">ABORT", "<ABORTED", "~LEVEL", "<5", ">LEVEL 9", "<OK"},
		},
		{
			"raw SCR",
			mischief{in: slow("SCR", 3*time.Second), out: func(line string) string {
				if strings.ContainsAny(line, "|[(") || strings.Contains(line, "A  B") {
					return ""
				}
				return line + "\n"
			}},
			func(ctx context.Context, client *Client) error {
				_, err := client.Raw(ctx, "SCR")
				return err
			},
			[]string{">SCR", "~LEVEL", "<5", ">LEVEL 9", "<OK"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := dialMischief(t, &c.m)
				defer client.Close()
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				if err := c.call(ctx, client); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("error %v", err)
				}
				if err := client.SetLevel(t.Context(), 9); err != nil {
					t.Error(err)
				}
				if level, err := client.AskLevel(t.Context()); level != 9 || err != nil {
					t.Errorf("level %d, %v", level, err)
				}
				all := plugintest.TraceLines(client, "><~")[2:]
				if diff := cmp.Diff(c.want, all[:len(all)-2]); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
}

// TestNothingElseWhileItThinks: during AI and HINTS typed calls send only TIMEOUT and ABORT; other
// calls wait.
func TestNothingElseWhileItThinks(t *testing.T) {
	for _, hints := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			client := dialMischief(t, &mischief{pace: time.Hour})
			defer client.Close()
			var calls sync.WaitGroup
			for _, f := range []func(ctx context.Context) error{
				func(ctx context.Context) error { return client.SetLevel(ctx, 3) },
				func(ctx context.Context) error { return client.SetBGThink(ctx, true) },
				func(ctx context.Context) error { _, err := client.AskLevel(ctx); return err },
				func(ctx context.Context) error { _, err := client.Raw(ctx, "SCR"); return err },
				func(ctx context.Context) error { _, err := client.Raw(ctx, "FOO"); return err },
				func(ctx context.Context) error { return client.NewGame(ctx, position("B2-E2")) },
			} {
				calls.Go(func() {
					time.Sleep(time.Second)
					if err := f(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			lim := engine.Limits{Time: 3 * time.Second}
			var err error
			if hints {
				_, err = engine.Best(t.Context(), client, xiangqi.Start(), lim)
			} else {
				_, err = client.AI(t.Context(), lim)
			}
			if err != nil {
				t.Error(err)
			}
			calls.Wait()
			all := plugintest.TraceLines(client, "><~")
			i := slices.IndexFunc(all, func(s string) bool { return s == ">AI" || s == ">HINTS 1" })
			if all[i+1] != ">TIMEOUT" || !strings.HasPrefix(all[i+2], "<") {
				t.Errorf("said %q", all[i:])
			}
		})
	}
}

// TestStraysAreNoted: unexpected ABORTED, OK and blank lines are recorded in the trace, and are not
// answers.
func TestStraysAreNoted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dialMischief(t, &mischief{in: func(line string) act {
			switch line {
			case "HINTS 1": // strays before the answer
				return act{Send: "ABORTED\n\nOK\n", Obey: []string{line}}
			case "LEVEL 3": // strays after it
				return act{Send: "OK\nOK\nABORTED\n\n"}
			case "LEVEL 4":
				return act{Send: "ERROR - no such level\n"}
			}
			return obey(line)
		}})
		defer client.Close()
		if _, err := engine.Best(t.Context(), client, xiangqi.Start(), engine.Limits{}); err != nil {
			t.Error(err)
		}
		if err := client.SetLevel(t.Context(), 3); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if err := client.SetLevel(t.Context(), 4); !errors.Is(err, pluginclient.ErrRefused) {
			t.Errorf("LEVEL 4: %v", err)
		}
		want := []string{
			`#judged fault: not an answer to HINTS: "ABORTED" [hints.list]`, `#judged warning: a blank line before the answer to HINTS [plugin.unasked]`,
			`#judged fault: not an answer to HINTS: "OK" [hints.list]`,
			`#judged fault: after the answer to LEVEL: "ABORTED" [abort.only]`, `#judged fault: another answer to LEVEL: "OK" [plugin.single]`,
			`#judged fault: ERROR to LEVEL 4, which is right [level.set]`,
		}
		if diff := cmp.Diff(want, plugintest.TraceLines(client, "#")); diff != "" {
			t.Errorf("remarks, -want +got:\n%s", diff)
		}
		if level, _ := client.Level(); level != 3 {
			t.Errorf("the level is %d", level)
		}
	})
}

// TestNoEndMark: after a command whose answer has no end marker the client sends a LEVEL, marked as
// a ping, and reads all lines before its reply, however many.
func TestNoEndMark(t *testing.T) {
	for _, c := range []struct{ command, say string }{
		{"SCR", ""},
		{"SCR", "ERROR unknown command\n"},
		{"SCR", "a\n\nb  \n  c\n"},
		{"foo bar", "OK\n"},
		{"foo bar", "OK\nERROR\nH2-E2\n"},
		{"ABORT", ""},
		{"ABORT", "ABORTED\n"},
		{"TIMEOUT", ""},
		{"", "what?\n"},
	} {
		synctest.Test(t, func(t *testing.T) {
			client := dialMischief(t, &mischief{in: on(c.command, act{Send: c.say})})
			defer client.Close()
			got, err := client.Raw(t.Context(), c.command)
			if err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(c.say, strings.Join(append(got, ""), "\n")); diff != "" {
				t.Errorf("%q: -want +got:\n%s", c.command, diff)
			}
			checkSent(t, client, "~LEVEL", ">"+c.command, "~LEVEL")
			if level, err := client.AskLevel(t.Context()); level != 5 || err != nil {
				t.Errorf("%q: then the level is %d, %v", c.command, level, err)
			}
		})
	}
	client := dialMischief(t, &mischief{})
	defer client.Close()
	lines, err := client.Raw(t.Context(), "SCR")
	if diff := cmp.Diff(xiangqi.Start().Diagram(), strings.Join(lines, "\n")+"\n"); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

// TestLineOf79Bytes: one real plugin splits lines at 79 bytes. A FEN of that length is followed by
// a ping, a shorter one is not.
func TestLineOf79Bytes(t *testing.T) {
	for _, c := range []struct {
		fen  string
		len  int
		ping bool
	}{
		{"FEN 1r1ak1e1r/1h1c1h1c1/R1C1e1C1R/p1p1p1p2/1P1P1P1P1/1H2P2H1/9/3A1A3/9/3K2E2 w", 78, false},
		{"FEN 1r1ak1e1r/1h1c1h1c1/R1C1e1C1R/p1p1p1p1p/1P1P1P1P1/1H2P2H1/9/3A1A3/9/3K2E2 b", 79, true},
		{"FEN 1r1ak1e1r/1h1c1h1c1/R1C1e1C1R/p1p1p1p1p/1P1P1P1P1/1H2P2H1/9/3A1A3/9/2E1K1E2 w", 81, true},
	} {
		pos, err := xiangqi.ParseFEN(c.fen[4:])
		if err != nil || len(c.fen) != c.len || "FEN "+pos.WireFEN() != c.fen {
			t.Fatalf("%v, %v", pos, err)
		}
		client := dialMischief(t, &mischief{})
		if err := client.NewGame(t.Context(), pos); err != nil {
			t.Error(err)
		}
		want := []string{"~LEVEL", ">" + c.fen}
		if c.ping {
			want = append(want, "~LEVEL")
		}
		checkSent(t, client, want...)
		client.Close()
	}
}

// TestIllegalIsNeverPlayed: an illegal move is an error, and the conversation's position does not
// change.
func TestIllegalIsNeverPlayed(t *testing.T) {
	for _, move := range []string{"A0-A9", "A9-A8", "H4-H5", "E0-E0", "e2e4"} {
		for _, raw := range []bool{false, true} {
			client := dialMischief(t, &mischief{in: on("AI", act{Send: move + "\n"})})
			err := client.NewGame(t.Context(), xiangqi.Start())
			start := client.Position()
			if raw && err == nil {
				_, err = client.Raw(t.Context(), "AI")
			} else if err == nil {
				_, err = client.AI(t.Context(), engine.Limits{})
			}
			if !errors.Is(err, pluginclient.ErrIllegal) || client.Position() != start {
				t.Errorf("%s, raw %v: error %v, the board is %v", move, raw, err, client.Position())
			}
			// Its board is unknown now, so it is set again.
			if err := client.Load(t.Context(), mustMoves("H2-E2")[0]); err != nil {
				t.Error(err)
			}
			checkSent(t, client, "~LEVEL", ">"+startFEN, ">AI", ">"+startFEN, ">PLAY H2-E2")
			client.Close()
		}
	}
}

// TestIllegalHintIsReported: an illegal hint among others is ignored, with a note in the trace.
func TestIllegalHintIsReported(t *testing.T) {
	client := dialMischief(t, &mischief{in: on("HINTS", act{Send: "A0-A9\nI3-I4\nENDHINTS\n"})})
	defer client.Close()
	lines, err := searchOnce(t.Context(), client, engine.Limits{})
	if err != nil || len(lines) != 1 || iccs(lines[0].Move()) != "I3-I4" {
		t.Errorf("%v, %v", lines, err)
	}
	want := []string{"#judged fault: an illegal hint: A0-A9: the path is blocked at A3 [hints.legal]"}
	if diff := cmp.Diff(want, plugintest.TraceLines(client, "#")); diff != "" {
		t.Errorf("remarks, -want +got:\n%s", diff)
	}
}

// TestDeathBetweenCommands: a plugin that has exited between commands is restarted without an
// error, with its level, BGTHINK and game.
func TestDeathBetweenCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dialMischief(t, &mischief{lives: 1, in: on("BGTHINK ON", act{Send: "OK\n", Die: true})})
		defer client.Close()
		ctx := t.Context()
		for _, call := range []func() error{
			func() error { return client.NewGame(ctx, position("H2-E2")) },
			func() error { return client.SetLevel(ctx, 2) },
			func() error { return client.SetBGThink(ctx, true) },
			func() error { synctest.Wait(); return client.Load(ctx, mustMoves("H9-G7")[0]) },
		} {
			if err := call(); err != nil {
				t.Error(err)
			}
		}
		checkSent(t, client, "~LEVEL", ">"+startFEN, ">PLAY H2-E2", ">LEVEL 2", ">BGTHINK ON",
			"~LEVEL", ">LEVEL 2", ">BGTHINK ON", ">"+startFEN, ">LOAD 2", ">H2-E2", ">H9-G7")
	})
}

// TestSearchLeavesTheConversation: a search of another position, at another level, does not change
// those of the conversation.
func TestSearchLeavesTheConversation(t *testing.T) {
	for _, info := range []func(*Info){nil, noHints} {
		client := dialMischief(t, &mischief{info: info})
		ctx := t.Context()
		if err := client.NewGame(ctx, position("B2-E2")); err != nil {
			t.Error(err)
		}
		if err := client.SetLevel(ctx, 2); err != nil {
			t.Error(err)
		}
		before := client.Position()
		if _, err := searchOnce(ctx, client, engine.Limits{Level: 3}); err != nil {
			t.Error(err)
		}
		if level, known := client.Level(); client.Position() != before || level != 2 || !known {
			t.Errorf("the conversation is at %v, level %d", client.Position(), level)
		}
		client.Close()
	}
}

// TestTypedLines compares the lines of typed calls: moves in upper case with a dash, FEN as board
// and side with the letters rheakcp and the side w or b. NewGame and Load send nothing illegal.
func TestTypedLines(t *testing.T) {
	client := dialMischief(t, &mischief{})
	defer client.Close()
	pos, err := xiangqi.ParseFEN("r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4NC1/9/RNBAKAB1R b - - 3 2")
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if err := client.NewGame(ctx, pos); err != nil {
		t.Error(err)
	}
	if err := client.Load(ctx, mustMoves("a9a8", "h2-h6")...); err != nil {
		t.Error(err)
	}
	if err := client.Load(ctx, mustMoves("B7-B0", "B7-B6")...); err == nil {
		t.Error("LOAD with an illegal move")
	}
	if _, err := client.AI(ctx, engine.Limits{Nodes: 1}); err == nil {
		t.Error("AI with a limit on nodes")
	}
	if _, err := client.AI(ctx, engine.Limits{Depth: 1}); err == nil {
		t.Error("AI with a limit on depth")
	}
	checkSent(t, client, "~LEVEL", ">FEN r1eakae1r/9/1ch4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4HC1/9/RHEAKAE1R b", ">LOAD 2", ">A9-A8", ">H2-H6")
}

// TestBan: BAN is sent right before AI and HINTS, and BAN 0 after them, even if they fail; nothing
// is sent if there is nothing to ban or RULES is 0.
func TestBan(t *testing.T) {
	refuses := on("HINTS", act{Send: "ERROR\n"})
	for _, c := range []struct {
		name string
		m    mischief
		ban  []string
		want []string
	}{
		{"a list", mischief{}, []string{"I3-I4", "A3-A4"}, []string{">BAN 2", ">I3-I4", ">A3-A4", ">HINTS 1", ">BAN 0"}},
		{"nothing", mischief{}, nil, []string{">HINTS 1"}},
		{"nothing legal", mischief{}, []string{"A0-A9", "H9-G7"}, []string{">HINTS 1"}},
		{"twice the same", mischief{}, []string{"I3-I4", "A0-A9", "I3-I4"}, []string{">BAN 1", ">I3-I4", ">HINTS 1", ">BAN 0"}},
		{"no RULES", mischief{info: func(i *Info) { i.Rules = false }}, []string{"I3-I4"}, []string{">HINTS 1"}},
		{"no HINTS", mischief{info: noHints}, []string{"I3-I4"}, []string{">BAN 1", ">I3-I4", ">AI", ">UNDO", ">BAN 0"}},
		{"it refuses", mischief{in: refuses}, []string{"I3-I4"}, []string{">BAN 1", ">I3-I4", ">HINTS 1", ">BAN 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := dialMischief(t, &c.m)
			defer client.Close()
			_, err := searchOnce(t.Context(), client, engine.Limits{Ban: mustMoves(c.ban...)})
			if refused := c.name == "it refuses"; errors.Is(err, pluginclient.ErrRefused) != refused {
				t.Error(err)
			}
			checkSent(t, client, append([]string{"~LEVEL", ">" + startFEN, ">LOAD 2", ">H2-E2", ">H9-G7"}, c.want...)...)
		})
	}
	t.Run("AI", func(t *testing.T) {
		client := dialMischief(t, &mischief{})
		defer client.Close()
		if _, err := client.AI(t.Context(), engine.Limits{Ban: mustMoves("I3-I4")}); err != nil {
			t.Error(err)
		}
		if _, err := client.AI(t.Context(), engine.Limits{}); err != nil {
			t.Error(err)
		}
		checkSent(t, client, "~LEVEL", ">"+startFEN, ">BAN 1", ">I3-I4", ">AI", ">BAN 0", ">AI")
	})
	t.Run("AI without RULES", func(t *testing.T) {
		client := dialMischief(t, &mischief{info: func(i *Info) { i.Rules = false }})
		defer client.Close()
		if _, err := client.AI(t.Context(), engine.Limits{Ban: mustMoves("I3-I4")}); err != nil {
			t.Error(err)
		}
		checkSent(t, client, "~LEVEL", ">"+startFEN, ">AI")
	})
}

// TestRawByteForByte: raw lines are sent unchanged, with LF added.
func TestRawByteForByte(t *testing.T) {
	var mu sync.Mutex
	var got []byte
	start := pluginclient.Pipe(func(_ context.Context, in io.Reader, out io.Writer) error {
		r := bufio.NewReader(in)
		for {
			line, err := r.ReadString('\n')
			mu.Lock()
			got = append(got, line...)
			mu.Unlock()
			if err != nil {
				return nil
			}
			switch cmd, _ := ParseCommand(line); {
			case cmd.Word == Quit:
				return nil
			case cmd == Command{Word: Level}:
				fmt.Fprintln(out, 5)
			case cmd.Word == AI:
				fmt.Fprintln(out, "H2-E2")
			case cmd.Word == Hints:
				fmt.Fprint(out, "h9g7\r\nENDHINTS\r\n")
			case isMove(line), cmd.Word == "FOO":
			default:
				fmt.Fprintln(out, "OK")
			}
		}
	})
	plugin := Plugin{Name: "raw", Info: func(context.Context) (Info, error) { return infoWith(5), nil }, Start: start}
	client, err := Dial(t.Context(), plugin, Options{})
	if err != nil {
		t.Fatal(err)
	}
	raw := []string{
		" lEvEl\t5 \r", "ai ", "hints\r", "load  2\r\nh9g7\n H0-G2 ", "ban 1 \ni9h9", "play I9-h9", "undo  ",
		"FEN  rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - 0 1", "FOO é\x00\xff", "bgthink oFF",
	}
	for _, text := range raw {
		if _, err := client.Raw(t.Context(), text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	client.Close()
	want := "LEVEL\n" + strings.Join(raw[:9], "\n") + "\nLEVEL\n" + raw[9] + "\nQUIT\n"
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestErrorsTell: an error says what kind of failure it was, at which command, after how long, with
// the last lines exchanged and the last lines on stderr.
func TestErrorsTell(t *testing.T) {
	for _, c := range []struct {
		name string
		m    mischief
		want string
	}{
		{
			"hangs",
			mischief{in: deaf("HINTS"), stderr: "one\ntwo\nthree\nfour\n"},
			`mischief: HINTS 1: no answer, and after ABORT: no answer after 5m2s; last lines: >"H9-G7" <"OK" >"HINTS 1" >"ABORT"; stderr: "two" "three" "four"`,
		},
		{
			"half a line",
			mischief{in: on("HINTS", act{Send: "H2-"})},
			`mischief: HINTS 1: incomplete line: "H2-" after 5m0s; last lines: >"H2-E2" >"H9-G7" <"OK" >"HINTS 1"`,
		},
		{
			"nonsense",
			mischief{in: on("FEN", act{Send: "jawohl\n"})},
			`mischief: ` + startFEN + `: invalid reply: not an answer to FEN: "jawohl"; last lines: >"` + startFEN + `" <"jawohl" ~"LEVEL" <"5"`,
		},
		{
			"refuses",
			mischief{in: on("HINTS", act{Send: "ERROR - too tired\n"})},
			`mischief: HINTS 1: refused: too tired; last lines: >"H9-G7" <"OK" >"HINTS 1" <"ERROR - too tired"`,
		},
		{
			"dies",
			mischief{in: on("HINTS", act{Die: true})},
			`mischief: HINTS 1: died: exit status 3; last lines: >"H2-E2" >"H9-G7" <"OK" >"HINTS 1"`,
		},
		{
			"an illegal move",
			mischief{in: on("HINTS", act{Send: "A0-A9\nENDHINTS\n"})},
			`mischief: HINTS 1: an illegal move: A0-A9: the path is blocked at A3; last lines: <"OK" >"HINTS 1" <"A0-A9" <"ENDHINTS"`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := dialMischief(t, &c.m)
				defer client.Close()
				_, err := searchOnce(t.Context(), client, engine.Limits{})
				if err == nil || err.Error() != c.want {
					t.Errorf("error %v\nwant  %s", err, c.want)
				}
			})
		})
	}
}

// TestAdditionsAreMarked: lines that restore the plugin's state before a raw line are marked in the
// trace as added.
func TestAdditionsAreMarked(t *testing.T) {
	client := dialMischief(t, &mischief{})
	defer client.Close()
	ctx := t.Context()
	if err := client.NewGame(ctx, position("B2-E2")); err != nil {
		t.Error(err)
	}
	if _, err := engine.Best(ctx, client, position("H2-E2"), engine.Limits{Level: 3}); err != nil {
		t.Error(err)
	}
	before := len(plugintest.SentLines(client))
	for _, raw := range []string{"play h9g7", "undo", "play h9g7"} {
		if answer, err := client.Raw(ctx, raw); err != nil || !slices.Equal(answer, []string{"OK"}) {
			t.Errorf("%s: %q, %v", raw, answer, err)
		}
	}
	want := []string{"~LEVEL 5", "~" + startFEN, "~PLAY B2-E2", ">play h9g7", ">undo", ">play h9g7"}
	if diff := cmp.Diff(want, plugintest.SentLines(client)[before:]); diff != "" {
		t.Errorf("sent, -want +got:\n%s", diff)
	}
}

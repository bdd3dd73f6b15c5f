package qhplugin

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

const startFEN = "FEN rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w"

func dialMischief(t *testing.T, m *mischief) *Client {
	t.Helper()
	client, err := Dial(t.Context(), m.plugin(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func checkSent(t *testing.T, c *Client, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, plugintest.SentLines(c)); diff != "" {
		t.Errorf("sent, -want +got:\n%s", diff)
	}
}

// TestSearchConversation compares what the client sends for a search with all limits, and for the
// next one.
func TestSearchConversation(t *testing.T) {
	client := dialMischief(t, &mischief{})
	defer client.Close()
	lim := engine.Limits{Level: 3, Lines: 2, Ban: mustMoves("I3-I4", "A0-A9")}
	if _, err := searchOnce(t.Context(), client, lim); err != nil {
		t.Fatal(err)
	}
	if _, err := searchOnce(t.Context(), client, engine.Limits{}); err != nil {
		t.Fatal(err)
	}
	checkSent(t, client, "~LEVEL", ">LEVEL 3", ">"+startFEN, ">LOAD 2", ">H2-E2", ">H9-G7",
		">BAN 1", ">I3-I4", ">HINTS 2", ">BAN 0", ">LEVEL 5", ">HINTS 1")
}

// TestGrowingBan: a plugin that returns one hint is asked again with a longer ban list.
func TestGrowingBan(t *testing.T) {
	client := dialMischief(t, &mischief{
		info: func(i *Info) { i.Text = nil },
		in: func(line string) act {
			if line == "HINTS" {
				return obey("HINTS 1")
			}
			return obey(line)
		},
	})
	defer client.Close()
	lines, err := searchOnce(t.Context(), client, engine.Limits{Lines: 3})
	if err != nil || len(lines) != 3 {
		t.Fatalf("%v, %v", lines, err)
	}
	a, b := iccs(lines[0].Move()), iccs(lines[1].Move())
	checkSent(t, client, "~LEVEL", ">"+startFEN, ">LOAD 2", ">H2-E2", ">H9-G7",
		">HINTS", ">BAN 1", ">"+a, ">HINTS", ">BAN 0", ">BAN 2", ">"+a, ">"+b, ">HINTS", ">BAN 0")
}

// TestWithout: missing abilities are not used, or replaced by other commands.
func TestWithout(t *testing.T) {
	three := engine.Limits{Lines: 3}
	for _, c := range []struct {
		name string
		info func(*Info)
		in   plugintest.Behaviour
		lim  engine.Limits
		kind error
		sent []string // after the position has been set
	}{
		{"HINTS: AI and UNDO", noHints, nil, engine.Limits{}, nil, []string{">AI", ">UNDO"}},
		{
			"HINTS and UNDO: AI, and FEN for the next", func(i *Info) { i.Hints, i.Undo = false, false }, nil,
			engine.Limits{Lines: 2},
			nil,
			[]string{">AI", ">" + startFEN, ">LOAD 2", ">H2-E2", ">H9-G7", ">BAN 1", ">C3-C4", ">AI", ">BAN 0"},
		},
		{"RULES: no BAN", func(i *Info) { i.Rules = false }, nil, engine.Limits{Lines: 3, Ban: mustMoves("I3-I4")}, nil, []string{">HINTS 3"}},
		{
			"RULES: banned hints are passed over", func(i *Info) { i.Rules = false }, on("HINTS", act{Send: "I3-I4\nA3-A4\nENDHINTS\n"}),
			engine.Limits{Ban: mustMoves("I3-I4")},
			nil,
			[]string{">HINTS 1"},
		},
		{
			"RULES: a banned move is an error", func(i *Info) { i.Rules = false }, on("HINTS", act{Send: "I3-I4\nENDHINTS\n"}),
			engine.Limits{Ban: mustMoves("I3-I4")},
			pluginclient.ErrRefused,
			[]string{">HINTS 1"},
		},
		{"RULES: as many hints as it gives", func(i *Info) { i.Rules, i.Text = false, nil }, on("HINTS", act{Send: "I3-I4\nENDHINTS\n"}), three, nil, []string{">HINTS"}},
		{"more hints: it knows no more", func(i *Info) { i.Text = nil }, on("HINTS", act{Send: "I3-I4\nENDHINTS\n"}), three, nil, []string{">HINTS", ">BAN 1", ">I3-I4", ">HINTS", ">BAN 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := dialMischief(t, &mischief{info: c.info, in: c.in})
			defer client.Close()
			_, err := searchOnce(t.Context(), client, c.lim)
			if !errors.Is(err, c.kind) {
				t.Fatal(err)
			}
			sent := plugintest.SentLines(client)[5:]
			if diff := cmp.Diff(len(c.sent), len(sent)); diff != "" || !sameShape(c.sent, sent) {
				t.Errorf("sent %q, want %q", sent, c.sent)
			}
		})
	}
}

// sameShape compares lines, where any move equals any other.
func sameShape(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] && !(isMove(a[i][1:]) && isMove(b[i][1:])) {
			return false
		}
	}
	return true
}

// TestNoTimeout: a plugin without TIMEOUT has time to end by itself, and then gets ABORT.
func TestNoTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dialMischief(t, &mischief{info: func(i *Info) { i.Timeout = false }, pace: time.Hour})
		defer client.Close()
		begun := time.Now()
		_, err := searchOnce(t.Context(), client, engine.Limits{Time: 2 * time.Second})
		if !errors.Is(err, pluginclient.ErrTimedOut) || time.Since(begun) != 5*time.Second {
			t.Errorf("error %v after %v", err, time.Since(begun))
		}
		sent := plugintest.SentLines(client)
		if diff := cmp.Diff([]string{">HINTS 1", ">ABORT", "~LEVEL"}, sent[len(sent)-3:]); diff != "" {
			t.Error(diff)
		}
	})
}

// TestRefusedLimits: what the protocol cannot express is an error, and nothing is sent.
func TestRefusedLimits(t *testing.T) {
	client := dialMischief(t, &mischief{})
	defer client.Close()
	mated, err := xiangqi.ParseFEN("3k5/9/9/9/9/9/9/9/r8/r3K4 w")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		pos  engine.Position
		lim  engine.Limits
		want string
	}{
		{xiangqi.Start(), engine.Limits{Nodes: 5}, "mischief: QHPLUGIN carries no limit on nodes or depth: use a level or a time"},
		{xiangqi.Start(), engine.Limits{Depth: 5}, "mischief: QHPLUGIN carries no limit on nodes or depth: use a level or a time"},
		{mated, engine.Limits{}, "checkmate: no move to choose from"},
		{xiangqi.Start(), engine.Limits{Ban: xiangqi.Start().Moves()}, "every legal move is banned: no move to choose from"},
	} {
		if _, err := engine.Best(t.Context(), client, c.pos, c.lim); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	checkSent(t, client, "~LEVEL")
}

// TestGiveUp: when ctx ends, the call returns at once and the plugin gets ABORT; the next search
// waits until it is idle.
func TestGiveUp(t *testing.T) {
	for _, c := range []struct {
		name string
		m    mischief
		sent []string
	}{
		{"obeys", mischief{}, []string{">HINTS 1", ">ABORT", "~LEVEL", ">HINTS 1", ">TIMEOUT"}},
		{"its answer crosses the ABORT", mischief{in: on("ABORT", obey("TIMEOUT"))}, []string{">HINTS 1", ">ABORT", "~LEVEL", ">HINTS 1", ">TIMEOUT"}},
		{"its move crosses the ABORT", mischief{info: noHints, in: on("ABORT", obey("TIMEOUT"))}, []string{">AI", ">ABORT", "~LEVEL", ">UNDO", ">AI", ">TIMEOUT", ">UNDO"}},
		{"ABORTED when idle too", mischief{in: on("ABORT", act{Obey: []string{"ABORT"}, Send: "ABORTED\n"})}, []string{">HINTS 1", ">ABORT", "~LEVEL", ">HINTS 1", ">TIMEOUT"}},
		{"ignores ABORT and is started again", mischief{in: on("ABORT", act{})}, []string{">HINTS 1", ">ABORT", "~LEVEL", ">LEVEL 5", ">" + startFEN, ">LOAD 2", ">H2-E2", ">H9-G7", ">HINTS 1", ">TIMEOUT"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.m.pace, c.m.lives = 24*time.Hour, 1
				client := dialMischief(t, &c.m)
				defer client.Close()
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(3*time.Second, cancel)
				begun := time.Now()
				_, err := searchOnce(ctx, client, engine.Limits{})
				if !errors.Is(err, context.Canceled) || time.Since(begun) != 3*time.Second {
					t.Fatalf("error %v after %v", err, time.Since(begun))
				}
				if _, err := searchOnce(t.Context(), client, engine.Limits{Time: time.Second}); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.sent, plugintest.SentLines(client)[5:]); diff != "" {
					t.Errorf("sent, -want +got:\n%s", diff)
				}
			})
		})
	}
}

// TestMoveNow: the cause ErrMoveNow sends TIMEOUT and returns an answer.
func TestMoveNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dialMischief(t, &mischief{pace: time.Second})
		defer client.Close()
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(3500*time.Millisecond, func() { cancel(engine.ErrMoveNow) })
		lines, err := searchOnce(ctx, client, engine.Limits{})
		if err != nil || lines[0].Depth != 3 {
			t.Errorf("%v, %v", lines, err)
		}
		// Also if ctx has ended before the command is sent.
		lines, err = searchOnce(ctx, client, engine.Limits{Lines: 2})
		if err != nil || len(lines) == 0 {
			t.Errorf("%v, %v", lines, err)
		}
	})
}

// TestBreakOff: breaking out of the loop leaves the plugin idle.
func TestBreakOff(t *testing.T) {
	client := dialMischief(t, &mischief{})
	defer client.Close()
	for range client.Search(t.Context(), xiangqi.Start(), engine.Limits{}) {
		break
	}
	if _, err := searchOnce(t.Context(), client, engine.Limits{}); err != nil {
		t.Fatal(err)
	}
}

// TestSmallLineBuffer: a plugin that splits a line of over 78 bytes answers twice. The second
// answer is not taken for that of the next command.
func TestSmallLineBuffer(t *testing.T) {
	pos, err := xiangqi.ParseFEN("1r1ak1e1r/1h1c1h1c1/R1C1e1C1R/p1p1p1p1p/1P1P1P1P1/1H2P2H1/9/3A1A3/9/2E1K1E2 w")
	if err != nil {
		t.Fatal(err)
	}
	if line := "FEN " + pos.WireFEN(); len(line) <= safeLine {
		t.Fatalf("the line has only %d bytes", len(line))
	}
	m := &mischief{in: func(line string) act {
		if len(line) > safeLine {
			return obey(line[:safeLine+1], line[safeLine+1:])
		}
		return obey(line)
	}}
	var warnings []string
	client, err := Dial(t.Context(), m.plugin(), Options{ClientOptions: pluginclient.ClientOptions{Warn: func(text string) { warnings = append(warnings, text) }}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := engine.Best(t.Context(), client, pos, engine.Limits{}); err != nil {
		t.Error(err)
	}
	checkSent(t, client, "~LEVEL", ">FEN "+pos.WireFEN(), "~LEVEL", ">HINTS 1")
	if want := []string{"mischief: answers a line of 81 bytes twice, so it may have misread this position: FEN " + pos.WireFEN()}; !slices.Equal(warnings, want) {
		t.Errorf("warnings %q", warnings)
	}
}

// TestQuit: the plugin gets QUIT, has a second, and is then killed.
func TestQuit(t *testing.T) {
	for _, c := range []struct {
		name string
		m    mischief
		took time.Duration
	}{
		{"obeys", mischief{}, 0},
		{"ignores QUIT", mischief{in: on("QUIT", act{})}, time.Second},
		{"says BYE and stays", mischief{in: on("QUIT", act{Send: "BYE\n"})}, time.Second},
		{"dies without a word", mischief{in: on("QUIT", act{Die: true})}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := dialMischief(t, &c.m)
				begun := time.Now()
				client.Close()
				if took := time.Since(begun); took != c.took {
					t.Errorf("took %v, want %v", took, c.took)
				}
				client.Close()
				if _, err := searchOnce(t.Context(), client, engine.Limits{}); !errors.Is(err, pluginclient.ErrClosed) {
					t.Errorf("a search after that: %v", err)
				}
			})
		})
	}
}

// TestCloseWhileThinking: Close ends the search by ABORT.
func TestCloseWhileThinking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dialMischief(t, &mischief{pace: time.Hour})
		failed := make(chan error)
		go func() {
			_, err := searchOnce(t.Context(), client, engine.Limits{})
			failed <- err
		}()
		time.Sleep(time.Second)
		go client.Close()
		if err := <-failed; !errors.Is(err, pluginclient.ErrClosed) {
			t.Errorf("error %v", err)
		}
		client.Close()
		sent := plugintest.SentLines(client)
		if diff := cmp.Diff([]string{">HINTS 1", ">ABORT", "~LEVEL", ">QUIT"}, sent[len(sent)-4:]); diff != "" {
			t.Error(diff)
		}
	})
}

// TestCrashAndReplay: after a crash, level, BGTHINK, FEN and LOAD are sent again.
func TestCrashAndReplay(t *testing.T) {
	m := &mischief{lives: 1, in: on("PLAY A3-A4", act{Die: true}), stderr: "segmentation fault\n"}
	client := dialMischief(t, m)
	defer client.Close()
	ctx := t.Context()
	for _, err := range []error{
		client.SetLevel(ctx, 2), client.SetBGThink(ctx, true),
		client.NewGame(ctx, position("H2-E2", "H9-G7")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	err := client.Load(ctx, mustMoves("A3-A4")[0])
	want := `mischief: PLAY A3-A4: died: exit status 3; last lines: >"H2-E2" >"H9-G7" <"OK" >"PLAY A3-A4"; stderr: "segmentation fault"`
	if err == nil || pluginclient.WithoutDuration(err).Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
	before := len(plugintest.SentLines(client))
	if err := client.Load(ctx, mustMoves("A3-A4")[0]); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{
		"~LEVEL", ">LEVEL 2", ">BGTHINK ON", ">" + startFEN, ">LOAD 3", ">H2-E2", ">H9-G7", ">A3-A4",
	}, plugintest.SentLines(client)[before:]); diff != "" {
		t.Errorf("sent, -want +got:\n%s", diff)
	}
}

// TestTypedCallsSendLegalMovesOnly: an illegal move is never sent.
func TestTypedCallsSendLegalMovesOnly(t *testing.T) {
	client := dialMischief(t, &mischief{})
	defer client.Close()
	if err := client.Load(t.Context(), mustMoves("H2-H7")[0]); err == nil {
		t.Error("H2-H7 was played")
	}
	if err := client.Undo(t.Context()); err == nil {
		t.Error("nothing was undone")
	}
	checkSent(t, client, "~LEVEL")
}

// TestUndoWithoutUndo: a plugin without UNDO is set to the position before the move.
func TestUndoWithoutUndo(t *testing.T) {
	client := dialMischief(t, &mischief{info: func(i *Info) { i.Undo = false }})
	defer client.Close()
	if err := client.NewGame(t.Context(), position("H2-E2", "H9-G7")); err != nil {
		t.Fatal(err)
	}
	if err := client.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkSent(t, client, "~LEVEL", ">"+startFEN, ">LOAD 2", ">H2-E2", ">H9-G7", ">"+startFEN, ">PLAY H2-E2")
}

// TestBannedMove: a banned move is never accepted, even from a plugin that has lost the list.
func TestBannedMove(t *testing.T) {
	client := dialMischief(t, &mischief{in: on("AI", act{Send: "H2-E2\n"})})
	defer client.Close()
	_, err := client.AI(t.Context(), engine.Limits{Ban: mustMoves("H2-E2")})
	if !errors.Is(err, pluginclient.ErrRefused) {
		t.Errorf("error %v", err)
	}
	if _, moves := client.Position().History(); len(moves) != 0 {
		t.Errorf("it was played: %v", client.Position())
	}
}

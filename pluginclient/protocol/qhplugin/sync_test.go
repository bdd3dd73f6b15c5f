package qhplugin

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/plugintest"
)

// TestWaitingForTheTurnHasAContext: a call that waits for another's search returns at once when its
// ctx ends.
func TestWaitingForTheTurnHasAContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dialMischief(t, &mischief{pace: time.Hour})
		defer client.Close()
		first := make(chan error)
		go func() {
			_, err := searchOnce(t.Context(), client, engine.Limits{Time: time.Minute})
			first <- err
		}()
		time.Sleep(time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begun := time.Now()
		_, err := searchOnce(ctx, client, engine.Limits{})
		if took := time.Since(begun); !errors.Is(err, context.DeadlineExceeded) || took != time.Second {
			t.Errorf("error %v after %v", err, took)
		}
		if err := <-first; err != nil {
			t.Error(err)
		}
	})
}

// TestUndoAfterASearchElsewhere: after a search of another game, UNDO must not take back a move of
// that game.
func TestUndoAfterASearchElsewhere(t *testing.T) {
	client := dialMischief(t, &mischief{})
	defer client.Close()
	ctx := t.Context()
	if err := client.NewGame(ctx, position("H2-E2", "H9-G7")); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Best(ctx, client, position("B2-D2", "A9-A8"), engine.Limits{}); err != nil {
		t.Fatal(err)
	}
	if err := client.Undo(ctx); err != nil {
		t.Fatal(err)
	}
	// The plugin's board must be the client's.
	if err := client.Load(ctx, mustMoves("A9-A8")[0]); err != nil {
		t.Fatal(err)
	}
	screen, err := client.Raw(ctx, "SCR")
	if want := position("H2-E2", "A9-A8").Diagram(); err != nil || strings.Join(screen, "\n")+"\n" != want {
		t.Errorf("%v, the plugin has\n%s\ninstead of\n%s", err, strings.Join(screen, "\n"), want)
	}
}

// TestRawAfterASearchElsewhere: a raw command uses the conversation's board and level.
func TestRawAfterASearchElsewhere(t *testing.T) {
	for _, raw := range []string{"PLAY A9-A8", "LOAD 1\nA9-A8", "SCR", "UNDO", "HINTS", "AI", "LEVEL"} {
		client := dialMischief(t, &mischief{})
		ctx := t.Context()
		if err := client.NewGame(ctx, position("H2-E2")); err != nil {
			t.Fatal(err)
		}
		if err := client.SetLevel(ctx, 4); err != nil {
			t.Fatal(err)
		}
		elsewhere := position("B2-D2", "A9-A8")
		want, err := client.Raw(ctx, raw)
		if err != nil {
			t.Fatal(err)
		}
		if err := client.NewGame(ctx, position("H2-E2")); err != nil {
			t.Fatal(err)
		}
		if _, err := engine.Best(ctx, client, elsewhere, engine.Limits{Level: 3}); err != nil {
			t.Fatal(err)
		}
		got, err := client.Raw(ctx, raw)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q", raw, got, err, want)
		}
		client.Close()
	}
}

// TestRawAfterARestart: so does a raw command after a restart by a typed call.
func TestRawAfterARestart(t *testing.T) {
	client := dialMischief(t, &mischief{lives: 1, in: on("PLAY A3-A4", act{Die: true})})
	defer client.Close()
	ctx := t.Context()
	if err := client.NewGame(ctx, position("H2-E2", "H9-G7")); err != nil {
		t.Fatal(err)
	}
	if err := client.Load(ctx, mustMoves("A3-A4")[0]); !errors.Is(err, pluginclient.ErrDied) {
		t.Fatal(err)
	}
	if err := client.SetLevel(ctx, 3); err != nil {
		t.Fatal(err)
	}
	got, err := client.Raw(ctx, "SCR")
	if want := position("H2-E2", "H9-G7").Diagram(); err != nil || strings.Join(got, "\n")+"\n" != want {
		t.Errorf("%v, the plugin has\n%s", err, strings.Join(got, "\n"))
	}
}

// TestBanZeroAfterFailingAI: BAN 0 is sent even after an AI that fails.
func TestBanZeroAfterFailingAI(t *testing.T) {
	lim := engine.Limits{Ban: mustMoves("I3-I4")}
	for _, c := range []struct {
		name string
		say  string
	}{{"ERROR", "ERROR\n"}, {"illegal", "A0-A9\n"}, {"banned", "I3-I4\n"}} {
		client := dialMischief(t, &mischief{in: on("AI", act{Send: c.say})})
		if _, err := client.AI(t.Context(), lim); err == nil {
			t.Error("no error")
		}
		if sent := plugintest.SentLines(client); sent[len(sent)-1] != ">BAN 0" {
			t.Errorf("%s: sent %q", c.name, sent)
		}
		client.Close()
	}
	synctest.Test(t, func(t *testing.T) {
		client := dialMischief(t, &mischief{pace: time.Hour})
		defer client.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := client.AI(ctx, lim); err == nil {
			t.Error("no error")
		}
		synctest.Wait()
		if sent := plugintest.SentLines(client); sent[len(sent)-1] != ">BAN 0" {
			t.Errorf("aborted: sent %q", sent)
		}
	})
}

// TestBanZeroRefused: if a plugin rejects BAN 0, the search still succeeds.
func TestBanZeroRefused(t *testing.T) {
	client := dialMischief(t, &mischief{in: on("BAN 0", act{Send: "ERROR\n"})})
	defer client.Close()
	lim := engine.Limits{Ban: mustMoves("I3-I4")}
	if lines, err := searchOnce(t.Context(), client, lim); err != nil || len(lines) != 1 {
		t.Errorf("%v, %v", lines, err)
	}
	if _, err := client.AI(t.Context(), lim); err != nil {
		t.Error(err)
	}
}

// TestRawInStep: after a raw LOAD or BAN that the plugin rejects line by line, and after a raw FEN
// that it answers twice, the next command gets its own answer.
func TestRawInStep(t *testing.T) {
	for _, raw := range []string{"LOAD 2\nH2-E2\nH9-G7", "BAN 1\nA0-A1", "FEN rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1 and more to come"} {
		synctest.Test(t, func(t *testing.T) {
			client := dialMischief(t, &mischief{in: func(line string) act {
				if line == "LEVEL" || line == "QUIT" {
					return obey(line)
				}
				if strings.HasPrefix(line, "LEVEL") {
					return obey(line)
				}
				time.Sleep(time.Millisecond)
				if strings.HasPrefix(line, "FEN") {
					return act{Obey: []string{line[:60], line[60:]}}
				}
				return act{Send: "ERROR - bad command\n"}
			}})
			defer client.Close()
			if _, err := client.Raw(t.Context(), raw); err != nil {
				t.Error(err)
			}
			if err := client.SetLevel(t.Context(), 3); err != nil {
				t.Errorf("%.6s: then LEVEL 3: %v", raw, err)
			}
			if got, err := client.Raw(t.Context(), "LEVEL"); err != nil || !slices.Equal(got, []string{"3"}) {
				t.Errorf("%.6s: then LEVEL: %q, %v", raw, got, err)
			}
		})
	}
}

// TestServeEndsWithTheCause: Serve returns the cause of ctx, even during a search.
func TestServeEndsWithTheCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		in, host := io.Pipe()
		defer host.Close()
		why := errors.New("shut down")
		time.AfterFunc(time.Second, func() { cancel(why) })
		go func() { _, _ = io.WriteString(host, "AI\n") }()
		err := (&Server{Searcher: enginetest.Ranker{Depth: 100, Pace: time.Minute}}).Serve(ctx, in, io.Discard)
		if !errors.Is(err, why) {
			t.Errorf("error %v", err)
		}
	})
}

// TestNoMoveIsLeftByQuieting: the text around what is removed from an error must not join to form a
// move.
func TestNoMoveIsLeftByQuieting(t *testing.T) {
	for _, text := range []string{"HA0-A12-E2", `H"x"2-E2`, "HH2-E22-E2"} {
		if got := errorText(errors.New(text)); anyMove.MatchString(got) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestAIAndPlayTogether: AI searches the board at the time when it is executed.
func TestAIAndPlayTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dialMischief(t, &mischief{in: slow("PLAY", time.Second)})
		defer client.Close()
		if err := client.NewGame(t.Context(), xiangqi.Start()); err != nil {
			t.Fatal(err)
		}
		go func() { _ = client.Load(t.Context(), mustMoves("H2-E2")[0]) }()
		synctest.Wait()
		if _, err := client.AI(t.Context(), engine.Limits{}); err != nil {
			t.Error(err)
		}
		if _, moves := client.Position().History(); len(moves) != 2 {
			t.Errorf("the game is %v", moves)
		}
	})
}

func TestLoadReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := converse(t, &Server{Searcher: enginetest.Ranker{}}, "LOAD 1\nA0-A5\n")
		if want := "ERROR line 1: the path is blocked at A3\n"; len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// TestRawMovesWithBlanks: spaces around the moves of a raw LOAD do not count as a fault of the
// plugin.
func TestRawMovesWithBlanks(t *testing.T) {
	client := dialMischief(t, &mischief{})
	defer client.Close()
	if _, err := client.Raw(t.Context(), "load 2\r\n H2-E2 \nh9g7\r"); err != nil {
		t.Error(err)
	}
	if got, want := client.Position().String(), position("H2-E2", "H9-G7").String(); got != want {
		t.Errorf("the board is %s, want %s", got, want)
	}
}

package qhplugin

import (
	"context"
	"errors"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient"
)

var errTest = errors.New("given up by the test")

// TestIdle: after an abandoned call, Idle waits until ABORT has been answered.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dialMischief(t, &mischief{pace: time.Second})
		defer client.Close()
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(3*time.Second, func() { cancel(errTest) })
		if _, err := client.Raw(ctx, "AI"); !errors.Is(err, errTest) {
			t.Errorf("error %v", err)
		}
		if err := client.Idle(t.Context()); err != nil {
			t.Errorf("not idle: %v", err)
		}
		checkSent(t, client, "~LEVEL", ">AI", ">ABORT", "~LEVEL")
		if answer, err := client.Raw(t.Context(), "LEVEL"); err != nil || len(answer) != 1 {
			t.Errorf("%q, %v", answer, err)
		}
	})
}

// TestIdleTellsOfTheLost: a plugin that does not obey ABORT is lost, and Idle returns that.
func TestIdleTellsOfTheLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dialMischief(t, &mischief{pace: time.Second, lives: 1, in: func(line string) act {
			if line == "AI" || line == "ABORT" {
				return obey()
			}
			return obey(line)
		}})
		defer client.Close()
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(errTest) })
		if _, err := client.Raw(ctx, "AI"); !errors.Is(err, errTest) {
			t.Errorf("error %v", err)
		}
		if err := client.Idle(t.Context()); !errors.Is(err, pluginclient.ErrNoReply) {
			t.Errorf("idle: %v", err)
		}
		if err := client.Restart(t.Context()); err != nil {
			t.Error(err)
		}
		if err := client.Idle(t.Context()); err != nil {
			t.Errorf("after a restart: %v", err)
		}
	})
}

// TestKill: a plugin that is killed during a search is restarted at the same position.
func TestKill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dialMischief(t, &mischief{pace: time.Second})
		defer client.Close()
		if err := client.Load(t.Context(), mustMoves("H2-E2")[0]); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(3*time.Second, client.Kill)
		if _, err := client.Raw(t.Context(), "AI"); !errors.Is(err, pluginclient.ErrDied) {
			t.Errorf("error %v", err)
		}
		if err := client.Restart(t.Context()); err != nil {
			t.Error(err)
		}
		if _, moves := client.Position().History(); len(moves) != 1 {
			t.Errorf("the board has %d moves", len(moves))
		}
		checkSent(t, client, "~LEVEL", ">"+startFEN, ">PLAY H2-E2", ">AI", "~LEVEL", ">LEVEL 5", ">"+startFEN, ">PLAY H2-E2")
	})
}

// TestBGThinkIsKnown: the client knows BGTHINK, whether set by a typed call or a raw line.
func TestBGThinkIsKnown(t *testing.T) {
	client := dialMischief(t, &mischief{})
	defer client.Close()
	for _, on := range []bool{true, false} {
		if err := client.SetBGThink(t.Context(), on); err != nil || client.BGThink() != on {
			t.Errorf("%v, want %v: %v", client.BGThink(), on, err)
		}
	}
	if _, err := client.Raw(t.Context(), "bgthink on"); err != nil || !client.BGThink() {
		t.Errorf("%v, %v", client.BGThink(), err)
	}
}

// TestWatch: a server calls Watch with every list of a search.
func TestWatch(t *testing.T) {
	var depths []int
	server := &Server{Searcher: stepper{}, Name: "steps", Watch: func(_ engine.Position, lines []engine.Line) {
		depths = append(depths, lines[0].Depth)
	}}
	client, err := Dial(t.Context(), InProcess(server), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := client.Raw(t.Context(), "AI"); err != nil {
		t.Fatal(err)
	}
	if len(depths) != 3 || depths[2] != 3 {
		t.Errorf("Watch was called with depths %v", depths)
	}
}

type stepper struct{}

func (stepper) Search(_ context.Context, pos engine.Position, _ engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		for depth := 1; depth <= 3; depth++ {
			if !yield([]engine.Line{{Moves: pos.Moves()[:1], Depth: depth}}, nil) {
				return
			}
		}
	}
}

// TestAskedBehindTheEnd: raw AI and HINTS are sent, and answered, even if ctx has already ended.
func TestAskedBehindTheEnd(t *testing.T) {
	for _, c := range []struct {
		word, stop string
		why        error
		answer     string // the plugin's answer
	}{
		{"AI", "ABORT", errTest, "ABORTED"},
		{"hints 1", "ABORT", errTest, "ABORTED"},
		{"AI", "TIMEOUT", engine.ErrMoveNow, "H2-H3"},
		{"HINTS 1", "TIMEOUT", engine.ErrMoveNow, "ENDHINTS"},
	} {
		t.Run(c.word+" "+c.stop, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := dialMischief(t, &mischief{pace: time.Second})
				defer client.Close()
				if _, err := client.AskLevel(t.Context()); err != nil {
					t.Fatal(err)
				}
				ctx, giveUp := context.WithCancelCause(t.Context())
				giveUp(c.why)
				answer, err := client.Raw(ctx, c.word)
				said := []string{">" + c.word, ">" + c.stop}
				if errors.Is(c.why, errTest) {
					said = append(said, "~LEVEL")
					if answer != nil || !errors.Is(err, errTest) {
						t.Errorf("%q, %v", answer, err)
					}
				} else if err != nil || answer[len(answer)-1] != c.answer {
					t.Errorf("%q, %v", answer, err)
				}
				checkSent(t, client, append([]string{"~LEVEL", ">LEVEL"}, said...)...)
				heard := client.Trace().Last(10, func(e pluginclient.Entry) bool {
					return e.Dir == pluginclient.Received && e.Text == c.answer
				})
				if len(heard) != 1 {
					t.Errorf("%s came %d times", c.answer, len(heard))
				}
			})
		})
	}
}

package enginetest

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"qhsh/engine"
)

func TestStonesConforms(t *testing.T) { Conform(t, Stones, 20) }

// TestStones plays a whole game with what the contract must allow: a chance ply, and two moves of
// one side in a row.
func TestStones(t *testing.T) {
	pos := Stones.Start()
	for _, step := range []struct {
		turn engine.Turn
		move string
	}{
		{engine.Chance, "roll 2"},
		{engine.First, "take 2"},
		{engine.First, "take 1"},
		{engine.Chance, "roll 2"},
		{engine.Second, "take 2"},
		{engine.Second, "take 2"},
	} {
		if pos.Turn() != step.turn {
			t.Fatalf("%v: turn %v, want %v", pos, pos.Turn(), step.turn)
		}
		m, err := pos.Parse(step.move)
		if err != nil {
			t.Fatal(err)
		}
		if pos, err = pos.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	if got := pos.Result().String(); got != "second wins by last stone" {
		t.Errorf("result %q", got)
	}
}

func TestRankerStops(t *testing.T) {
	r := Ranker{Depth: 10, Pace: time.Second}
	pos, err := Stones.Position("9 first 2")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		lim   engine.Limits
		cause error
		depth int
	}{
		{"to the end", engine.Limits{}, nil, 10},
		{"time", engine.Limits{Time: 3500 * time.Millisecond}, nil, 3},
		{"move now", engine.Limits{}, engine.ErrMoveNow, 2},
		{"give up", engine.Limits{}, context.Canceled, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				if c.cause != nil {
					time.AfterFunc(2500*time.Millisecond, func() { cancel(c.cause) })
				}
				lines, err := engine.Best(ctx, r, pos, c.lim)
				cancel(nil)
				if c.depth == 0 {
					if !errors.Is(err, c.cause) {
						t.Fatalf("error %v", err)
					}
					return
				}
				if err != nil || lines[0].Depth != c.depth {
					t.Fatalf("depth %v, error %v", lines, err)
				}
			})
		})
	}
}

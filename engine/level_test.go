package engine_test

import (
	"testing"

	"pgregory.net/rapid"

	"qhsh/engine"
)

// TestAtElo: an Elo is played with the nodes of its level, more with more of them, and never with more than the
// limits allow.
func TestAtElo(t *testing.T) {
	levels := engine.NodeLevels()
	for i, elo := range []int{1000, 1300, 1700, 2300} {
		levels[i].Elo = elo
		if got := (engine.Limits{}).AtElo(levels, elo); got.Nodes != levels[i].Limits.Nodes {
			t.Errorf("Elo %d is played with %d nodes, want %d", elo, got.Nodes, levels[i].Limits.Nodes)
		}
	}
	if lowest, highest := engine.EloRange(levels); lowest != 1000 || highest != 2300 {
		t.Errorf("the range is %d to %d", lowest, highest)
	}
	rapid.Check(t, func(t *rapid.T) {
		elo := rapid.IntRange(900, 2400).Draw(t, "elo")
		limits := engine.Limits{Nodes: rapid.Int64Range(0, 10_000).Draw(t, "nodes"), Depth: 3}
		got, more := limits.AtElo(levels, elo), limits.AtElo(levels, elo+1)
		if got.Nodes > more.Nodes || got.Nodes < 1 || limits.Nodes > 0 && got.Nodes > limits.Nodes || got.Depth != 3 {
			t.Errorf("%+v at %d is %+v, at the next %+v", limits, elo, got, more)
		}
	})
	if got := (engine.Limits{Nodes: 7}).AtElo(engine.NodeLevels(), 1500); got.Nodes != 7 {
		t.Errorf("levels without Elo change the limits to %+v", got)
	}
}

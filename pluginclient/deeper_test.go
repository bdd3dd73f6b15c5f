package pluginclient

import (
	"testing"
	"time"

	"qhsh/engine"
)

// A boundedSession has bounds and ten levels.
type boundedSession struct {
	Session
	bounds Bounds
	levels []engine.Level
}

func (s boundedSession) Bounds() Bounds { return s.bounds }
func (s boundedSession) Info() Info     { return Info{Levels: s.levels} }

func TestDeeper(t *testing.T) {
	odd := []engine.Level{{ID: 10}, {ID: 20}, {ID: 30}}
	own := Bounds{Level: 5, Known: true}
	for _, c := range []struct {
		name   string
		bounds Bounds
		levels []engine.Level
		lim    engine.Limits
		n      int
		want   engine.Limits
	}{
		{"the engine's own level", own, engine.NodeLevels(), engine.Limits{Lines: 1}, 3, engine.Limits{Level: 8, Lines: 1}},
		{"a level", own, engine.NodeLevels(), engine.Limits{Level: 2}, 2, engine.Limits{Level: 4}},
		{"near the highest level", own, engine.NodeLevels(), engine.Limits{Level: 9}, 3, engine.Limits{Level: 10}},
		{"the highest level", own, engine.NodeLevels(), engine.Limits{Level: 10}, 3, engine.Limits{Level: 10}},
		{"levels with other numbers", Bounds{Level: 10, Known: true, Always: true}, odd, engine.Limits{}, 1, engine.Limits{Level: 20}},
		{"an unknown level", Bounds{Level: 5, Known: true, Always: true}, nil, engine.Limits{}, 1, engine.Limits{}},
		{"nodes", own, engine.NodeLevels(), engine.Limits{Nodes: 100}, 2, engine.Limits{Nodes: 400}},
		{"depth", own, engine.NodeLevels(), engine.Limits{Depth: 6}, 2, engine.Limits{Depth: 8}},
		{"time", own, engine.NodeLevels(), engine.Limits{Time: time.Second}, 1, engine.Limits{Time: 2 * time.Second}},
		{
			"a level and time",
			Bounds{Level: 10, Known: true, Always: true},
			odd,
			engine.Limits{Time: time.Second},
			1,
			engine.Limits{Level: 20, Time: 2 * time.Second},
		},
		{"not at all", own, engine.NodeLevels(), engine.Limits{Level: 2}, 0, engine.Limits{Level: 2}},
		{"no limit", Bounds{}, nil, engine.Limits{}, 3, engine.Limits{}},
		{"limits that are fixed", Bounds{Fixed: engine.Limits{Nodes: 1000}}, engine.NodeLevels(), engine.Limits{Level: 2}, 3, engine.Limits{Level: 2}},
	} {
		got := Deeper(boundedSession{bounds: c.bounds, levels: c.levels}, c.lim, c.n)
		if got.Level != c.want.Level || got.Nodes != c.want.Nodes || got.Depth != c.want.Depth || got.Time != c.want.Time || got.Lines != c.want.Lines {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

package games_test

import (
	"slices"
	"testing"

	"qhsh/engine"
	"qhsh/engine/games"
)

// TestPlayers: the engine of each game that has one plays it, and takes the memory that it says.
func TestPlayers(t *testing.T) {
	for _, game := range table.Players() {
		player := table.Row(game)
		if len(player.EngineOptions()) == 0 {
			t.Fatalf("%s: no options", game.Name())
		}
		var settings []games.Setting
		mebibytes := 0
		if slices.ContainsFunc(player.EngineOptions(), func(o games.Option) bool { return o.Name == "hash" }) {
			settings, mebibytes = []games.Setting{{Key: "hash", Value: "2"}}, 2
		}
		e, err := player.Engine(game, settings)
		if err != nil || e.Memory != mebibytes || e.MaxMemory < mebibytes || e.Threads != 1 || e.Budget {
			t.Errorf("%s: %+v, %v", game.Name(), e, err)
		}
		searcher, err := e.New()
		if err != nil {
			t.Fatal(err)
		}
		lines, err := engine.Best(t.Context(), searcher, game.Start(), engine.Limits{Nodes: 100})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := game.Start().Play(lines[0].Move()); err != nil {
			t.Error(err)
		}
		if _, err := player.Engine(game, []games.Setting{{Key: "hash", Value: "x"}}); err == nil && mebibytes > 0 {
			t.Errorf("%s: hash=x is taken", game.Name())
		}
	}
}

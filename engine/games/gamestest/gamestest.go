// Package gamestest helps to test what is built on the table of games: it has the row of a game
// that nothing else knows.
package gamestest

import (
	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
)

var _ games.Player = Stones{}

// Stones is the row of [enginetest.Stones]: its rules and an engine, and no other ability.
type Stones struct {
	Searcher engine.Searcher // nil: an [enginetest.Ranker]
}

// Table returns the default table with that row.
func Table() games.Table { return games.Default.With(Stones{}) }

// Game returns the game.
func (Stones) Game() engine.Game { return enginetest.Stones }

// EngineOptions returns the size of a table that the engine has not got.
func (Stones) EngineOptions() []games.EngineOption {
	return []games.EngineOption{{Name: "hash", Help: "MiB of memory for the table"}}
}

// Engine is the engine, which takes as much memory as the option says.
func (r Stones) Engine(_ engine.Game, settings []games.Setting) (games.Engine, error) {
	searcher := r.Searcher
	if searcher == nil {
		searcher = enginetest.Ranker{}
	}
	e := games.Engine{New: func() (engine.Searcher, error) { return searcher, nil }, Memory: 1, MaxMemory: 1000, Threads: 1}
	for _, s := range settings {
		var err error
		if e.Memory, err = s.Positive(); err != nil {
			return e, err
		}
	}
	return e, nil
}

// Package gamestest helps to test what is built on the table of games: it has the row of a game
// that nothing else knows, and an engine of Xiangqi that stays the same.
package gamestest

import (
	"qhsh/engine"
	"qhsh/engine/enginetest"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
)

// Table returns the default table with the row of [enginetest.Stones].
func Table() games.Table { return games.Default.With(Stones(enginetest.Ranker{})) }

// EvaluateSmall makes the embedded engine of Xiangqi evaluate by the small network where a SPEC has no eval: so
// what tests expect is the same with every network of the program. What a test asks of that network has eval=net.
func EvaluateSmall() {
	row := games.Default.Row(xiangqi.Rules)
	asked := row.Engine
	row.Engine = func(g engine.Game, settings []games.Setting) (games.Engine, error) {
		return asked(g, append([]games.Setting{{Key: "eval", Value: "small"}}, settings...)) // the last one counts
	}
}

// Stones returns the row of [enginetest.Stones]: its rules and an engine, and no other ability. The
// engine takes as much memory as the option says.
func Stones(searcher engine.Searcher) *games.Row {
	return &games.Row{
		Game: enginetest.Stones,
		EngineOptions: func() []games.Option {
			return []games.Option{{Name: "hash", Help: "MiB of memory for the table"}}
		},
		Engine: func(_ engine.Game, settings []games.Setting) (games.Engine, error) {
			e := games.Engine{New: func() (engine.Searcher, error) { return searcher, nil }, Memory: 1, MaxMemory: 1000, Threads: 1}
			for _, s := range settings {
				var err error
				if e.Memory, err = s.Positive(); err != nil {
					return e, err
				}
			}
			return e, nil
		},
	}
}

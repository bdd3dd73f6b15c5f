package games

import (
	"cmp"

	"qhsh/engine"
	"qhsh/engine/alphabeta"
	"qhsh/engine/checkers"
	"qhsh/engine/checkers/search"
)

var _ interface {
	Player
	Puzzler
} = checkersRow{}

func (checkersRow) ForcedWin() string { return "win" }

func (checkersRow) EngineOptions() []EngineOption {
	return []EngineOption{{Name: "hash", Help: "MiB of memory for the table"}}
}

func (checkersRow) Engine(g engine.Game, settings []Setting) (Engine, error) {
	rules, _ := g.(checkers.Rules)
	o := search.Options{Rules: rules}
	for _, s := range settings {
		var err error
		if o.Hash, err = s.Number(); err != nil {
			return Engine{}, err
		}
	}
	return Engine{
		New:    func() (engine.Searcher, error) { return search.New(o) },
		Memory: cmp.Or(o.Hash, alphabeta.DefaultHash), MaxMemory: alphabeta.MaxHash, Threads: 1,
	}, nil
}

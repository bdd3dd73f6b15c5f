package games

import (
	"fmt"
	"strconv"

	"qhsh/engine"
	"qhsh/engine/quoridor"
	"qhsh/engine/quoridor/search"
	"qhsh/engine/render"
)

var quoridorRow = &Row{
	Game:    quoridor.Default,
	Heading: "Quoridor", Summary: "Quoridor: positions, engines, games",
	Options: []Option{
		{Name: "size", Help: fmt.Sprintf("play on a board of `N` cells a side (default %d)", quoridor.Default.Size)},
		{Name: "walls", Help: "give each side `N` walls; without it as many as the protocol's referee gives"},
	},
	New: func(v Values) (engine.Game, error) {
		size := v.number("size", quoridor.Default.Size)
		return quoridor.NewRules(size, v.number("walls", quoridor.DefaultWalls(size)))
	},
	Values: func(g engine.Game) Values {
		rules := g.(quoridor.Rules)
		return Values{"size": strconv.Itoa(rules.Size), "walls": strconv.Itoa(rules.Walls)}
	},
	Describe: func(g engine.Game) string {
		rules := g.(quoridor.Rules)
		return fmt.Sprintf("%s of size %d with %d walls", rules.Name(), rules.Size, rules.Walls)
	},
	PositionText: `the size, b or w to move, Black's and White's pawn and walls
             left, and the walls that stand, or -: 9 b E8/10 E2/9 E3h,D5v`,
	Words: map[string]map[string]string{chinese: {"black": "黑方", "white": "白方", "goal reached": "到达底线"}},

	Perft:   quoridor.PerftUntil,
	Samples: func(g engine.Game) []engine.Position { return positions(quoridor.Samples(g.(quoridor.Rules))) },
	// The game knows no draw, and a side that could win may go to and fro for ever; games of engines
	// that make progress have some 50 moves of each side.
	MoveLimit: 500,
	HandOver:  handOver(" ", 1, "b", "w"),

	Draw: func(p engine.Position, _ TextOptions) string { return p.(*quoridor.Position).Diagram() },
	Board: &Board{
		Look:  func(g engine.Game) *render.Look { return quoridor.Look(g.(quoridor.Rules).Size) },
		Items: func(p engine.Position) []render.Item { return p.(*quoridor.Position).Items() },
		Ends: func(p engine.Position, move string) ([]string, error) {
			action, err := quoridor.ParseAction(move, p.Turn())
			return []string{action.String()}, err
		},
		Point: func(_ engine.Position, text string) (string, error) {
			cell, err := quoridor.ParseVertex(text)
			return cell.String(), err
		},
		Rules: func(engine.Game) string { return quoridor.ScriptRules },
	},

	ForcedWin:     "win",
	EngineOptions: tableOptions,
	Engine: func(_ engine.Game, settings []Setting) (Engine, error) {
		return tableEngine(settings, func(hash int) (engine.Searcher, error) { return search.New(hash) })
	},
}

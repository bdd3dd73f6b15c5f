package games

import (
	"cmp"
	"context"
	"fmt"

	"qhsh/engine"
	"qhsh/engine/alphabeta"
	"qhsh/engine/quoridor"
	"qhsh/engine/quoridor/search"
)

var _ interface {
	Configurable
	Divider
	Sampler
	TextDrawer
	ScriptDrawer
	PositionDescriber
	Documented
	Player
	Puzzler
	Translator
} = quoridorRow{}

type quoridorRow struct{}

func (quoridorRow) Section() (heading, summary string) {
	return "Quoridor", "Quoridor: positions, engines, games"
}

func (quoridorRow) Game() engine.Game { return quoridor.Default }

func (quoridorRow) Options() []Option {
	return []Option{
		{Name: "size", Help: fmt.Sprintf("play on a board of `N` cells a side (default %d)", quoridor.Default.Size)},
		{Name: "walls", Help: "give each side `N` walls; without it as many as the protocol's referee gives"},
	}
}

func (quoridorRow) New(v Values) (engine.Game, error) {
	size := v.number("size", quoridor.Default.Size)
	return quoridor.NewRules(size, v.number("walls", quoridor.DefaultWalls(size)))
}

func (quoridorRow) Describe(g engine.Game) string {
	rules, ok := g.(quoridor.Rules)
	if !ok {
		return g.Name()
	}
	return fmt.Sprintf("%s of size %d with %d walls", rules.Name(), rules.Size, rules.Walls)
}

func (quoridorRow) Divide(ctx context.Context, p engine.Position, depth, jobs int) ([]Branch, error) {
	pos, ok := p.(*quoridor.Position)
	if !ok {
		return nil, engine.OtherGame(p, quoridor.Default)
	}
	all, err := quoridor.Divide(ctx, pos, depth, jobs)
	branches := make([]Branch, len(all))
	for i, b := range all {
		branches[i] = Branch{b.Action.String(), b.Nodes}
	}
	return branches, err
}

func (quoridorRow) Samples(g engine.Game) (all []engine.Position) {
	rules, ok := g.(quoridor.Rules)
	if !ok {
		rules = quoridor.Default
	}
	for _, p := range quoridor.Samples(rules) {
		all = append(all, p)
	}
	return all
}

// Styles returns nil: there is only the authors' diagram.
func (quoridorRow) Styles() []string { return nil }

func (quoridorRow) Draw(p engine.Position, _ TextOptions) string {
	pos, ok := p.(*quoridor.Position)
	if !ok {
		return p.String() + "\n"
	}
	return pos.Diagram()
}

func (quoridorRow) Script(engine.Game) string { return quoridor.Script() }

func (quoridorRow) PositionText() string {
	return `the size, b or w to move, Black's and White's pawn and walls
             left, and the walls that stand, or -: 9 b E8/10 E2/9 E3h,D5v`
}

// Notation returns "": moves are the same in all languages.
func (quoridorRow) Notation(string) string { return "" }

func (quoridorRow) Words(language string) map[string]string {
	if language != chinese {
		return nil
	}
	return map[string]string{"black": "黑方", "white": "白方", "goal reached": "到达底线"}
}

func (quoridorRow) ForcedWin() string { return "win" }

func (quoridorRow) EngineOptions() []EngineOption {
	return []EngineOption{{Name: "hash", Help: "MiB of memory for the table"}}
}

func (quoridorRow) Engine(_ engine.Game, settings []Setting) (Engine, error) {
	var o search.Options
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

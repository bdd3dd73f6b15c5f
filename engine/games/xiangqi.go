package games

import (
	"context"

	"qhsh/engine"
	"qhsh/engine/render"
	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/notation"
)

var _ interface {
	Divider
	Sampler
	PGNStyler
	MoveReader
	Scripter
} = xiangqiRow{}

type xiangqiRow struct{}

func (xiangqiRow) Game() engine.Game  { return xiangqi.Rules }
func (xiangqiRow) Loose() engine.Game { return notation.Rules }
func (xiangqiRow) Script() string     { return render.Script() }

func (xiangqiRow) Divide(ctx context.Context, p engine.Position, depth, jobs int) ([]Branch, error) {
	pos, ok := p.(*xiangqi.Position)
	if !ok {
		return nil, engine.OtherGame(p, xiangqi.Rules)
	}
	all, err := xiangqi.Divide(ctx, pos, depth, jobs)
	branches := make([]Branch, len(all))
	for i, b := range all {
		branches[i] = Branch{b.Move.UCI(), b.Nodes}
	}
	return branches, err
}

func (xiangqiRow) Samples(engine.Game) (all []engine.Position) {
	for _, p := range xiangqi.Samples() {
		all = append(all, p)
	}
	return all
}

// PGN is that of xqbase's standard of PGN for Xiangqi.
func (xiangqiRow) PGN() PGN {
	return PGN{
		Tags:  [][2]string{{"Game", "Chinese Chess"}, {"Format", "ICCS"}},
		First: "Red", Second: "Black", Start: xiangqi.StartFEN,
	}
}

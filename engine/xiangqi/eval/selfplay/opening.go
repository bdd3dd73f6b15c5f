package selfplay

import (
	"context"
	"fmt"
	"math/rand/v2"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval/gamefile"
)

// maxTries is how many beginnings are drawn for a game. By the usual settings a few are enough.
const maxTries = 1000

// drawStart draws where the engine's own play begins: a fair position that is not over.
func (p *player) drawStart(ctx context.Context, dice *rand.Rand) (*gamefile.Game, *xiangqi.Position, error) {
	ending := p.Endings > 0 && dice.IntN(100) < p.Endings
	over, last := 0, "" // beginnings that were over, and one of them
	for range maxTries {
		var pos *xiangqi.Position
		if ending {
			pos = drawEnding(dice)
		} else {
			pos = p.drawOpening(ctx, dice)
		}
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if result := p.Judge(pos); result.Over() {
			over, last = over+1, fmt.Sprintf(" (%v: %s)", result, pos.FEN())
			continue
		}
		ply, err := p.search(ctx, pos)
		if err != nil {
			return nil, nil, err
		}
		if ply.Score.Within(p.maxStartScore(pos)) {
			return newGame(pos), pos, nil
		}
	}
	return nil, nil, fmt.Errorf("no game could be begun in %d tries: %d openings were over at once%s, %d had a score beyond %d: give other openings or fewer random moves",
		maxTries, over, last, maxTries-over, p.Fair)
}

// drawOpening plays random moves. It may be over before the last of them, or ctx is.
func (p *player) drawOpening(ctx context.Context, dice *rand.Rand) *xiangqi.Position {
	pos := xiangqi.Start()
	if len(p.Starts) > 0 {
		pos = p.Starts[dice.IntN(len(p.Starts))]
	}
	plies := p.MinPlies
	if p.MaxPlies > p.MinPlies {
		plies += dice.IntN(p.MaxPlies - p.MinPlies + 1)
	}
	for range plies {
		moves := pos.LegalMoves()
		if len(moves) == 0 || ctx.Err() != nil {
			break
		}
		pos, _ = pos.PlayMove(moves[dice.IntN(len(moves))]) // it is legal
	}
	return pos
}

// newGame returns a game that begins with the history of a position.
func newGame(pos *xiangqi.Position) *gamefile.Game {
	g := new(gamefile.Game)
	start, moves := pos.History()
	if fen := start.String(); fen != xiangqi.StartFEN {
		g.FEN = fen
	}
	for _, m := range moves {
		g.Opening = append(g.Opening, xiangqi.Move(m))
	}
	return g
}

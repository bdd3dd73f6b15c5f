package selfplay

import (
	"context"
	"fmt"
	"math/rand/v2"

	"qhsh/engine/lab/gamefile"
	"qhsh/engine/xiangqi"
)

// maxTries limits the starts drawn for a game. With the usual settings a few are enough.
const maxTries = 1000

// drawStart draws a balanced position that is not over, from which the engine plays.
func (p *player) drawStart(ctx context.Context, dice *rand.Rand) (*gamefile.Game, *xiangqi.Position, error) {
	ending := p.Endings > 0 && dice.IntN(100) < p.Endings
	over, last := 0, "" // number of starts that were over, and the last one
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
	return nil, nil, fmt.Errorf("no start found in %d tries: %d openings were over at once%s, %d had a score beyond %d: use other openings or fewer random moves",
		maxTries, over, last, maxTries-over, p.Fair)
}

// drawOpening plays random moves. It stops early if the game or ctx ends.
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

// newGame returns a game whose opening is the history of a position.
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

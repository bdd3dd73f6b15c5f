package selfplay

import (
	"context"
	"math/rand/v2"

	"qhsh/engine/xiangqi"
	"qhsh/engine/xiangqi/eval/gamefile"
)

// begin draws where the engine's own play begins: a fair position that is not over.
func (p *player) begin(ctx context.Context, dice *rand.Rand) (*gamefile.Game, *xiangqi.Position, error) {
	ending := p.Endings > 0 && dice.IntN(100) < p.Endings
	for {
		var pos *xiangqi.Position
		if ending {
			pos = drawEnding(dice)
		} else {
			pos = p.drawOpening(dice)
		}
		if p.Judge(pos).Over() {
			continue
		}
		ply, err := p.think(ctx, pos)
		if err != nil {
			return nil, nil, err
		}
		if ply.Score.Within(p.fair(pos)) {
			return newGame(pos), pos, nil
		}
	}
}

// drawOpening plays random moves. It may be over before the last of them.
func (p *player) drawOpening(dice *rand.Rand) *xiangqi.Position {
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
		if len(moves) == 0 {
			break
		}
		pos, _ = pos.PlayMove(moves[dice.IntN(len(moves))]) // it is legal
	}
	return pos
}

// newGame is a game that begins with the history of a position.
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

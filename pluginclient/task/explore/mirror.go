package explore

import (
	"context"
	"slices"

	"qhsh/engine"
	"qhsh/engine/games"
)

// mirrorOf returns the row of a game whose boards have a mirror image.
func mirrorOf(all games.Table, game engine.Game) (*games.Row, error) {
	row := all.Row(game)
	if !games.HasPieces(row) {
		return nil, all.Unsupported(game, "mirror", games.HasPieces)
	}
	return row, nil
}

// mirrored returns a position with left and right exchanged.
func (d *DB) mirrored(pos engine.Position) (engine.Position, error) {
	row, err := mirrorOf(d.games, d.game)
	if err != nil {
		return nil, err
	}
	return row.Mirror(pos)
}

// mirroredMove returns a move of a position with left and right exchanged.
func (d *DB) mirroredMove(pos engine.Position, m engine.Move) (engine.Move, error) {
	next, err := pos.Play(m)
	if err == nil {
		next, err = d.mirrored(next)
	}
	if err != nil {
		return engine.NoMove, err
	}
	_, moves := next.History()
	return moves[len(moves)-1], nil
}

// addMirrored adds to a report what was played with left and right exchanged. In a position that is
// its own mirror image a move counts as its image if that was played more often.
func (d *DB) addMirrored(ctx context.Context, r *Report, f Filter) error {
	image, err := d.mirrored(r.Position)
	if err != nil {
		return err
	}
	played := Report{Position: image}
	symmetric := image.Key() == r.Position.Key()
	if symmetric {
		played.Moves, r.Moves = r.Moves, nil
	} else if err := d.addPlayed(ctx, &played, f); err != nil {
		return err
	}
	r.Counts = r.Counts.plus(played.Counts)
	for _, m := range played.Moves {
		move, err := d.mirroredMove(image, m.Move)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(r.Moves, func(x MoveReport) bool { return x.Move == move })
		if i >= 0 {
			r.Moves[i].Counts, r.Moves[i].Last = r.Moves[i].plus(m.Counts), max(r.Moves[i].Last, m.Last)
			continue
		}
		if !symmetric {
			m.Move = move
		}
		r.Moves = append(r.Moves, m)
	}
	r.sort()
	return nil
}

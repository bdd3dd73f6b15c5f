package explore

import (
	"context"
	"errors"
	"slices"

	"qhsh/engine"
	"qhsh/engine/games"
)

// Counts are the results of games, for one side. Games without a result are in Games alone.
type Counts struct {
	Games  int `json:"games"`
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// Average returns the average result, from 0 to 1, with draws as half a win; ok is false if no game
// has a result.
func (c Counts) Average() (average float64, ok bool) {
	n := c.Wins + c.Draws + c.Losses
	if n == 0 {
		return 0, false
	}
	return (float64(c.Wins) + float64(c.Draws)/2) / float64(n), true
}

func (c Counts) plus(o Counts) Counts {
	return Counts{c.Games + o.Games, c.Wins + o.Wins, c.Draws + o.Draws, c.Losses + o.Losses}
}

// A Report says what was played in a position.
type Report struct {
	Position engine.Position
	Counts                // for the side to move; for the first side in a chance position
	Moves    []MoveReport // by number of games
}

// A MoveReport says how games went after a move.
type MoveReport struct {
	Move   engine.Move
	Counts      // for the side that makes the move
	Last   Date // when it was last played; 0 if not known
	Score  *Score
}

// Query reports what was played in a position in the games that match a filter. In the book of another program it
// is what the book has, the highest score first.
func (d *DB) Query(ctx context.Context, pos engine.Position, f Filter) (*Report, error) {
	if d.book != nil {
		if f.Mirror = false; f != (Filter{}) {
			return nil, d.wrap(errors.New("a book of another program has no games to choose from"))
		}
		return d.queryBook(ctx, pos)
	}
	r := &Report{Position: pos}
	err := d.addPlayed(ctx, r, f)
	if err == nil && f.Mirror {
		err = d.addMirrored(ctx, r, f)
	}
	if err == nil {
		err = d.addScores(ctx, r, f.Mirror)
	}
	if err != nil {
		return nil, d.wrap(err)
	}
	return r, nil
}

// addPlayed adds what was played in the report's position itself.
func (d *DB) addPlayed(ctx context.Context, r *Report, f Filter) error {
	conditions, args, err := d.where(ctx, f)
	if err != nil {
		return err
	}
	won, lost := engine.FirstWins, engine.SecondWins
	if r.Position.Turn() == engine.Second {
		won, lost = lost, won
	}
	var m MoveReport
	err = each(ctx, d.db, []any{&m.Move, &m.Games, &m.Wins, &m.Draws, &m.Losses, &m.Last}, func() error {
		r.Counts = r.Counts.plus(m.Counts)
		if m.Move != engine.NoMove { // which has the games that ended in the position
			r.Moves = append(r.Moves, m)
		}
		return nil
	}, `SELECT p.move, count(*), sum(g.result = ?), sum(g.result = ?), sum(g.result = ?), max(g.date)
		FROM plies p JOIN games g ON g.game_id = p.game WHERE p.key = ?`+conditions+` GROUP BY p.move`,
		slices.Concat([]any{int(won), int(engine.Draw), int(lost), int64(r.Position.Key())}, args)...)
	r.sort()
	return err
}

// sort orders the moves by number of games.
func (r *Report) sort() {
	slices.SortStableFunc(r.Moves, func(a, b MoveReport) int { return b.Games - a.Games })
}

// mirrorOf returns the row of a game whose boards have a mirror image.
func mirrorOf(all games.Table, game engine.Game) (*games.Row, error) {
	row := all.Row(game)
	if !games.HasPieces(row) {
		return nil, all.Unsupported(game, "mirror", games.HasPieces)
	}
	return row, nil
}

// image returns a position with left and right exchanged, or as it is if mirror is not set.
func (d *DB) image(pos engine.Position, mirror bool) (engine.Position, error) {
	if !mirror {
		return pos, nil
	}
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
		next, err = d.image(next, true)
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
	image, err := d.image(r.Position, true)
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

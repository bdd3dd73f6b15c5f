package explore

import (
	"context"
	"math/rand/v2"
	"slices"

	"qhsh/engine"
)

// DefaultBookGames is the usual number of games in which a move must have been played in order to
// stand in a book.
const DefaultBookGames = 2

// A Book is a database whose moves are played.
type Book struct {
	*DB
	Games int    // in which a move must have been played
	Seed  uint64 // of the choice among the moves
}

// BookMove is a move of a book with the number of games in which it was played.
type BookMove struct {
	Move  engine.Move
	Games int
}

// Moves returns the legal moves of a position that stand in the book, in a fixed order.
func (b Book) Moves(ctx context.Context, pos engine.Position) (moves []BookMove, err error) {
	rows, err := b.db.QueryContext(ctx, "SELECT move, count(*) FROM plies WHERE key = ? AND move <> 0 GROUP BY move HAVING count(*) >= ?",
		int64(pos.Key()), b.Games)
	if err != nil {
		return nil, b.wrap(err)
	}
	defer rows.Close()
	legal := pos.Moves()
	for rows.Next() {
		var m BookMove
		if err := rows.Scan(&m.Move, &m.Games); err != nil {
			return nil, b.wrap(err)
		}
		if slices.Contains(legal, m.Move) { // two positions may have the same key
			moves = append(moves, m)
		}
	}
	return moves, b.wrap(rows.Err())
}

// Has reports whether a move stands in the book.
func (b Book) Has(ctx context.Context, pos engine.Position, m engine.Move) (bool, error) {
	moves, err := b.Moves(ctx, pos)
	return slices.ContainsFunc(moves, func(other BookMove) bool { return other.Move == m }), err
}

// Choose returns a move of the book that is not banned, or NoMove if there is none. A move is as
// likely as the number of its games. The same seed gives the same move in the same position.
func (b Book) Choose(ctx context.Context, pos engine.Position, ban []engine.Move) (engine.Move, error) {
	moves, err := b.Moves(ctx, pos)
	total := 0
	moves = slices.DeleteFunc(moves, func(m BookMove) bool { return slices.Contains(ban, m.Move) })
	for _, m := range moves {
		total += m.Games
	}
	if err != nil || total == 0 {
		return engine.NoMove, err
	}
	n := rand.New(rand.NewPCG(b.Seed, pos.Key())).IntN(total)
	for _, m := range moves {
		if n -= m.Games; n < 0 {
			return m.Move, nil
		}
	}
	return engine.NoMove, nil // not reached
}

package explore

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"qhsh/engine"
	"qhsh/engine/games"
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
	legal := pos.Moves()
	var m BookMove
	err = each(ctx, b.db, []any{&m.Move, &m.Games}, func() error {
		if slices.Contains(legal, m.Move) { // two positions may have the same key
			moves = append(moves, m)
		}
		return nil
	}, "SELECT move, count(*) FROM plies WHERE key = ? AND move <> 0 GROUP BY move HAVING count(*) >= ?", int64(pos.Key()), b.Games)
	return moves, b.wrap(err)
}

// Choose returns a move of the book that is not banned, or NoMove if there is none. A move is as
// likely as the number of its games; in the book of another program it has the highest score. The same seed gives the same move in the same position.
func (b Book) Choose(ctx context.Context, pos engine.Position, ban []engine.Move) (engine.Move, error) {
	if b.book != nil {
		return b.chooseScored(ctx, pos, ban)
	}
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

// BookFlags are the flags of a book whose moves are not judged.
type BookFlags struct {
	Path  string // empty: no book
	games int    // 0: not given
}

// Define defines the flags.
func (f *BookFlags) Define(fs *flag.FlagSet) {
	fs.StringVar(&f.Path, "book", "", "do not judge moves that stand in the book `FILE`, a database of 'qhsh explore'")
	fs.Var(bookGames{f}, "book-games", "a move stands in the book if `N` other games or more have the position after it")
}

// Open opens the book. It returns nil without a path.
func (f *BookFlags) Open(ctx context.Context, all games.Table, game engine.Game) (*Book, error) {
	switch {
	case f.Path == "" && f.games > 0:
		return nil, errors.New("-book-games requires -book")
	case f.Path == "":
		return nil, nil
	}
	db, err := Open(ctx, f.Path, all, game)
	if err != nil {
		return nil, fmt.Errorf("-book: %w", err)
	}
	return &Book{DB: db, Games: cmp.Or(f.games, DefaultBookGames)}, nil
}

// bookGames is the value of -book-games, a number from 1.
type bookGames struct{ *BookFlags }

func (v bookGames) String() string {
	if v.BookFlags == nil {
		return ""
	}
	return strconv.Itoa(cmp.Or(v.games, DefaultBookGames))
}

func (v bookGames) Set(text string) error {
	const most = 1 << 30
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return errors.New("want a number from 1 to " + strconv.Itoa(most))
	}
	v.games = n
	return nil
}

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

// Choose returns a move of the book that is not banned, or NoMove if there is none. A move is as
// likely as the number of its games; in the book of another program it has the highest score. The same seed gives the same move in the same position.
func (b Book) Choose(ctx context.Context, pos engine.Position, ban []engine.Move) (engine.Move, error) {
	if b.book != nil {
		return b.chooseScored(ctx, pos, ban)
	}
	allowed := engine.Without(pos.Moves(), ban)
	var moves []MoveReport
	var m MoveReport
	total := 0
	err := each(ctx, b.db, []any{&m.Move, &m.Games}, func() error {
		if slices.Contains(allowed, m.Move) { // two positions may have the same key
			moves, total = append(moves, m), total+m.Games
		}
		return nil
	}, "SELECT move, count(*) FROM plies WHERE key = ? AND move <> 0 GROUP BY move HAVING count(*) >= ?", int64(pos.Key()), b.Games)
	if err != nil || total == 0 {
		return engine.NoMove, b.wrap(err)
	}
	i, n := 0, rand.New(rand.NewPCG(b.Seed, pos.Key())).IntN(total)
	for ; n >= moves[i].Games; i++ {
		n -= moves[i].Games
	}
	return moves[i].Move, nil
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

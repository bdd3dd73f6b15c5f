package explore

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"

	"qhsh/engine"
	"qhsh/engine/games"
)

// BookFlags are the flags of a book whose moves are not judged.
type BookFlags struct {
	Path  string // empty: no book
	games int
	given bool // games
}

// Define defines the flags.
func (f *BookFlags) Define(fs *flag.FlagSet) {
	f.games = DefaultBookGames
	fs.StringVar(&f.Path, "book", "", "do not judge moves that stand in the book `FILE`, a database of 'qhsh explore'")
	fs.Var(bookGames{f}, "book-games", "a move stands in the book if it was played in `N` games or more")
}

// Open opens the book. It returns nil without a path.
func (f *BookFlags) Open(ctx context.Context, all games.Table, game engine.Game) (*Book, error) {
	switch {
	case f.Path == "" && f.given:
		return nil, errors.New("-book-games requires -book")
	case f.Path == "":
		return nil, nil
	}
	db, err := Open(ctx, f.Path, all, game)
	if err != nil {
		return nil, fmt.Errorf("-book: %w", err)
	}
	return &Book{DB: db, Games: f.games}, nil
}

// bookGames is the value of -book-games, a number from 1.
type bookGames struct{ *BookFlags }

func (v bookGames) String() string {
	if v.BookFlags == nil {
		return ""
	}
	return strconv.Itoa(v.games)
}

func (v bookGames) Set(text string) error {
	const most = 1 << 30
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return errors.New("want a number from 1 to " + strconv.Itoa(most))
	}
	v.games, v.given = n, true
	return nil
}

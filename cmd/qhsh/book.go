package main

import (
	"context"
	"flag"

	"qhsh/engine"
	"qhsh/pluginclient/task/explore"
)

// bookFlags are -book and -book-games.
type bookFlags struct {
	path  string
	games int
}

func (f *bookFlags) define(fs *flag.FlagSet) {
	f.games = explore.DefaultBookGames
	fs.StringVar(&f.path, "book", "", "do not judge moves that stand in the book `FILE`, a database of 'qhsh explore'")
	fs.Var(countValue{&f.games, 1 << 30}, "book-games", "a move stands in the book if it was played in `N` games or more")
}

// An openedBook is the book of -book. Its methods may be called on nil.
type openedBook struct{ explore.Book }

// open opens the book, or returns nil if there is none.
func (f *bookFlags) open(ctx context.Context, h host, game engine.Game) (*openedBook, error) {
	if f.path == "" {
		return nil, nil
	}
	db, err := explore.Open(ctx, f.path, h.Games, game)
	if err != nil {
		return nil, usagef("-book: %w", err)
	}
	return &openedBook{explore.Book{DB: db, Games: f.games}}, nil
}

// has returns what reports whether a move stands in the book, or nil without a book.
func (b *openedBook) has(ctx context.Context) func(engine.Position, engine.Move) (bool, error) {
	if b == nil {
		return nil
	}
	return func(pos engine.Position, m engine.Move) (bool, error) { return b.Has(ctx, pos, m) }
}

// Close closes the book.
func (b *openedBook) Close() error {
	if b == nil {
		return nil
	}
	return b.Book.Close()
}

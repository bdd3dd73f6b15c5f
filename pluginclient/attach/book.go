package attach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient/task/explore"
)

// The options of every embedded engine for moves from a book.
const (
	bookKey      = "book"
	bookSeedKey  = "bookseed"
	bookGamesKey = "bookgames"
)

var bookOptionList = []Option{
	{Name: bookKey, Help: "a database or a book of 'qhsh explore' whose moves are played in matches and by AI", File: true},
	{Name: bookSeedKey, Help: "number that decides between moves of the book: the same number, the same moves"},
	{Name: bookGamesKey, Help: fmt.Sprintf("games in which a move of the book was played, at least (default %d)", explore.DefaultBookGames)},
}

type bookOptions struct {
	path  string // "" for no book
	off   bool   // by a host that wants no moves from it
	seed  uint64
	games int // 0: not given
	index *explore.BookIndex
}

// takeBook returns the options for a book, and the remaining options.
func takeBook(options []games.Setting) (b bookOptions, rest []games.Setting, err error) {
	b.index = new(explore.BookIndex)
	for _, o := range options {
		switch o.Key {
		case bookKey:
			b.path = o.Value
		case bookSeedKey:
			b.seed, err = strconv.ParseUint(o.Value, 10, 64)
			if err != nil {
				err = fmt.Errorf("%s=%s: want a number from 0", o.Key, o.Value)
			}
		case bookGamesKey:
			b.games, err = o.Positive()
		default:
			rest = append(rest, o)
		}
		if err != nil {
			return b, nil, err
		}
	}
	if b.path == "" && len(rest) < len(options) {
		return b, nil, fmt.Errorf("%s and %s require %s=FILE", bookSeedKey, bookGamesKey, bookKey)
	}
	return b, rest, nil
}

// with returns an engine that plays moves from the book, if there is one.
func (b bookOptions) with(e games.Engine, all games.Table, game engine.Game) games.Engine {
	if b.path == "" {
		return e
	}
	without := e.New
	e.New = func() (engine.Searcher, error) {
		s, err := without()
		if err != nil {
			return nil, err
		}
		return bookSearcher{engine.WithLevels(s), &b, all, game}, nil
	}
	e.Files = append(slices.Clone(e.Files), b.path)
	e.Text = append(slices.Clone(e.Text), "Moves are played from the book "+b.path)
	return e
}

// check returns an error if there is a book and it cannot be opened.
func (b bookOptions) check(ctx context.Context, all games.Table, game engine.Game) error {
	if b.path == "" {
		return nil
	}
	db, err := explore.OpenBook(ctx, b.path, all, game, b.index)
	if err != nil {
		return err
	}
	if db.Foreign() && b.games > 0 {
		err = fmt.Errorf("%s is for databases of 'qhsh explore': a book of another program has scores", bookGamesKey)
	}
	return errors.Join(err, db.Close())
}

// A bookSearcher is a Searcher that plays moves from a book where a move is to be played, and
// searches where lines are asked for. It opens the book for each move, so that it has nothing to
// close, and its options may change between moves.
type bookSearcher struct {
	leveledSearcher
	book  *bookOptions
	games games.Table
	game  engine.Game
}

type leveledSearcher interface {
	engine.Searcher
	engine.Leveler
}

var _ engine.Answerer = bookSearcher{}

func (s bookSearcher) Search(ctx context.Context, pos engine.Position, lim engine.Limits) iter.Seq2[[]engine.Line, error] {
	return func(yield func([]engine.Line, error) bool) {
		switch lines, err := s.play(ctx, pos, lim); {
		case err != nil:
			yield(nil, err)
		case lines != nil:
			yield(lines, nil)
		default:
			s.leveledSearcher.Search(ctx, pos, lim)(yield)
		}
	}
}

func (s bookSearcher) Answer(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	lines, err := s.play(ctx, pos, lim)
	if lines != nil || err != nil {
		return lines, err
	}
	return engine.Best(ctx, s.leveledSearcher, pos, lim)
}

// play returns a move from the book, or nil if there is none or no move is to be played.
func (s bookSearcher) play(ctx context.Context, pos engine.Position, lim engine.Limits) ([]engine.Line, error) {
	if !lim.Play || s.book.path == "" || s.book.off {
		return nil, nil
	}
	ctx = context.WithoutCancel(ctx) // it is quick, and "move now" wants a move
	db, err := explore.OpenBook(ctx, s.book.path, s.games, s.game, s.book.index)
	if err != nil {
		return nil, err
	}
	book := explore.Book{DB: db, Games: cmp.Or(s.book.games, explore.DefaultBookGames), Seed: s.book.seed ^ lim.Seed}
	m, err := book.Choose(ctx, pos, lim.Ban)
	if err = errors.Join(err, db.Close()); m == engine.NoMove || err != nil {
		return nil, err
	}
	return []engine.Line{{Moves: []engine.Move{m}, Text: bookKey}}, nil
}

func (s bookSearcher) Unwrap() engine.Searcher { return s.leveledSearcher }

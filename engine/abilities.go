package engine

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"unicode/utf8"
)

// What a Game, or its positions, may do beyond the contract, and the functions that callers use, which
// have a fallback for the others.

// A SideNamer is a Game whose sides have names.
type SideNamer interface {
	// SideName returns the name of First or Second in lower case, such as "black".
	SideName(Turn) string
}

// SideName returns the name of a side in a game; "first", "second" or "chance" if it has none.
func SideName(g Game, t Turn) string {
	if n, ok := g.(SideNamer); ok && t != Chance {
		return n.SideName(t)
	}
	return t.String()
}

// A MoveJoiner is a Game whose moves may consist of several words.
type MoveJoiner interface {
	// JoinMoves joins the words of each move with a space between them. It does not check the
	// moves.
	JoinMoves(words []string) []string
}

// JoinMoves converts a list of words to a list of moves.
func JoinMoves(g Game, words []string) []string {
	if j, ok := g.(MoveJoiner); ok {
		return j.JoinMoves(words)
	}
	return words
}

// An IllegalPosition is the error of Game.Position for a position that cannot occur in a game. The
// position can still be shown and written.
type IllegalPosition interface {
	error
	// Illegal returns the position. It must not be searched.
	Illegal() Position
}

// A Remarker is a Position that knows what its user should be told about it.
type Remarker interface {
	// Remark returns what is odd about the position, or about the text that it was read from, on
	// one line; "" if nothing is.
	Remark() string
}

// Remark returns the remark of a position that is a [Remarker]; "" if it is not, or is nil.
func Remark(p Position) string {
	if r, ok := p.(Remarker); ok {
		return r.Remark()
	}
	return ""
}

// A MoveAppender is a Position that can append its moves to a slice.
type MoveAppender interface {
	// AppendMovesTo appends Moves to dst. It allocates only if dst lacks capacity.
	AppendMovesTo(dst []Move) []Move
}

// AppendMoves appends the legal moves of a position to dst. It saves allocations when called often.
func AppendMoves(dst []Move, p Position) []Move {
	if a, ok := p.(MoveAppender); ok {
		return a.AppendMovesTo(dst)
	}
	return append(dst, p.Moves()...)
}

// AppendMovesOf appends moves in the own type of a game to dst.
func AppendMovesOf[M ~uint16 | ~uint32 | ~uint64](dst []Move, moves []M) []Move {
	dst = slices.Grow(dst, len(moves))
	for _, m := range moves {
		dst = append(dst, Move(m))
	}
	return dst
}

// WithoutHistory returns another object with a position as its text describes it: without the moves that led there.
func WithoutHistory(p Position) (Position, error) { return p.Game().Position(p.String()) }

// HistoryOf returns the History of a position by Undo.
func HistoryOf(p Position) (start Position, moves []Move) {
	for {
		before, last := p.Undo()
		if before == nil {
			slices.Reverse(moves)
			return p, moves
		}
		p, moves = before, append(moves, last)
	}
}

// An Adjudicator is a Position of a game with rules beyond Result: repetition, or no progress. Code
// that plays games to their end calls [Adjudicate]. A position that is over only by these rules
// still has moves, and engines still answer there, so that play can continue.
type Adjudicator interface {
	// Adjudicate returns Result, or if that is Ongoing, the result by the other rules.
	Adjudicate() Result
	// Repetition returns how the game ends if the moves since the position last occurred are
	// repeated; Ongoing if it is the first occurrence.
	Repetition() Result
}

// Adjudicate returns the result of the game by all its rules.
func Adjudicate(p Position) Result {
	if a, ok := p.(Adjudicator); ok {
		return a.Adjudicate()
	}
	return p.Result()
}

// Odds is a Position whose turn may belong to Chance.
type Odds interface {
	// Odds returns the probability of an outcome, from 0 to 1. The odds of all Moves add up to 1.
	Odds(Move) float64
}

// A Concealer is a Position with information that is hidden from both sides until chance moves
// reveal it, such as the cards of a stock.
type Concealer interface {
	Position
	// Deal returns the position, and its history, with the hidden information drawn, as the host
	// of a game has it. The moves are the same, but each chance move reveals what was drawn. A
	// position that has its hidden information already is returned unchanged.
	Deal(source *rand.Rand) Position
	// View returns the position, and its history, without hidden information, as both sides see
	// it.
	View() Position
}

// Deal returns the host's and the players' view of a position. If it is not a [Concealer], both
// are the position itself.
func Deal(pos Position, source rand.Source) (host, view Position) {
	if c, ok := pos.(Concealer); ok {
		return c.Deal(rand.New(source)), c.View() //nolint:gosec // a seed must give the same game
	}
	return pos, pos
}

// ErrMalformed is wrapped by the error of [Position.Parse] for text that is not a move of the game,
// legal or not.
var ErrMalformed = errors.New("malformed move")

// Malformed returns an error that is ErrMalformed and describes what a move looks like.
func Malformed(want string) error { return malformed(want) }

type malformed string

func (m malformed) Error() string        { return string(m) }
func (m malformed) Is(target error) bool { return target == ErrMalformed }

// Quote returns a text for the errors of Position and Parse: in quotation marks, cut at 40 bytes, without
// control characters.
func Quote(text string) string {
	const most = 40
	if len(text) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "..."
	}
	return strconv.QuoteToGraphic(text)
}

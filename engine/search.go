package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
)

// A Searcher searches positions for the best moves. Each item of the sequence is the whole list so
// far, best line first; the last item is the answer. An error ends the sequence. Breaking out of
// the loop stops the search.
//
// A search ends by its limits or by its context. The cause [ErrMoveNow] means
// "answer with the best so far": at least one list is then yielded, with any legal
// move at worst. Any other cause means "give up", and the search ends with an error
// that wraps the cause.
//
// Searching a finished game, or one whose every move is banned, is an error that
// wraps [ErrNoMove]. The yielded slice belongs to the receiver.
type Searcher interface {
	Search(ctx context.Context, pos Position, lim Limits) iter.Seq2[[]Line, error]
}

// A Line is a move to play and what the engine expects to follow.
type Line struct {
	Moves []Move // the move and the expected continuation, at least one
	Score Score  // for the side to move; unknown if the engine gave none
	Depth int    // plies searched; 0: unknown
	Nodes int64  // positions visited in this search up to this line; 0: unknown
	Text  string // other information from the engine about the move
	Offer Offer  // of a final answer's first line
	Details
}

// An Offer is what an engine says to its opponent with a move.
type Offer int

// The offers. A resigning engine gives a move only where it must: it does not play it.
const (
	NoOffer   Offer = iota
	DrawOffer       // or it accepts that of the opponent
	Resignation
	DrawClaim // the host ends the game
	WinClaim
)

// String returns what is said in a word, or "".
func (o Offer) String() string { return [...]string{"", "draw", "resign", "draw", "win"}[o] }

// Move returns the line's first move.
func (l Line) Move() Move { return l.Moves[0] }

var (
	// ErrMoveNow is the cause of a context that asks for the best move so far.
	ErrMoveNow = errors.New("move now")
	// ErrNoMove is the error of a search that has no move to choose from.
	ErrNoMove = errors.New("no move to choose from")
)

// AbortCause returns the cause of a context that says to give up: nil if ctx has not ended, or asks
// for the best move so far.
func AbortCause(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil && !errors.Is(err, ErrMoveNow) {
		return err
	}
	return nil
}

// An Answerer is a Searcher that can return only its final answer, for engines where each
// intermediate list has a cost. A wrapper with its own Search method must have a matching Answer
// method or none.
type Answerer interface {
	// Answer returns what Search yields last, or its error.
	Answer(ctx context.Context, pos Position, lim Limits) ([]Line, error)
}

// Best runs a search to its end and returns its answer.
func Best(ctx context.Context, s Searcher, pos Position, lim Limits) ([]Line, error) {
	var best []Line
	var err error
	if a, ok := s.(Answerer); ok {
		best, err = a.Answer(ctx, pos, lim)
	} else {
		for best, err = range s.Search(ctx, pos, lim) {
			if err != nil {
				break
			}
		}
	}
	switch {
	case err != nil:
		return nil, err
	case len(best) == 0:
		return nil, fmt.Errorf("search ended without an answer: %w", ErrNoMove)
	}
	return best, nil
}

// As returns the outermost of a Searcher and those that it wraps that has the ability T, like
// errors.As, and reports whether there is one. A wrapper has a method Unwrap() Searcher; a wrapper
// that must intercept a call implements that ability itself.
func As[T any](s Searcher) (able T, ok bool) {
	for s != nil {
		if able, ok = s.(T); ok {
			return able, true
		}
		w, wraps := s.(interface{ Unwrap() Searcher })
		if !wraps {
			break
		}
		s = w.Unwrap()
	}
	return able, false
}

// A Forgetter is a Searcher that remembers earlier searches, such as a transposition table. Forget
// makes it answer as if it were new.
type Forgetter interface{ Forget() }

// Forget calls the Forget method of a Searcher, or of one that it wraps, if there is one.
func Forget(s Searcher) {
	if f, ok := As[Forgetter](s); ok {
		f.Forget()
	}
}

// AllowedMoves returns the legal moves that are not banned. If there are none, the error says why,
// and wraps [ErrNoMove].
func AllowedMoves(pos Position, ban []Move) ([]Move, error) {
	if result := pos.Result(); result.Over() {
		return nil, fmt.Errorf("%s: %w", result.Reason, ErrNoMove)
	}
	moves := Without(pos.Moves(), ban)
	if len(moves) == 0 {
		return nil, fmt.Errorf("every move is banned: %w", ErrNoMove)
	}
	return moves, nil
}

// Without returns the moves that are not in ban. It changes moves.
func Without(moves, ban []Move) []Move {
	return slices.DeleteFunc(moves, func(m Move) bool { return slices.Contains(ban, m) })
}

// LegalOf returns those of the moves that are legal, each once.
func LegalOf(pos Position, moves []Move) (legal []Move) {
	all := pos.Moves()
	for _, m := range moves {
		if slices.Contains(all, m) && !slices.Contains(legal, m) {
			legal = append(legal, m)
		}
	}
	return legal
}

// UnsearchedLines returns a line without a score for each of the first n moves, at least for one: the
// answer of a Searcher that is told to move before it could search.
func UnsearchedLines(moves []Move, n int) []Line {
	list := make([]Line, min(len(moves), max(1, n)))
	for i := range list {
		list[i].Moves = []Move{moves[i]}
	}
	return list
}

// FirstAllowed returns the first legal move that is not banned; NoMove if there is none.
func FirstAllowed(pos Position, ban []Move) Move {
	for _, m := range pos.Moves() {
		if !slices.Contains(ban, m) {
			return m
		}
	}
	return NoMove
}

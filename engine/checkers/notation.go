package checkers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
)

// ErrMalformed is wrapped by the errors of text that is no move at all.
var ErrMalformed = engine.Malformed("want squares such as 11-15, 15x22 or c3-d4")

// ErrIllegal is wrapped by the errors of moves that the rules forbid.
var ErrIllegal = errors.New("illegal move")

// Format writes a legal move as PDN does: "11-15", "15x22", and with every landing between,
// "15x22x31", where another capture has the same ends.
func (b *Board) Format(m Move) string {
	return b.format(m, func(s Square) string { return fmt.Sprint(b.variant.Number(s)) }, "x")
}

// FormatAlgebraic writes a legal move with algebraic names: "c3-d4", "c3:e5".
func (b *Board) FormatAlgebraic(m Move) string { return b.format(m, Square.Algebraic, ":") }

func (b *Board) format(m Move, name func(Square) string, capture string) string {
	if m.Captured() == 0 {
		return name(m.From()) + "-" + name(m.To())
	}
	text := name(m.From())
	if b.ambiguous(m) {
		for _, s := range b.CapturePath(m).Landings {
			text += capture + name(s)
		}
		return text
	}
	return text + capture + name(m.To())
}

// ambiguous reports whether another capture has the same ends.
func (b *Board) ambiguous(m Move) bool {
	var room [64]Move
	return slices.ContainsFunc(b.AppendCaptures(room[:0]), func(other Move) bool {
		return other != m && other.From() == m.From() && other.To() == m.To()
	})
}

// ParseMove reads a legal move: squares with -, x or : between them, in the variant's numbers or
// with algebraic names. Of a capture any landings between may be given.
func (b *Board) ParseMove(text string) (Move, error) {
	squares, err := b.variant.splitMove(text)
	if err != nil {
		return 0, fmt.Errorf("move %s: %w", quote(text), err)
	}
	var fits, exact []Move
	var room [64]Move
	for _, m := range b.AppendMoves(room[:0]) {
		if m.From() != squares[0] || m.To() != squares[len(squares)-1] {
			continue
		}
		switch b.matchLandings(m, squares[1:]) {
		case fullMatch:
			exact = append(exact, m)
		case partialMatch:
			fits = append(fits, m)
		}
	}
	if len(exact) == 1 {
		return exact[0], nil
	}
	if fits = append(fits, exact...); len(fits) == 1 {
		return fits[0], nil
	}
	if len(fits) > 1 {
		return 0, fmt.Errorf("move %s: %w: several captures have these ends: write %s", quote(text), ErrIllegal, b.alternatives(fits))
	}
	return 0, fmt.Errorf("move %s: %w: %s", quote(text), ErrIllegal, b.illegalReason(squares[0], squares[len(squares)-1]))
}

// alternatives are moves for a person to choose from.
func (b *Board) alternatives(moves []Move) string {
	names := make([]string, len(moves))
	for i, m := range moves {
		names[i] = b.Format(m)
	}
	return strings.Join(names, " or ")
}

// splitMove is the squares of a move, at least two.
func (v Variant) splitMove(text string) ([]Square, error) {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("-x:X*", r) })
	if len(words) == 1 && len(text) == 4 {
		words = []string{text[:2], text[2:]} // c3d4
	}
	if len(words) < 2 || len(words) > maxPieces+1 {
		return nil, ErrMalformed
	}
	squares := make([]Square, len(words))
	for i, word := range words {
		s, err := v.ParseSquare(word)
		if err != nil {
			return nil, ErrMalformed
		}
		squares[i] = s
	}
	return squares, nil
}

// A landingMatch is how squares agree with the landings of a move.
type landingMatch int

const (
	noMatch      landingMatch = iota
	partialMatch              // they are some of a way's
	fullMatch                 // they are all of a way's
)

// matchLandings compares squares, of which the last is where the move ends, with the ways of a move.
func (b *Board) matchLandings(m Move, squares []Square) landingMatch {
	if m.Captured() == 0 {
		if len(squares) == 1 {
			return fullMatch
		}
		return noMatch
	}
	found := noMatch
	if len(squares) == 1 {
		found = partialMatch
	}
	for _, way := range b.CapturePaths(m) {
		if slices.Equal(way.Landings, squares) {
			return fullMatch
		}
		if isSubsequence(squares, way.Landings) {
			found = partialMatch
		}
	}
	return found
}

// isSubsequence reports whether squares come in this order among others.
func isSubsequence(squares, others []Square) bool {
	for _, s := range others {
		if len(squares) > 0 && squares[0] == s {
			squares = squares[1:]
		}
	}
	return len(squares) == 0
}

// illegalReason says what is wrong with a move that is not legal.
func (b *Board) illegalReason(from, to Square) string {
	switch {
	case !(b.side[Black] | b.side[White]).Has(from):
		return "the first square is empty"
	case !b.side[b.turn].Has(from):
		return fmt.Sprintf("it is %v's turn", b.turn)
	case (b.side[Black]|b.side[White])&^One(from)&One(to) != 0:
		return "the last square is not empty"
	case b.CanCapture():
		return "this is no capture that the rules allow, and a capture is compulsory"
	}
	return "no piece moves so"
}

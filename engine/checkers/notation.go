package checkers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
)

// ErrMalformed is wrapped by the error of a text that is not a move.
var ErrMalformed = engine.Malformed("want squares such as 11-15, 15x22 or c3-d4")

// ErrIllegal is wrapped by the error of an illegal move.
var ErrIllegal = errors.New("illegal move")

// Format formats a legal move as in PDN: "11-15", "15x22". If another capture has the same ends,
// all landings are included: "15x22x31".
func (b *Board) Format(m Move) string {
	return b.format(m, func(s Square) string { return fmt.Sprint(b.variant.Number(s)) }, "x")
}

// FormatAlgebraic formats a legal move with algebraic names: "c3-d4", "c3:e5".
func (b *Board) FormatAlgebraic(m Move) string { return b.format(m, Square.Algebraic, ":") }

func (b *Board) format(m Move, name func(Square) string, capture string) string {
	if m.Captured() == 0 {
		return name(m.From()) + "-" + name(m.To())
	}
	text := name(m.From())
	var room [64]Move
	if slices.ContainsFunc(b.AppendCaptures(room[:0]), func(other Move) bool {
		return other != m && other.From() == m.From() && other.To() == m.To()
	}) {
		for _, s := range b.CapturePath(m).Landings {
			text += capture + name(s)
		}
		return text
	}
	return text + capture + name(m.To())
}

// ParseMove parses a legal move: squares separated by -, x or :, in the variant's numbers or
// algebraic names. A capture may include any of its landings.
func (b *Board) ParseMove(text string) (Move, error) {
	squares, err := b.variant.splitMove(text)
	if err != nil {
		return 0, fmt.Errorf("move %s: %w", engine.Quote(text), err)
	}
	var fits, exact []Move
	var room [64]Move
	for _, m := range b.AppendMoves(room[:0]) {
		if m.From() != squares[0] || m.To() != squares[len(squares)-1] {
			continue
		}
		ways := b.CapturePaths(m)
		switch {
		case slices.ContainsFunc(ways, func(w CapturePath) bool { return slices.Equal(w.Landings, squares[1:]) }):
			exact = append(exact, m)
		case slices.ContainsFunc(ways, func(w CapturePath) bool { return isSubsequence(squares[1:], w.Landings) }):
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
		var names []string
		for _, m := range fits {
			names = append(names, b.Format(m))
		}
		err := fmt.Errorf("move %s: %w: ambiguous capture: use %s", engine.Quote(text), ErrIllegal, strings.Join(names, " or "))
		return 0, &ambiguousCapture{err, fits}
	}
	return 0, fmt.Errorf("move %s: %w: %s", engine.Quote(text), ErrIllegal, b.illegalReason(squares[0], squares[len(squares)-1]))
}

// An ambiguousCapture is the error of a text that fits several captures.
type ambiguousCapture struct {
	error
	moves []Move
}

func (e *ambiguousCapture) Unwrap() error { return e.error }

// Choices returns the captures.
func (e *ambiguousCapture) Choices() []engine.Move { return engine.AppendMovesOf(nil, e.moves) }

// splitMove parses the squares of a move, at least two.
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

// isSubsequence reports whether squares occur in this order among others.
func isSubsequence(squares, others []Square) bool {
	for _, s := range others {
		if len(squares) > 0 && squares[0] == s {
			squares = squares[1:]
		}
	}
	return len(squares) == 0
}

// illegalReason returns why a move is illegal.
func (b *Board) illegalReason(from, to Square) string {
	switch {
	case !(b.side[Black] | b.side[White]).Has(from):
		return "the first square is empty"
	case !b.side[b.turn].Has(from):
		return fmt.Sprintf("it is %v's turn", b.turn)
	case (b.side[Black]|b.side[White])&^One(from)&One(to) != 0:
		return "the last square is not empty"
	case b.CanCapture():
		return "not a legal capture, and a capture is compulsory"
	}
	return "the piece does not move like that"
}

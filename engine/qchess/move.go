package qchess

import (
	"fmt"
	"strings"

	"qhsh/engine"
)

// A Step is one step of a turn. As an engine.Move it is opaque.
type Step uint32

// The types of steps. They are not 0, so that no step equals engine.NoMove.
const (
	selection Step = iota + 1
	outcome
	movement
)

const typeShift = 12

// arrow separates the squares of a move in the protocol.
const arrow = "->"

// SelectStep returns the selection of the piece on a square.
func SelectStep(at Square) Step { return selection<<typeShift | Step(at) }

// OutcomeStep returns the outcome that gives the selected piece the kind k, which is its first or
// second (index 0 or 1).
func OutcomeStep(index int, k Kind) Step { return outcome<<typeShift | Step(index)<<6 | Step(k) }

func MoveStep(from, to Square) Step { return movement<<typeShift | Step(from)<<6 | Step(to) }

func (s Step) stepType() Step { return s >> typeShift }
func (s Step) high() int      { return int(s >> 6 & 63) }
func (s Step) low() int       { return int(s & 63) }

// Index returns the index of the kind in an outcome.
func (s Step) Index() int { return s.high() }

// Square returns the square of a selection, or the target of a move.
func (s Step) Square() Square { return Square(s.low()) }

// Squares returns the two squares of a move, or the square of a selection; nil for an outcome.
func (s Step) Squares() []Square {
	switch s.stepType() {
	case selection:
		return []Square{s.Square()}
	case movement:
		return []Square{Square(s.high()), s.Square()}
	}
	return nil
}

// String returns "@36", "1=rook" or "36-35".
func (s Step) String() string {
	switch s.stepType() {
	case selection:
		return "@" + s.Square().String()
	case outcome:
		return fmt.Sprintf("%d=%v", s.high(), Kind(s.low()))
	}
	return Square(s.high()).String() + "-" + s.Square().String()
}

// Do makes a step.
func (b *Board) Do(s Step) error {
	if result := b.Result(); result.Over() {
		return fmt.Errorf("%v: %w: the game is over, %v", s, ErrIllegal, result)
	}
	switch s.stepType() {
	case selection:
		if s.high() == 0 {
			return b.Select(s.Square())
		}
	case outcome:
		if k := Kind(s.low()); s.high() <= 1 && k > Unknown && k <= King {
			return b.SetOutcome(s.high(), k)
		}
	case movement:
		if p, ok := b.Selected(); ok && p.At != Square(s.high()) {
			return fmt.Errorf("move %v: %w: %v is selected", s, ErrIllegal, p.At)
		}
		return b.Move(s.Square())
	}
	return fmt.Errorf("move %#x: %w: not a move of quantum chess", uint32(s), ErrIllegal)
}

// AppendSteps appends the legal steps: selections and moves sorted by square, outcomes in the order
// of [Board.Outcomes].
func (b *Board) AppendSteps(to []Step) []Step {
	switch {
	case b.Result().Over():
		return to
	case b.selected < 0:
		for at := range squares(b.occupied[b.turn]) {
			to = append(to, SelectStep(at))
		}
	case b.OutcomePending():
		for _, o := range b.Outcomes() {
			to = append(to, OutcomeStep(o.Index, o.Kind))
		}
	default:
		from := b.pieces[b.selected].At
		for at := range squares(b.Destinations()) {
			to = append(to, MoveStep(from, at))
		}
	}
	return to
}

var errMalformed = engine.Malformed("want a selection such as @36, an outcome such as 1=rook, or a move such as 36-35")

// ParseStep parses a step as String formats it, or as in the protocol, where "3 6" is a move if a
// piece is ready to move, and else a selection.
func (b *Board) ParseStep(text string) (Step, error) {
	if at, ok := parseSquare(strings.TrimPrefix(text, "@")); ok && text[0] == '@' {
		return SelectStep(at), nil
	}
	if from, to, ok := strings.Cut(text, "-"); ok && !strings.Contains(text, " ") {
		if s, ok := moveBetween(from, to); ok {
			return s, nil
		}
	}
	if index, kind, ok := strings.Cut(strings.Replace(text, " ", "=", 1), "="); ok {
		if k := kindByName(kind); k != Unknown && (index == "0" || index == "1") {
			return OutcomeStep(int(index[0]-'0'), k), nil
		}
	}
	switch words := strings.Fields(text); {
	case len(words) == 5 && words[2] == arrow:
		if s, ok := moveBetween(words[0]+words[1], words[3]+words[4]); ok {
			return s, nil
		}
	case len(words) == 2:
		at, ok := parseSquare(words[0] + words[1])
		if p, selected := b.Selected(); selected && ok {
			return MoveStep(p.At, at), nil
		}
		if ok {
			return SelectStep(at), nil
		}
	}
	return 0, fmt.Errorf("%s: %w", engine.Quote(text), errMalformed)
}

// ParseMovement parses a move, such as "36-35" or "3 6 -> 3 5", or a selection, "@36". It may be illegal.
func ParseMovement(text string) (Step, error) {
	b := empty()
	s, err := b.ParseStep(text)
	if err == nil && len(s.Squares()) == 0 {
		err = fmt.Errorf("%s is not a move such as 36-35", engine.Quote(text))
	}
	return s, err
}

// ParseSquare parses a square such as "36".
func ParseSquare(text string) (Square, error) {
	at, ok := parseSquare(text)
	if !ok {
		return at, fmt.Errorf("square %s: want a column and a row from 0 to 7, such as 36", engine.Quote(text))
	}
	return at, nil
}

func moveBetween(from, to string) (Step, bool) {
	a, okA := parseSquare(from)
	z, okZ := parseSquare(to)
	return MoveStep(a, z), okA && okZ
}

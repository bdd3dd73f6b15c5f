package qchess

import (
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
)

// An Update is the server's message about a step: a selection with its outcome, or a move.
type Update struct {
	From  Square
	Index int    // of the kind in the outcome
	Kind  Kind   // Unknown for a move
	To    Square // target of a move
}

// String returns the line of the protocol, such as "3 6 0 pawn" or "3 6 -> 3 4".
func (u Update) String() string {
	if u.Kind == Unknown {
		return fmt.Sprintf("%d %d %s %d %d", u.From.X(), u.From.Y(), arrow, u.To.X(), u.To.Y())
	}
	return fmt.Sprintf("%d %d %d %v", u.From.X(), u.From.Y(), u.Index, u.Kind)
}

// ParseUpdate parses a line of the protocol.
func ParseUpdate(line string) (u Update, err error) {
	words := strings.Fields(line)
	if len(words) == 5 && words[2] == arrow {
		if s, ok := moveBetween(words[0]+words[1], words[3]+words[4]); ok {
			return Update{From: Square(s.high()), To: s.Square()}, nil
		}
	}
	if len(words) == 4 {
		from, ok := parseSquare(words[0] + words[1])
		index, err := strconv.Atoi(words[2])
		if k := kindByName(words[3]); ok && err == nil && k != Unknown && (index == 0 || index == 1) {
			return Update{From: from, Index: index, Kind: k}, nil
		}
	}
	return u, fmt.Errorf("invalid update %s: use the form 3 6 0 pawn or 3 6 %s 3 4", engine.Quote(line), arrow)
}

// Apply makes the steps of an update and returns those that it made: with an error, those before the
// illegal step, which stay made.
func (b *Board) Apply(u Update) (steps []Step, err error) {
	if u.Kind == Unknown {
		s := MoveStep(u.From, u.To)
		if err := b.Do(s); err != nil {
			return nil, err
		}
		return []Step{s}, nil
	}
	if err := b.Do(SelectStep(u.From)); err != nil {
		return nil, err
	}
	steps = []Step{SelectStep(u.From)}
	if b.OutcomePending() {
		s := OutcomeStep(u.Index, u.Kind)
		if err := b.Do(s); err != nil {
			return steps, err
		}
		return append(steps, s), nil
	}
	if p, _, _ := b.PieceAt(u.From); p.Kind() != u.Kind {
		return steps, fmt.Errorf("%v: %w: the piece is a %v", u, ErrIllegal, p.Kind())
	}
	return steps, nil
}

// DoUpdate makes a step and returns the server's message about it. ok is false for a selection
// whose outcome is pending, which has no message.
func (b *Board) DoUpdate(s Step) (u Update, ok bool, err error) {
	picked := b.selected
	if s.stepType() == selection {
		picked = b.at[s.Square()&63]
	}
	if err := b.Do(s); err != nil {
		return u, false, err
	}
	switch {
	case s.stepType() == movement:
		return Update{From: Square(s.high()), To: s.Square()}, true, nil
	case s.stepType() == outcome:
		return Update{From: b.pieces[picked].At, Index: s.high(), Kind: Kind(s.low())}, true, nil
	}
	if b.OutcomePending() {
		return u, false, nil
	}
	p := &b.pieces[picked]
	return Update{From: p.At, Index: int(p.State), Kind: p.Kind()}, true, nil
}

// Force changes the board according to an update, even if it is illegal.
func (b *Board) Force(u Update) {
	i := b.at[u.From]
	if i < 0 {
		return
	}
	p := &b.pieces[i]
	b.turn, b.selected = sideOf(i), i
	if u.Kind != Unknown {
		p.Kinds[u.Index], p.State = u.Kind, int8(u.Index)
		if u.Index == 1 {
			p.Hidden = Unknown
		}
		b.endIfStuck()
		return
	}
	if u.To == u.From {
		b.endTurn()
		return
	}
	if p.State == superposed {
		p.State = 0
	}
	if victim := b.at[u.To]; victim >= 0 && sideOf(victim) == b.turn {
		b.pieces[victim].At = NoSquare
		b.occupied[b.turn] &^= u.To.bit()
		b.at[u.To] = -1
	}
	b.DoMove(u.To)
}

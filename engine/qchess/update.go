package qchess

import (
	"fmt"
	"strconv"
	"strings"
)

// An Update is what the server tells of a turn: a selection with what came of it, or a move.
type Update struct {
	From  Square
	Index int    // of the kind that shows
	Kind  Kind   // Unknown: it is a move
	To    Square // of a move
}

// String returns the line of the protocol, such as "3 6 0 pawn" or "3 6 -> 3 4".
func (u Update) String() string {
	if u.Kind == Unknown {
		return fmt.Sprintf("%d %d %s %d %d", u.From.X(), u.From.Y(), arrow, u.To.X(), u.To.Y())
	}
	return fmt.Sprintf("%d %d %d %v", u.From.X(), u.From.Y(), u.Index, u.Kind)
}

// ParseUpdate reads a line of the protocol.
func ParseUpdate(line string) (u Update, err error) {
	words := strings.Fields(line)
	if len(words) == 5 && words[2] == arrow {
		from, okFrom := parseSquare(words[0] + words[1])
		to, okTo := parseSquare(words[3] + words[4])
		if okFrom && okTo {
			return Update{From: from, To: to}, nil
		}
	}
	if len(words) == 4 {
		from, ok := parseSquare(words[0] + words[1])
		index, err := strconv.Atoi(words[2])
		if k := kindByName(words[3]); ok && err == nil && k != Unknown && (index == 0 || index == 1) {
			return Update{From: from, Index: index, Kind: k}, nil
		}
	}
	return u, fmt.Errorf("%s is no update: want one such as 3 6 0 pawn or 3 6 %s 3 4", quote(line), arrow)
}

// Apply makes the steps that an update tells of, and returns them. The error is that of a step
// that is illegal; the steps before it are made.
func (b *Board) Apply(u Update) (steps []Step, err error) {
	if u.Kind == Unknown {
		steps = []Step{MoveStep(u.From, u.To)}
		return steps, b.Do(steps[0])
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

// DoUpdate makes a step and returns what the server tells of it; of a selection whose outcome is to be
// drawn it tells nothing yet.
func (b *Board) DoUpdate(s Step) (u Update, told bool, err error) {
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

// Force has a board be as an update tells, whatever the rules say of it.
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
	b.doMove(u.To)
}

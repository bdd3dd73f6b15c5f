package record

import (
	"fmt"
	"strings"

	"qhsh/engine"
)

// A text whose move numbers contradict its moves lacks a move, has one too many, or has a wrong number.
// In a notation that is relative to the side to move, most moves are legal for the other side too, so
// the moves after the contradiction would be another game. In other notations a move of the wrong side
// is illegal, so only the number is wrong.

// A SideRelative is a Board with notations that are relative to the side to move.
type SideRelative interface {
	// IsSideRelative reports whether the last move that was parsed has such a notation.
	IsSideRelative() bool
}

// A moveNumbers checks the numbers of the moves of a text.
type moveNumbers struct {
	value   int    // of the next move; 0 if it has none
	text    string // as it is written
	isReply bool   // it has an ellipsis, which belongs to the second side
	isBare  bool   // no points follow

	opener engine.Turn // the side that begins
	ways   []numbering // that agree so far; nil before the first number
	off    bool        // numbers are no longer checked, since one is wrong; nor in games with chance, which programs number in several ways
	bare   bool        // how the first number was written
}

// A numbering is the side whose moves increase the number, with the number of the first move.
type numbering struct {
	opens engine.Turn
	base  int
}

// read remembers the number of the next move, which precedes it in the same word or in another one.
func (n *moveNumbers) read(text string) {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	if digits > 0 {
		n.value, n.text, n.isBare, n.isReply = number(text[:digits]), text, digits == len(text), false
	}
	n.isReply = n.isReply || strings.Contains(text, "...") || strings.Contains(text, "…")
}

// agree reports whether the number agrees with those before. number1 is that of the start position. Where
// the second side begins, its first move may share its number with the reply to it, or have one of its own.
func (n *moveNumbers) agree(turn engine.Turn, depth, firsts, number1 int) bool {
	isFirst := n.ways == nil
	switch {
	case isFirst && n.opener == engine.Second:
		n.ways = []numbering{{opens: engine.First}, {opens: engine.Second}}
	case isFirst:
		n.ways = []numbering{{opens: engine.First}}
	case n.isBare != n.bare:
		return true // a bare number may have another meaning
	}
	n.bare = n.isBare
	agreed := n.ways[:0]
	for _, way := range n.ways {
		before := firsts // moves of the side that opens
		if way.opens != engine.First {
			before = depth - firsts
		}
		now := n.value - before
		if turn != way.opens {
			now++
		}
		if n.opener != way.opens {
			now--
		}
		switch {
		case isFirst && depth > 0 && now != 1 && now != number1, !isFirst && now != way.base,
			n.isReply && way.opens == engine.First && turn != engine.Second:
		default:
			agreed = append(agreed, numbering{way.opens, now})
		}
	}
	n.ways = agreed
	return len(agreed) > 0
}

// isRelative reports whether the last move was in a notation that is relative to the side to move.
func (t *moveText) isRelative() bool {
	relative, ok := t.board.(SideRelative)
	return ok && relative.IsSideRelative()
}

// checkNumber returns the error of a move whose number contradicts the moves before it. An error that
// loses no move is only recorded.
func (t *moveText) checkNumber(word string) error {
	n := &t.numbers
	turn := t.board.Turn()
	if n.value == 0 || n.off || n.agree(turn, t.Depth(), int(t.counter().firsts), t.lib.Number(t.game.Start)) {
		return nil
	}
	n.off = true
	err := fmt.Errorf("%s has the number %s: a move before it is missing, or the number is wrong", word, n.text)
	if t.isRelative() && !t.lenient {
		return err
	}
	t.fail(&DroppedError{fmt.Errorf("move %s %w", t.number(), err), "the number is ignored"})
	return nil
}

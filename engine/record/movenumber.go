package record

import (
	"fmt"
	"slices"
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
	ways   []numberWay // that agree with the numbers so far; nil before the first
	off    bool        // numbers are no longer checked, since one is wrong; nor in games with chance, which programs number in several ways
	bare   bool        // how the first number was written
}

// A numberWay is a way of numbering. Where the second side begins, its first move may share its number
// with the reply to it, or have one of its own.
type numberWay struct {
	opens engine.Turn // the side whose moves increase the number
	base  int         // the number of the first move
}

// read remembers the number of the next move, which precedes it in the same word or in another one.
func (n *moveNumbers) read(text string) {
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	if digits > 0 {
		n.value, n.text, n.isBare, n.isReply = number(text[:digits]), text, digits == len(text), false
	}
	n.isReply = n.isReply || strings.Contains(text, "...") || strings.Contains(text, "…")
}

// offset returns the number of the next move minus that of the first one.
func (w numberWay) offset(turn, opener engine.Turn, depth, firsts int) int {
	before := firsts
	if w.opens != engine.First {
		before = depth - firsts
	}
	if turn != w.opens {
		before--
	}
	if opener != w.opens {
		before++
	}
	return before
}

// agree reports whether the number agrees with those before. number1 is that of the start position.
func (n *moveNumbers) agree(turn engine.Turn, depth, firsts, number1 int) bool {
	if n.ways == nil {
		n.bare = n.isBare
		n.ways = []numberWay{{opens: engine.First}}
		if n.opener == engine.Second {
			n.ways = append(n.ways, numberWay{opens: engine.Second})
		}
		for i := range n.ways {
			n.ways[i].base = n.value - n.ways[i].offset(turn, n.opener, depth, firsts)
		}
		n.ways = slices.DeleteFunc(n.ways, func(w numberWay) bool { return depth > 0 && w.base != 1 && w.base != number1 })
	}
	if n.isBare != n.bare {
		return true // a bare number may have another meaning
	}
	n.ways = slices.DeleteFunc(n.ways, func(w numberWay) bool {
		isReply := w.opens == engine.First && turn == engine.Second
		return w.base+w.offset(turn, n.opener, depth, firsts) != n.value || n.isReply && w.opens == engine.First && !isReply
	})
	return len(n.ways) > 0
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
	if n.value == 0 || n.off || n.agree(turn, t.Depth(), t.firsts(), t.lib.Number(t.game.Start)) {
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

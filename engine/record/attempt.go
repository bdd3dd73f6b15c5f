package record

import (
	"errors"
	"fmt"
	"slices"

	"qhsh/engine"
)

// readMoveText reads moves, and if that fails tries the board's other interpretations. given is the
// text of the start position, empty if the file has none. It returns the attempt that got farthest.
func (l *Library) readMoveText(text string, start engine.Position, given string) *moveText {
	best := l.readStrictly(text, start, given)
	if best.isWhole() { // no reason for another interpretation
		best.errs.AddAt(best.behind.Line, best.behind.First())
	}
	if !best.isWhole() && l.lenient {
		best.BackTo(0)
		best = best.assumeFirst(best.choices, best.doubted, true)
	}
	best.done()
	return best
}

// readStrictly is readMoveText without keeping moves that cannot be played.
func (l *Library) readStrictly(text string, start engine.Position, given string) *moveText {
	board := l.Board(start, "")
	best := l.tryMoveText(text, start, board, nil)
	if again, ok := board.(Reinterpreter); ok && !best.isWhole() && best.plies < maxTwice {
		for _, r := range again.Interpretations(given) {
			if t := l.tryMoveText(text, r.Start, r.Board, nil); t.isWhole() || t.plies > best.plies {
				best = t
			}
			if best.isWhole() {
				break
			}
		}
	}
	if !best.isWhole() && len(best.candidates) > 0 {
		return best.lookAhead()
	}
	return best
}

// isWhole reports whether no move was lost.
func (t *moveText) isWhole() bool { return t.errs.First() == nil || IsDropped(t.errs.First()) }

func (l *Library) tryMoveText(text string, start engine.Position, board Board, choices []int) *moveText {
	return l.playMoveText(&moveText{lib: l, text: text, game: NewGame(start), choices: choices}, board)
}

// Limits of resolving ambiguous moves.
const (
	maxTries     = 64
	maxLookAhead = 1 << 16 // bytes of text
	maxTwice     = 1 << 16 // moves of an attempt that is kept beside another
)

// lookAhead tries the candidates of ambiguous moves. Programs write P3+1 even if two pawns of file
// 3 can advance, and 3x26 even if two captures end there; the moves after it show which one it was. If
// they do not, the first of the candidates that reach farthest is played, and reported.
func (t *moveText) lookAhead() *moveText {
	t.BackTo(0)
	if len(t.text) > maxLookAhead {
		return t.assumeFirst(nil, 1, false)
	}
	var best *moveText
	tries, ways, doubted := 0, 0, 0
	var search func(at *moveText)
	search = func(at *moveText) {
		k := len(at.choices)
		for c := 0; c < at.candidates[k] && ways < 2 && tries < maxTries; c++ {
			tries++
			next := t.lib.tryMoveText(t.text, t.game.Start, t.board, append(slices.Clone(at.choices), c))
			next.BackTo(0)
			switch {
			case next.isWhole():
				ways++
			case len(next.candidates) > len(next.choices):
				search(next)
				continue
			}
			switch {
			case best == nil || next.isBetter(best):
				best, doubted = next, 0
			case !best.isBetter(next):
				doubted = firstDifference(best.choices, next.choices)
			}
		}
	}
	search(t)
	if tries >= maxTries {
		doubted = max(doubted, 1)
	}
	switch {
	case best == nil:
		return t.assumeFirst(nil, 1, false)
	case doubted > 0:
		return t.assumeFirst(best.choices, doubted, false)
	}
	return best
}

// isBetter reports whether t reached farther than other: to the end, or more moves.
func (t *moveText) isBetter(other *moveText) bool {
	if t.isWhole() || other.isWhole() {
		return t.isWhole() && !other.isWhole()
	}
	return t.plies > other.plies
}

// firstDifference returns the place, from 1, of the first choice in which two attempts differ.
func firstDifference(a, b []int) int {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return i + 1
}

// assumeFirst reads the text of t again with these choices, and the first candidate where they end. It
// reports those, and the choice at the place doubted, from 1. The board must be at the start.
func (t *moveText) assumeFirst(choices []int, doubted int, lenient bool) *moveText {
	again := &moveText{lib: t.lib, text: t.text, game: NewGame(t.game.Start), choices: choices, assume: true, doubted: doubted, lenient: lenient}
	return t.lib.playMoveText(again, t.board)
}

// choose returns the chosen candidate of an ambiguous move, if any.
func (t *moveText) choose(err error) (m engine.Move, ok bool) {
	moves := choices(err)
	if moves == nil {
		return 0, false
	}
	k := len(t.candidates)
	t.candidates = append(t.candidates, len(moves))
	chosen := 0
	if k < len(t.choices) {
		chosen = t.choices[k]
	} else if !t.assume {
		return 0, false
	}
	m = moves[chosen]
	if t.assume && (k >= len(t.choices) || k+1 == t.doubted) {
		dropped := &DroppedError{fmt.Errorf("move %s %w", t.number(), err), t.board.Format(m) + " is played"}
		if t.lenient {
			t.fail(dropped)
		} else {
			t.fail(errors.New(dropped.Error()))
		}
	}
	return m, true
}

// choices returns the moves that an ambiguous move can mean, given its error; at least two, or nil.
func choices(err error) []engine.Move {
	if c, ok := errors.AsType[AmbiguousMove](err); ok && len(c.Choices()) > 1 {
		return c.Choices()
	}
	return nil
}

package record

import (
	"errors"
	"slices"

	"qhsh/engine"
)

// readMoveText reads moves, and if that fails tries the board's other interpretations. given is the
// text of the start position, empty if the file has none. It returns the attempt that got farthest.
func (l *Library) readMoveText(text string, start engine.Position, given string) *moveText {
	best := l.readStrictly(text, start, given)
	if best.isWhole() && best.behind != nil { // no reason for another interpretation
		best.failAt(best.behind.line, best.behind.err)
		best.err = best.errs.Err()
	}
	if best.isWhole() || !l.lenient {
		return best
	}
	best.BackTo(0)
	again, board := &moveText{lib: l, text: text, game: NewGame(best.game.Start), choices: best.choices, lenient: true}, best.board
	best = nil // its tree may be large
	return l.playMoveText(again, board)
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
func (t *moveText) isWhole() bool { return t.err == nil || IsDropped(t.err) }

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
// 3 can advance; the moves after it show which one moved. If they do not, or no choice works, it
// returns t.
func (t *moveText) lookAhead() *moveText {
	if len(t.text) > maxLookAhead {
		return t
	}
	var found *moveText
	tries, ways := 0, 0
	t.BackTo(0)
	var search func(at *moveText)
	search = func(at *moveText) {
		k := len(at.choices)
		if len(at.candidates) <= k {
			return
		}
		for c := 0; c < at.candidates[k] && ways < 2 && tries < maxTries; c++ {
			tries++
			next := t.lib.tryMoveText(t.text, t.game.Start, t.board, append(slices.Clone(at.choices), c))
			next.BackTo(0)
			if next.isWhole() {
				found = next
				ways++
				continue
			}
			search(next)
		}
	}
	search(t)
	if ways != 1 || tries >= maxTries {
		return t
	}
	return found
}

// choose returns the chosen candidate of an ambiguous move, if any.
func (t *moveText) choose(err error) (m engine.Move, ok bool) {
	moves := choices(err)
	if moves == nil {
		return 0, false
	}
	k := len(t.candidates)
	t.candidates = append(t.candidates, len(moves))
	if k >= len(t.choices) {
		return 0, false
	}
	return moves[t.choices[k]], true
}

// choices returns the moves that an ambiguous move can mean, given its error; at least two, or nil.
func choices(err error) []engine.Move {
	var c AmbiguousMove
	if !errors.As(err, &c) || len(c.Choices()) < 2 {
		return nil
	}
	return c.Choices()
}

package xiangqi

// A Verdict is how a repetition ends for the side to move.
type Verdict int8

// The verdicts; their signs are those of a score.
const (
	Loses Verdict = iota - 1
	Draws
	Wins
)

// Occurrences is how often this position stood before, with the same side to move,
// since the last capture or Pass, in the game and in the moves made since. It costs
// next to nothing where no repetition is possible.
func (b *Board) Occurrences() (n int) {
	for back := 4; back <= int(b.since); back += 2 {
		if b.history[len(b.history)-back].key == b.key {
			n++
		}
	}
	return n
}

// Repetition judges a position that stood before since the last capture or Pass; ok
// is false where it did not. If one side alone gave check with every move since it
// last stood, that side loses; else it is a draw. Perpetual chases are not judged.
func (b *Board) Repetition() (v Verdict, ok bool) {
	for back := 4; back <= int(b.since); back += 2 {
		if b.history[len(b.history)-back].key == b.key {
			return b.judge(back), true
		}
	}
	return Draws, false
}

// judge looks at the last plies of the game, an even number.
func (b *Board) judge(plies int) Verdict {
	cycle := b.history[len(b.history)-plies:]
	mine, theirs := true, b.inCheck()
	for i := range cycle {
		checked := cycle[i].check == checkYes // by the move before
		switch {
		case i%2 == 1:
			mine = mine && checked
		case i > 0:
			theirs = theirs && checked
		}
	}
	switch {
	case mine && !theirs:
		return Loses
	case theirs && !mine:
		return Wins
	}
	return Draws
}

package xiangqi

// A Verdict is how a repetition ends for the side to move.
type Verdict int8

// The verdicts; their signs are those of a score.
const (
	Loses Verdict = iota - 1
	Draws
	Wins
)

// Occurrences returns how often this position stood before, with the same side to move,
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

// lastTime returns how many plies ago the position last stood since the last capture or
// Pass; 0 if it did not.
func (b *Board) lastTime() (plies int) {
	for back := 4; back <= int(b.since); back += 2 {
		if b.history[len(b.history)-back].key == b.key {
			return back
		}
	}
	return 0
}

// Repetition judges a position that stood before since the last capture or Pass; ok
// is false where it did not. If one side alone gave check with every move since it
// last stood, that side loses; else it is a draw. Perpetual chases are not judged:
// RepetitionUnder does that.
func (b *Board) Repetition() (v Verdict, ok bool) {
	plies := b.lastTime()
	if plies == 0 {
		return Draws, false
	}
	var conduct [2]Conduct
	checks, _ := b.perpetual(plies)
	for s := range conduct {
		if checks[s] {
			conduct[s] = Checking
		}
	}
	return verdictOf(conduct, b.side), true
}

// RepetitionUnder judges by a rule set a position that stood before since the last
// capture or Pass, by what was done since it last stood; ok is false where it did not.
// It is for a search: it does not allocate, and takes a microsecond or two.
func (b *Board) RepetitionUnder(r RuleSet) (v Verdict, ok bool) {
	plies := b.lastTime()
	if plies == 0 {
		return Draws, false
	}
	conduct, _ := b.judgeCycle(r.definition(), plies, nil)
	return verdictOf(conduct, b.side), true
}

// verdictOf is how a repetition ends for a side.
func verdictOf(conduct [2]Conduct, side Side) Verdict {
	mine, theirs := conduct[side].severity(), conduct[side^1].severity()
	switch {
	case mine > theirs:
		return Loses
	case mine < theirs:
		return Wins
	}
	return Draws
}

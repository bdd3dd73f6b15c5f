package xiangqi

import "slices"

// A Verdict is the result of a repetition for the side to move.
type Verdict int8

// The verdicts, with the sign of a score.
const (
	Loses Verdict = iota - 1
	Draws
	Wins
)

// Occurrences returns how often this position occurred before, with the same side to move, since
// the last capture or Pass. It costs next to nothing if no repetition is possible.
func (b *Board) Occurrences() int {
	times, _ := b.Cycle()
	return times - 1
}

// HasRepeated reports whether any position has occurred twice since the last capture or Pass. It
// allocates.
func (b *Board) HasRepeated() bool {
	if b.since < 4 {
		return false
	}
	keys := []uint64{b.key}
	for _, before := range b.history[len(b.history)-int(b.since):] {
		keys = append(keys, before.key)
	}
	slices.Sort(keys)
	return len(slices.Compact(keys)) <= int(b.since)
}

// repetitionLimit is the number of occurrences of a position that ends the game.
const repetitionLimit = 3

// Cycle returns how often the position has occurred since the last capture or Pass, including now,
// and how many plies are judged: those since the third-last occurrence, or the second-last; 0 if
// this is the only one.
func (b *Board) Cycle() (times, plies int) {
	times = 1
	for back := 4; back <= int(b.since); back += 2 {
		if b.history[len(b.history)-back].key != b.key {
			continue
		}
		if times++; times <= repetitionLimit {
			plies = back
		}
	}
	return times, plies
}

// Repetition judges a repetition since the last capture or Pass; ok is false if there is none. A
// side that alone gave check with every move of the cycle loses; otherwise it is a draw. Perpetual
// chases are judged by RepetitionUnder.
func (b *Board) Repetition() (v Verdict, ok bool) {
	_, plies := b.Cycle()
	if plies == 0 {
		return Draws, false
	}
	conduct, _ := b.perpetual(plies)
	return verdictOf(conduct, b.side), true
}

// RepetitionUnder judges a repetition since the last capture or Pass by a rule set; ok is false if
// there is none. It is for a search: it does not allocate, and takes a microsecond or two.
func (b *Board) RepetitionUnder(r RuleSet) (v Verdict, ok bool) {
	_, plies := b.Cycle()
	if plies == 0 {
		return Draws, false
	}
	conduct, _ := b.judgeCycle(r.definition(), plies, nil)
	return verdictOf(conduct, b.side), true
}

// verdictOf returns the result of a repetition for a side.
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

package xiangqi

import (
	"fmt"
	"slices"
	"strings"
)

// offence returns the reason for which a side with this conduct loses.
func (c Conduct) offence() string {
	return [...]string{
		Free: "", Chasing: "perpetual chase", Attacking: "perpetual attack", Checking: "perpetual check",
	}[c]
}

// String returns the ruling as lines of text. The first begins with win, loss, draw or none, for
// the side to move. For a repetition the moves of the cycle follow, each with what it does, and
// then the conduct of each side.
func (r Ruling) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Verdict())
	switch {
	case r.Cycle == nil && !r.Result.Over():
		fmt.Fprintln(&b, "the position has not stood before")
	case r.Cycle != nil:
		cycle := r.Period()
		fmt.Fprintf(&b, "cycle of %d plies, the position stands for the %s time, %v rules\n", len(cycle), ordinal(r.Times), r.Rules)
		for _, d := range cycle {
			fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("  %-5v  %v  %s", d.Piece.Side(), d.Move, d.Words()), " "))
		}
		for _, s := range [2]Side{Red, Black} {
			fmt.Fprintf(&b, "%v %s\n", s, r.ConductWords(s))
		}
		if !r.Result.Over() {
			fmt.Fprintf(&b, "the third time would be a %s\n", r.Repetition.Verdict(r.Side.Turn()))
		}
	}
	return b.String()
}

// Verdict returns the result for the side to move: win, loss or draw followed by "by" and the
// reason, or none for a game in progress.
func (r Ruling) Verdict() string { return r.Result.Verdict(r.Side.Turn()) }

// Period returns the shortest sequence of moves that the cycle repeats; nil without a cycle.
func (r Ruling) Period() []CycleMove {
	same := func(a, b CycleMove) bool { return a.Move == b.Move }
	all := len(r.Cycle)
	for n := 4; n < all; n += 2 {
		if all%n == 0 && slices.EqualFunc(r.Cycle[n:], r.Cycle[:all-n], same) {
			return r.Cycle[all-n:]
		}
	}
	return r.Cycle
}

func ordinal(n int) string {
	switch {
	case n%10 == 1 && n%100 != 11:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2 && n%100 != 12:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3 && n%100 != 13:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

// Words tell what a move does, such as "checks"; empty if it does nothing of note.
func (d CycleMove) Words() string {
	var does []string
	if d.Check {
		does = append(does, "checks")
	}
	if d.Threat {
		does = append(does, "threatens mate")
	}
	for _, c := range d.Chases {
		does = append(does, c.String())
	}
	return strings.Join(does, ", ")
}

// String returns "chases the horse on C1 with the rook on D1".
func (c Chase) String() string {
	return fmt.Sprintf("chases the %v on %v with the %v on %v", c.Victim.Kind(), c.To, c.Attacker.Kind(), c.From)
}

// ConductWords returns what a side does throughout the cycle, such as "checks with every move".
func (r Ruling) ConductWords(s Side) string {
	switch r.Conduct[s] {
	case Checking:
		return "checks with every move"
	case Attacking:
		return "checks, threatens mate or chases with every move"
	case Chasing:
		var names []string
		for _, prey := range r.Chased[s] {
			names = append(names, fmt.Sprintf("the %v that began on %v", prey.Piece.Kind(), prey.Square))
		}
		return "chases " + strings.Join(names, " and ") + " with every move"
	}
	return "does nothing that is forbidden"
}

package engine

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// A Score is what a line is worth to the side to move: centipawns, or a forced
// mate counted in the winner's own moves. Scores are ordered: every mate is better
// than every number of centipawns, and a nearer mate is better than a farther one.
// The zero Score is unknown: the engine gave none. Scores are comparable with ==.
type Score struct {
	v     int32 // centipawns, or ±(mateValue - moves)
	known bool
}

const (
	mateValue = 1 << 30
	maxMate   = 1 << 20                 // moves to mate beyond this are cut
	maxCP     = mateValue - maxMate - 1 // centipawns beyond this are cut
)

// Centipawns returns a score of n hundredths of a pawn.
func Centipawns(n int) Score {
	return Score{int32(max(-maxCP, min(maxCP, n))), true}
}

// MateIn returns the score of a forced mate: in n of the mover's own moves if n is positive; being
// mated in -n moves if n is negative. MateIn(0) is the score of a side that is already mated.
func MateIn(n int) Score {
	if n > 0 {
		return Score{int32(mateValue - min(n, maxMate)), true}
	}
	return Score{int32(-mateValue + min(-n, maxMate)), true}
}

// Known reports whether there is a score.
func (s Score) Known() bool { return s.known }

// Centipawns returns the score in hundredths of a pawn, if it is not a mate.
func (s Score) Centipawns() (n int, ok bool) {
	if !s.known || s.isMate() {
		return 0, false
	}
	return int(s.v), true
}

// Mate returns the distance to a forced mate, as for MateIn. For a side that has already mated,
// MateIn(0).Neg(), it is 0 too.
func (s Score) Mate() (n int, ok bool) {
	switch {
	case !s.known || !s.isMate():
		return 0, false
	case s.v > 0:
		return mateValue - int(s.v), true
	}
	return -mateValue - int(s.v), true
}

func (s Score) isMate() bool { return s.v > maxCP || s.v < -maxCP }

// Neg returns the score from the other side's point of view.
func (s Score) Neg() Score { return Score{-s.v, s.known} }

// Compare returns a positive number if s is better than t for the side to move, negative if it is
// worse, and 0 if they are equal. An unknown score is worse than any other.
func (s Score) Compare(t Score) int {
	if s.known != t.known {
		if s.known {
			return 1
		}
		return -1
	}
	return cmp.Compare(s.v, t.v)
}

// String returns the score as in UCI: "cp 35", "mate 3", "mate -2"; "mate +0" for a side that has
// mated; empty if unknown.
func (s Score) String() string {
	if n, ok := s.Centipawns(); ok {
		return "cp " + strconv.Itoa(n)
	}
	n, ok := s.Mate()
	switch {
	case !ok:
		return ""
	case n == 0 && s.v > 0:
		return "mate +0"
	}
	return "mate " + strconv.Itoa(n)
}

// Pawns returns the score in pawns: "+0.35", "mate 3"; empty if unknown.
func (s Score) Pawns() string {
	if n, ok := s.Centipawns(); ok {
		return fmt.Sprintf("%+.2f", float64(n)/100)
	}
	return s.String()
}

// ParseScore parses the result of String.
func ParseScore(text string) (Score, error) {
	kind, number, _ := strings.Cut(text, " ")
	n, err := strconv.Atoi(number)
	if err != nil {
		return Score{}, fmt.Errorf("score %q: want cp or mate and a number", text)
	}
	switch {
	case kind == "cp":
		return Centipawns(n), nil
	case kind == "mate" && number == "+0":
		return MateIn(0).Neg(), nil
	case kind == "mate":
		return MateIn(n), nil
	}
	return Score{}, fmt.Errorf("score %q: want cp or mate and a number", text)
}

package annotate

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"qhsh/engine"
)

// A Class is how good a move is.
type Class uint8

// The classes, best first. A move is Unjudged where the engine has said nothing of it.
const (
	Unjudged Class = iota
	Best
	Good
	Inaccuracy
	Mistake
	Blunder
)

var classNames = [...]string{"", "best", "good", "inaccuracy", "mistake", "blunder"}

// String returns the class in a word; empty for Unjudged.
func (c Class) String() string {
	if int(c) >= len(classNames) {
		return ""
	}
	return classNames[c]
}

// isBad reports whether a move of the class should have been another.
func (c Class) isBad() bool { return c >= Inaccuracy }

// glyph returns the annotation glyph of a class as PGN numbers them; 0: none.
func (c Class) glyph() uint8 { return [...]uint8{Inaccuracy: 6, Mistake: 2, Blunder: 4}[c] }

// Thresholds are the losses of the chance of winning, from 0 to 1, from which on a move is
// an inaccuracy, a mistake or a blunder.
type Thresholds struct{ Inaccuracy, Mistake, Blunder float64 }

// DefaultThresholds are 5, 10 and 20 %.
func DefaultThresholds() Thresholds { return Thresholds{.05, .10, .20} }

// ParseThresholds reads three numbers of percent that do not fall, such as "5,10,20".
func ParseThresholds(text string) (Thresholds, error) {
	words := strings.Split(text, ",")
	var v [3]float64
	if len(words) != len(v) {
		return Thresholds{}, errThresholds
	}
	last := 0.0
	for i, word := range words {
		percent, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || !(last <= percent && 0 < percent && percent <= 100) {
			return Thresholds{}, errThresholds
		}
		v[i], last = percent/100, percent
	}
	return Thresholds{v[0], v[1], v[2]}, nil
}

var errThresholds = errors.New("want three percentages that do not fall, such as 5,10,20")

// String returns the thresholds as ParseThresholds reads them.
func (t Thresholds) String() string {
	return fmt.Sprintf("%.4g,%.4g,%.4g", 100*t.Inaccuracy, 100*t.Mistake, 100*t.Blunder)
}

// class returns that of a loss.
func (t Thresholds) class(loss float64) Class {
	switch {
	case loss >= t.Blunder:
		return Blunder
	case loss >= t.Mistake:
		return Mistake
	case loss >= t.Inaccuracy:
		return Inaccuracy
	}
	return Good
}

// MaxScale bounds a Scale: beyond it no score means anything.
const MaxScale = 100_000

// Chance returns the chance of winning of the side to move at a ply.
func (a *Annotated) Chance(ply int) (chance float64, ok bool) {
	return a.Plies[ply].Score.WinChance(a.Options.Scale)
}

// judge gives every move its class.
func (a *Annotated) judge() {
	for i := range a.Plies[1:] {
		before, p := &a.Plies[i], &a.Plies[i+1]
		if len(before.Line) == 0 {
			continue
		}
		if before.Line[0] == p.Move {
			p.Class = Best
			continue
		}
		best, ok := a.Chance(i)
		played, ok2 := p.moverScore().WinChance(a.Options.Scale)
		if !ok || !ok2 {
			continue
		}
		p.Loss = max(0, best-played)
		p.Class = a.Options.Thresholds.class(p.Loss)
	}
}

// A Tally counts the moves of a side.
type Tally struct {
	Judged                                   int // moves that have a class
	Best, Good, Inaccuracy, Mistake, Blunder int
	// Loss is the chance of winning that a judged move gives away on average, from 0 to 1.
	Loss float64
}

// Tally counts a side's moves.
func (a *Annotated) Tally(side engine.Turn) Tally {
	var t Tally
	counts := [...]*int{Best: &t.Best, Good: &t.Good, Inaccuracy: &t.Inaccuracy, Mistake: &t.Mistake, Blunder: &t.Blunder}
	for i := range a.Plies[1:] {
		p := &a.Plies[i+1]
		if p.Class == Unjudged || p.By != side {
			continue
		}
		*counts[p.Class]++
		t.Judged++
		t.Loss += p.Loss
	}
	if t.Judged > 0 {
		t.Loss /= float64(t.Judged)
	}
	return t
}

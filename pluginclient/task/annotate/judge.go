package annotate

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"qhsh/engine"
)

// A Class is the quality of a move.
type Class uint8

// The classes, best first. A move without analysis is Unjudged.
const (
	Unjudged Class = iota
	Best
	Good
	Inaccuracy
	Mistake
	Blunder
)

var classNames = [...]string{"", "best", "good", "inaccuracy", "mistake", "blunder"}

// String returns the name of the class; empty for Unjudged.
func (c Class) String() string { return classNames[c] }

// isBad reports whether the class is Inaccuracy or worse.
func (c Class) isBad() bool { return c >= Inaccuracy }

// glyph returns the PGN glyph (NAG) of a bad class.
func (c Class) glyph() uint8 { return [...]uint8{Inaccuracy: 6, Mistake: 2, Blunder: 4}[c] }

// Thresholds are the losses of winning chance, from 0 to 1, at which a move becomes an inaccuracy,
// a mistake or a blunder.
type Thresholds struct{ Inaccuracy, Mistake, Blunder float64 }

// DefaultThresholds returns 5, 10 and 20 %.
func DefaultThresholds() Thresholds { return Thresholds{.05, .10, .20} }

// ParseThresholds parses three nondecreasing percentages, such as "5,10,20".
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

var errThresholds = errors.New("want three percentages in ascending order, such as 5,10,20")

// String formats the thresholds in the syntax of ParseThresholds.
func (t Thresholds) String() string {
	return fmt.Sprintf("%.4g,%.4g,%.4g", 100*t.Inaccuracy, 100*t.Mistake, 100*t.Blunder)
}

// class returns the class of a loss.
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

// MaxScale is the maximum of Options.Scale.
const MaxScale = 100_000

// Chance returns the winning chance of the side to move at a ply, or of First where chance moves.
func (a *Annotated) Chance(ply int) (chance float64, ok bool) {
	p := &a.Plies[ply]
	return a.chanceOf(p, p.Pos.Turn())
}

// chanceOf returns the winning chance of a side at a ply, First's for chance.
func (a *Annotated) chanceOf(p *Ply, side engine.Turn) (chance float64, ok bool) {
	switch {
	case !p.WDL.Known():
		return p.scoreOf(side).Chance(a.Options.Scale)
	case p.Pos.Turn().Perspective() == side.Perspective():
		return p.WDL.Chance(), true
	}
	return p.WDL.Neg().Chance(), true
}

// won is the chance from which a game is won: with it a move that only wins more slowly is not marked. What may be
// lost down to it is less than by a mistake.
const won = .90

// judge sets the Class and Loss of every move.
func (a *Annotated) judge() {
	for i := range a.Plies {
		a.Plies[i].expect()
	}
	for i := range a.Plies[1:] {
		before, p := &a.Plies[i], &a.Plies[i+1]
		p.Class, p.Loss = Unjudged, 0
		loss, ok := a.lossOf(i + 1)
		switch {
		case len(before.Line) == 0 || p.Book:
		case before.Line[0] == p.Move:
			p.Class = Best
		case ok:
			p.Loss = max(0, loss)
			p.Class = a.Options.Thresholds.class(p.Loss)
			if played, _ := a.chanceOf(p, p.By); p.Class == Inaccuracy && played >= won {
				p.Class = Good
			}
		}
	}
}

// Marks returns the classes of all plies, Unjudged for those that are not marked.
func (a *Annotated) Marks() []Class {
	marks := make([]Class, len(a.Plies))
	for i := range a.Plies {
		if class := a.Plies[i].Class; class.isBad() {
			marks[i] = class
		}
	}
	return marks
}

// lossOf returns how much the mover's chance of winning falls with a move; ok is false if a score is
// not known.
func (a *Annotated) lossOf(ply int) (loss float64, ok bool) {
	best, ok := a.Chance(ply - 1)
	p := &a.Plies[ply]
	played, ok2 := a.chanceOf(p, p.By)
	return best - played, ok && ok2
}

// luck returns the winning chances of First before and after an outcome of chance; ok is false of other
// moves, and if a score is not known.
func (a *Annotated) luck(ply int) (before, after float64, ok bool) {
	p := &a.Plies[ply]
	if ply == 0 || p.By != engine.Chance {
		return 0, 0, false
	}
	before, ok = a.Chance(ply - 1)
	after, ok2 := a.chanceOf(p, engine.First)
	return before, after, ok && ok2
}

// isLuck reports whether an outcome of chance changes as much as a mistake does.
func (a *Annotated) isLuck(ply int) bool {
	before, after, ok := a.luck(ply)
	return ok && math.Abs(after-before) >= a.Options.Thresholds.Mistake
}

// A tally counts the moves of a side by class.
type tally struct {
	Judged     int                   `json:"judged"` // moves that have a class
	Best       int                   `json:"best"`
	Good       int                   `json:"good"`
	Inaccuracy int                   `json:"inaccuracy"`
	Mistake    int                   `json:"mistake"`
	Blunder    int                   `json:"blunder"`
	Loss       float64               `json:"loss"`               // of winning chance, the average of the judged moves, from 0 to 1
	Accuracy   *float64              `json:"accuracy,omitempty"` // of the judged moves together, from 0 to 100; nil if there are none
	Phases     map[string]phaseTally `json:"phases,omitempty"`   // by the parts of the game
}

// A phaseTally is how accurate the moves of a side are in a part of the game.
type phaseTally struct {
	Judged   int     `json:"judged"`
	Accuracy float64 `json:"accuracy"`
}

func (a *Annotated) tally(side engine.Turn) (t tally) {
	counts := [...]*int{Best: &t.Best, Good: &t.Good, Inaccuracy: &t.Inaccuracy, Mistake: &t.Mistake, Blunder: &t.Blunder}
	t.Phases = map[string]phaseTally{}
	for i, p := range a.Plies[1:] {
		if p.Class == Unjudged || p.By != side {
			continue
		}
		*counts[p.Class]++
		t.Judged++
		t.Loss += p.Loss
		phase := t.Phases[a.phase(i+1)]
		phase.Judged++
		t.Phases[a.phase(i+1)] = phase
	}
	t.Loss = Round(t.Loss / float64(max(t.Judged, 1)))
	if accuracy, ok := a.accuracy(side, ""); ok {
		t.Accuracy = &accuracy
	}
	for name, phase := range t.Phases {
		phase.Accuracy, _ = a.accuracy(side, name)
		t.Phases[name] = phase
	}
	return t
}

package script

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/pluginclient/task/annotate"
)

// A score is the known score of a move or a position.
type score struct{ engine.Score }

var (
	_ starlark.TotallyOrdered = score{}
	_ starlark.HasUnary       = score{}
)

func scoreValue(s engine.Score) starlark.Value {
	if !s.Known() {
		return starlark.None
	}
	return score{s}
}

func (s score) String() string                           { return s.Pawns() }
func (s score) Type() string                             { return "score" }
func (s score) Freeze()                                  {} // it never changes
func (s score) Truth() starlark.Bool                     { return true }
func (s score) class() *class                            { return scoreClass }
func (s score) Attr(name string) (starlark.Value, error) { return scoreClass.attr(s, name) }
func (s score) AttrNames() []string                      { return scoreClass.attrNames(s) }
func (s score) MarshalJSON() ([]byte, error)             { return printable.JSON(s.JSON()) }
func (s score) Hash() (uint32, error)                    { return starlark.String(s.Score.String()).Hash() }

// Cmp orders scores from the worst to the best.
func (s score) Cmp(other starlark.Value, _ int) (int, error) {
	return s.Compare(other.(score).Score), nil
}

// Unary returns the score from the other side's point of view.
func (s score) Unary(op syntax.Token) (starlark.Value, error) {
	if op != syntax.MINUS {
		return nil, nil
	}
	return score{s.Neg()}, nil
}

// number returns the score as one number, where a mate is mate minus its distance.
func (s score) number(mate int) int {
	n, ok := s.Mate()
	if !ok {
		n, _ = s.Centipawns()
		return n
	}
	return s.Compare(engine.Centipawns(0))*mate - n
}

// chance returns the winning chance used by annotate. It is rounded to be the same on every
// machine, because exponential functions differ in the last bit.
func (s score) chance(scale int) float64 {
	chance, _ := s.Score.Chance(float64(scale)) // a score is known
	return annotate.Round(chance)
}

func checkScale(scale int) error {
	if scale < 1 || scale > annotate.MaxScale {
		return fmt.Errorf("scale %d: want 1 to %d", scale, annotate.MaxScale)
	}
	return nil
}

var scoreClass = newClass("Score",
	`The value of a move or a position for a side: centipawns, or a forced mate counted in the winner's own moves. Scores compare with < and ==: any mate is better than any number of centipawns, and a nearer mate is better than a farther one. -score is the score for the other side. It prints as "+0.35" or "mate 3". In JSON it is {"cp":35} or {"mate":3}.
>>> sorted([score(cp=35), score(mate=3), score(mate=-2), -score(cp=35)])
[mate -2, -0.35, +0.35, mate 3]`,
	attribute("cp: int | None", `Centipawns. None for a mate.`,
		func(s score) starlark.Value { return intOrNone(s.Centipawns()) }),
	attribute("mate: int | None", `Moves to mate, negative if the side is being mated. None if it is not a mate.
>>> score(mate=3).mate, score(cp=35).mate
(3, None)`,
		func(s score) starlark.Value { return intOrNone(s.Mate()) }),
	attribute("chance: float", `The winning chance from 0 to 1 with four decimals, as in qhsh annotate. For centipawns it is what games of the embedded engine have shown. A mate is 1 or 0.
>>> score(cp=0).chance, score(cp=-49).chance, score(mate=-3).chance
(0.5, 0.4707, 0.0)`,
		func(s score) float64 { return s.chance(engine.DefaultScale) }),
	method("win_chance(scale: int = 380) -> float", `The winning chance for another scale, the score in centipawns of a chance of 73 %, as with qhsh annotate -scale.
>>> score(cp=100).win_chance(), score(cp=100).win_chance(scale=270)
(0.5599, 0.5845)`,
		func(s score, scale int) (float64, error) {
			if err := checkScale(scale); err != nil {
				return 0, err
			}
			return s.chance(scale), nil
		}),
	method("value(mate: int = 10000) -> int", `The score as one number for arithmetic: centipawns, or for a mate the given value minus the moves to it.
>>> score(cp=35).value(), score(mate=3).value(), score(mate=-3).value()
(35, 9997, -9997)`,
		score.number),
).with(
	"__lt__(other: Score) -> bool", "__le__(other: Score) -> bool",
	"__gt__(other: Score) -> bool", "__ge__(other: Score) -> bool",
	"__neg__() -> Score",
)

func intOrNone(n int, ok bool) starlark.Value {
	if !ok {
		return starlark.None
	}
	return starlark.MakeInt(n)
}

var scoreFunction = function("score(cp: int | None = None, mate: int | None = None) -> Score",
	`A score in centipawns, or of a mate in a number of moves, negative for the side being mated.
>>> score(cp=35), score(mate=-2), -score(35)
(+0.35, mate -2, -0.35)`,
	func(cp, mate optional[int]) (score, error) {
		switch {
		case cp.given == mate.given:
			return score{}, errors.New("want either cp or mate, such as score(cp=35)")
		case mate.given:
			return score{engine.MateIn(mate.value)}, nil
		}
		return score{engine.Centipawns(cp.value)}, nil
	})

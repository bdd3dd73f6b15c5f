package script

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"qhsh/engine"
	"qhsh/engine/games"
)

// A ruling is the verdict of a rule set on a game at a position.
type ruling struct {
	games.Ruling
	kind *kind
	pos  engine.Position
}

var _ starlark.Comparable = (*ruling)(nil)

// String returns a summary: "loss by perpetual chase".
func (r *ruling) String() string                           { return r.Verdict }
func (r *ruling) Type() string                             { return "ruling" }
func (r *ruling) Freeze()                                  {} // it never changes
func (r *ruling) Truth() starlark.Bool                     { return true }
func (r *ruling) Hash() (uint32, error)                    { return starlark.String(r.text()).Hash() }
func (r *ruling) class() *class                            { return rulingClass }
func (r *ruling) Attr(name string) (starlark.Value, error) { return rulingClass.attr(r, name) }
func (r *ruling) AttrNames() []string                      { return rulingClass.attrNames(r) }

// CompareSameType supports only equality: of the position and the text.
func (r *ruling) CompareSameType(op syntax.Token, other starlark.Value, _ int) (bool, error) {
	o := other.(*ruling)
	return compareEqual(op, r.pos.String() == o.pos.String() && r.Rules == o.Rules && r.text() == o.text(), "ruling")
}

// text returns the output of qhsh judge.
func (r *ruling) text() string { return strings.TrimRight(r.Text, "\n") }

// verdict returns win, loss, draw or none, for the side to move.
func (r *ruling) verdict() string {
	word, _, _ := strings.Cut(r.Verdict, " ")
	return word
}

// conduct returns what a side does throughout the cycle; empty without a cycle.
func (r *ruling) conduct(name string) string {
	side, err := parseSide(r.pos.Game(), name)
	if err != nil {
		return ""
	}
	return r.Conduct[side]
}

// MarshalJSON writes the attributes that are not empty.
func (r *ruling) MarshalJSON() ([]byte, error) {
	out := jsonRuling{
		Rules: r.Rules, Verdict: r.verdict(), Reason: r.Result.Reason, Times: r.Times,
		Red: r.conduct("red"), Black: r.conduct("black"),
	}
	for _, d := range r.Cycle {
		out.Cycle = append(out.Cycle, jsonCycleMove{r.pos.Format(d.Move), d.Text})
	}
	return marshal(out)
}

// judge implements board.judge.
func judge(g *games.Row, b *board, c *call) (starlark.Value, error) {
	rules := g.RuleSets[0]
	if err := c.unpack(&rules); err != nil {
		return nil, err
	}
	r, err := g.Judge(b.pos, rules)
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	return &ruling{r, b.kind, b.pos}, nil
}

var rulingClass = newClass("Ruling",
	`The verdict of a rule set on repetition, for the side to move. A repetition is decided at the third occurrence of the position; from the second one on, cycle shows where it leads. It prints as "loss by perpetual chase" or "none". In JSON it is an object with rules, verdict, reason, times, cycle, red and black, without empty values.`,
	attribute("text: str", `The text as from qhsh judge.
>>> print(board("startpos moves h2e2 h9g7 e2h2 g7h9").judge().text)
none
cycle of 4 plies, the position stands for the 2nd time, asian rules
  red    H2-E2
  black  H9-G7
  red    E2-H2
  black  G7-H9
red does nothing that is forbidden
black does nothing that is forbidden
the third time would be a draw by repetition`,
		func(r *ruling) (starlark.Value, error) { return starlark.String(r.text()), nil }),
	attribute("verdict: str", `"win", "loss" or "draw" for the side to move, or "none" while the game is in progress.`,
		func(r *ruling) (starlark.Value, error) { return starlark.String(r.verdict()), nil }),
	attribute("reason: str", `Why the game is over, such as "perpetual check" or "repetition". Empty while it is in progress.`,
		func(r *ruling) (starlark.Value, error) { return starlark.String(r.Result.Reason), nil }),
	attribute("outcome: Outcome | None", `The verdict as an outcome with the winner. None while the game is in progress.`,
		func(r *ruling) (starlark.Value, error) { return outcomeBy(r.pos, r.Result), nil }),
	attribute("rules: str", `The rule set.`,
		func(r *ruling) (starlark.Value, error) { return starlark.String(r.Rules), nil }),
	attribute("times: int", `How often the position has occurred since the last capture, including now.`,
		func(r *ruling) (starlark.Value, error) { return starlark.MakeInt(r.Times), nil }),
	attribute("cycle: tuple[tuple[str, str], ...]", `The moves since the last occurrence of the position, each with a description. Empty if there is none.
>>> board("3k5/9/9/R8/2c6/9/9/9/9/5K3 w moves a6a5 c5c6 a5a6 c6c5").judge().cycle[0]
("A6-A5", "chases the cannon on C5 with the rook on A5")`, rulingCycle),
	attribute("red: str", `What Red does throughout the cycle, in words. Empty without a cycle.`,
		func(r *ruling) (starlark.Value, error) { return starlark.String(r.conduct("red")), nil }),
	attribute("black: str", `What Black does throughout the cycle, in words. Empty without a cycle.`,
		func(r *ruling) (starlark.Value, error) { return starlark.String(r.conduct("black")), nil }),
)

func rulingCycle(r *ruling) (starlark.Value, error) {
	return tupleOf(r.Cycle, func(d games.CycleMove) starlark.Value {
		return starlark.Tuple{r.kind.move(r.pos, d.Move), starlark.String(d.Text)}
	}), nil
}

package script

import (
	"strings"

	"go.starlark.net/starlark"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
)

// A ruling is the verdict of a rule set on a game at a position.
type ruling struct {
	games.Ruling
	kind *kind
	pos  engine.Position
}

// String returns a summary: "loss by perpetual chase".
func (r *ruling) String() string { return r.Verdict }
func (r *ruling) class() *class  { return rulingClass }

// equal compares the position and the text.
func (r *ruling) equal(other data) bool {
	o := other.(*ruling)
	return r.pos.String() == o.pos.String() && r.Rules == o.Rules && r.text() == o.text()
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
	type cycleMove struct {
		Move string `json:"move"`
		Does string `json:"does,omitempty"`
	}
	out := struct {
		Rules   string      `json:"rules"`
		Verdict string      `json:"verdict"`
		Reason  string      `json:"reason,omitempty"`
		Times   int         `json:"times"`
		Cycle   []cycleMove `json:"cycle,omitempty"`
		Red     string      `json:"red,omitempty"`
		Black   string      `json:"black,omitempty"`
	}{r.Rules, r.verdict(), r.Result.Reason, r.Times, nil, r.conduct("red"), r.conduct("black")}
	for _, d := range r.Cycle {
		out.Cycle = append(out.Cycle, cycleMove{r.pos.Format(d.Move), d.Text})
	}
	return printable.JSON(out)
}

func (b *board) judge(rules optional[string]) (*ruling, error) {
	row := b.kind.row
	r, err := row.Judge(b.pos, rules.or(row.RuleSets[0]))
	if err != nil {
		return nil, err
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
		(*ruling).text),
	attribute("verdict: str", `"win", "loss" or "draw" for the side to move, or "none" while the game is in progress.`,
		(*ruling).verdict),
	attribute("reason: str", `Why the game is over, such as "perpetual check" or "repetition". Empty while it is in progress.`,
		func(r *ruling) string { return r.Result.Reason }),
	attribute("outcome: Outcome | None", `The verdict as an outcome with the winner. None while the game is in progress.`,
		func(r *ruling) starlark.Value { return outcomeBy(r.pos, r.Result) }),
	attribute("rules: str", `The rule set.`,
		func(r *ruling) string { return r.Rules }),
	attribute("times: int", `How often the position has occurred since the last capture, including now.`,
		func(r *ruling) int { return r.Times }),
	attribute("cycle: tuple[tuple[str, str], ...]", `The moves since the last occurrence of the position, each with a description. Empty if there is none.
>>> board("3k5/9/9/R8/2c6/9/9/9/9/5K3 w moves a6a5 c5c6 a5a6 c6c5").judge().cycle[0]
("A6-A5", "chases the cannon on C5 with the rook on A5")`, func(r *ruling) (cycle [][]any) {
		for _, d := range r.Cycle {
			cycle = append(cycle, []any{r.kind.move(r.pos, d.Move), d.Text})
		}
		return cycle
	}),
	attribute("red: str", `What Red does throughout the cycle, in words. Empty without a cycle.`,
		func(r *ruling) string { return r.conduct("red") }),
	attribute("black: str", `What Black does throughout the cycle, in words. Empty without a cycle.`,
		func(r *ruling) string { return r.conduct("black") }),
)

// An outcome is how a game ended.
type outcome struct {
	winner string // empty: none
	reason string
}

// outcomeBy converts the result of a game; None while it is in progress.
func outcomeBy(pos engine.Position, r engine.Result) starlark.Value {
	if !r.Over() {
		return starlark.None
	}
	o := outcome{reason: r.Reason}
	for _, side := range []engine.Turn{engine.First, engine.Second} {
		if r.Outcome == engine.Win(side) {
			o.winner = engine.SideName(pos.Game(), side)
		}
	}
	return object{o}
}

// String returns a summary: "red wins by checkmate".
func (o outcome) String() string {
	text := "draw"
	if o.winner != "" {
		text = o.winner + " wins"
	}
	if o.reason != "" {
		text += " by " + o.reason
	}
	return text
}

func (o outcome) class() *class { return outcomeClass }

// MarshalJSON writes null if no side has won.
func (o outcome) MarshalJSON() ([]byte, error) {
	out := struct {
		Winner *string `json:"winner"`
		Reason string  `json:"reason"`
	}{nil, o.reason}
	if o.winner != "" {
		out.Winner = &o.winner
	}
	return printable.JSON(out)
}

var outcomeClass = newClass("Outcome",
	`How a game ended. In JSON it is {"winner":"red","reason":"checkmate"}, with winner null for a draw.`,
	attribute("winner: str | None", `"red" or "black". None in a draw.`, func(o outcome) string { return o.winner }),
	attribute("reason: str", `A word or two, such as "checkmate" or "stalemate".`, func(o outcome) string { return o.reason }),
)

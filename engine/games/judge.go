package games

import "qhsh/engine"

// A Judge is a Row whose games end by repetition and lack of progress under several rule sets.
type Judge interface {
	// RuleSets returns their names in lower case, the default first.
	RuleSets() []string
	// Adjudicate returns a function like [engine.Adjudicate] for a rule set. An unknown set is an
	// error.
	Adjudicate(rules string) (func(engine.Position) engine.Result, error)
	// Judge returns the ruling of a rule set at a position.
	Judge(p engine.Position, rules string) (Ruling, error)
}

// A Ruling is the ruling of a rule set on the repetition at a position.
type Ruling struct {
	Rules  string
	Result engine.Result // by all rules
	// Repetition is the result at the third occurrence of the position; Ongoing at the first one.
	Repetition engine.Result
	Verdict    string      // Result for the side to move: "win", "loss" or "draw" with "by" and the reason, or "none"
	Times      int         // occurrences of the position since it could last be repeated, including this one
	Cycle      []CycleMove // the moves since the last occurrence; none if there is none
	Conduct    [2]string   // what each side does throughout the cycle, in words; empty without a cycle
	Text       string      // a report in lines, for a person
}

// A CycleMove is a move of a repeated cycle.
type CycleMove struct {
	Move engine.Move
	Text string // what it does, such as "checks"
}

// Adjudicator returns the function that adjudicates a game's positions under a rule set, and the
// set's name; an empty name means the default. For a game without rule sets it returns
// [engine.Adjudicate] and no name.
func (t Table) Adjudicator(g engine.Game, rules string) (judge func(engine.Position) engine.Result, name string, err error) {
	j, ok := t.row(g).(Judge)
	switch {
	case ok && rules == "":
		rules = j.RuleSets()[0]
	case !ok && rules != "":
		return nil, "", Unsupported[Judge](t, g, "rules")
	case !ok:
		return engine.Adjudicate, "", nil
	}
	judge, err = j.Adjudicate(rules)
	return judge, rules, err
}

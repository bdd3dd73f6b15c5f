package games

import "qhsh/engine"

// A Judge is a Row whose games end by repetition, and by play that leads nowhere, under several
// sets of rules.
type Judge interface {
	// RuleSets returns their names in lower case, the usual one first.
	RuleSets() []string
	// Adjudicate reports whether a game is over by a set of rules, as [engine.Adjudicate] does by
	// the usual one. An unknown set is an error.
	Adjudicate(rules string) (func(engine.Position) engine.Result, error)
	// Judge returns what a set of rules says of a game at a position.
	Judge(p engine.Position, rules string) (Ruling, error)
}

// A Ruling is what a set of rules on repetition says of a game at a position.
type Ruling struct {
	Rules   string
	Result  engine.Result // by all rules
	Verdict string        // Result for the side to move: "win", "loss" or "draw" with "by" and the reason, or "none"
	Times   int           // how often the position has stood since it could be repeated, now included
	Cycle   []CycleMove   // the moves since the position stood before; none if it has not
	Conduct [2]string     // what each side does throughout the cycle, in words; empty without a cycle
	Text    string        // all of it in lines, for a person
}

// A CycleMove is a move of a cycle.
type CycleMove struct {
	Move engine.Move
	Text string // what it does, such as "checks"
}

// Adjudicator returns how a game's positions are judged under a set of rules, and its name; empty
// are the usual ones. Where a game has no sets of rules it is [engine.Adjudicate] and no name.
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

package pluginclient

import (
	"fmt"
	"slices"
	"strings"
)

// A Rule is a sentence of a protocol's specification that binds engines, or advice where the
// specification leaves something open.
type Rule struct {
	Name     string // of words with dots between them; the first is the chapter
	Section  string // where the sentence stands, such as "3 LEVEL"
	Sentence string // the sentence, or what it comes to
	Advice   bool   // the specification leaves it open
}

// Rules are the rules of a protocol.
type Rules []Rule

// Named returns the rule with the given name. It panics if there is none.
func (rs Rules) Named(name string) Rule {
	i := slices.IndexFunc(rs, func(r Rule) bool { return r.Name == name })
	if i < 0 {
		panic("pluginclient: no rule " + name)
	}
	return rs[i]
}

// A Severity is how much a Judgement matters.
type Severity int

// The severities.
const (
	Note    Severity = iota // a matter of taste
	Warning                 // it may mislead a host
	Fault                   // a rule that binds was broken
)

func (s Severity) String() string { return [...]string{"note", "warning", "fault"}[s] }

// A Judgement is what a client sees to be wrong about its engine: a rule that was broken, and how.
type Judgement struct {
	Rule
	Severity Severity
	Engine   string // its name
	What     string // what it did
	At       string // the position, as a FEN, of an answer about one; may be empty
	Boards   bool   // the engine's board may now differ from the conversation's
}

// JudgedRemark begins the remark of a Judgement in a trace.
const JudgedRemark = "judged "

// String is the judgement in one line.
func (j Judgement) String() string {
	return fmt.Sprintf("%s: %s: %s; %s: %s [%s]", j.Engine, j.Severity, j.What, j.Section, j.Sentence, j.Name)
}

// kindOf returns what identifies the kind of a judgement, to report each kind once.
type kindOf struct{ engine, rule string }

// A Tally counts judgements by engine and rule, so that each kind can be told once.
type Tally struct {
	counts map[kindOf]int
	order  []kindOf
}

// Add counts a judgement, and reports whether it is the first of its kind.
func (t *Tally) Add(j Judgement) (first bool) {
	k := kindOf{j.Engine, j.Name}
	if t.counts == nil {
		t.counts = map[kindOf]int{}
	}
	t.counts[k]++
	if t.counts[k] > 1 {
		return false
	}
	t.order = append(t.order, k)
	return true
}

// Repeated returns a line for each engine with the kinds that have come more than once.
func (t *Tally) Repeated() (lines []string) {
	var engines []string
	kinds := map[string][]string{}
	for _, k := range t.order {
		if t.counts[k] < 2 {
			continue
		}
		if kinds[k.engine] == nil {
			engines = append(engines, k.engine)
		}
		kinds[k.engine] = append(kinds[k.engine], fmt.Sprintf("%s %d times", k.rule, t.counts[k]))
	}
	for _, engine := range engines {
		lines = append(lines, engine+": in all: "+strings.Join(kinds[engine], ", "))
	}
	return lines
}

// Package qtp are the checks of the Quoridor Text Protocol of 2015: every sentence of the
// document that binds an engine. The chapters are those of the table in table.go:
//
//	talk       sections 1.6 and 1.8: that there are responses, in their order
//	input      sections 1.2 to 1.10 and 2.1: what is done to a line before it is read
//	name, known, list, quit, unknown
//	           section 4.1
//	size, clear, walls
//	           section 4.2
//	move, wall, genmove, undo
//	           section 4.3, with the rules of the game
//	winner, show
//	           sections 4.4 and 4.5
//	state      section 3.3: what nothing may change
//	robust     what no line may do to an engine
//	quit       sections 1.12 and 4.1
//	response   sections 1.1 to 1.6, 2.4 and 4: what holds for every response
//
// "qhsh check -list" prints every check with its sentence.
//
// Most checks are conversations (a command and what its response has to be), each on a board
// that is reset; exam.go reads them. The form of every response is looked at on the way
// (forms.go), and is told of once, at the end: an engine that leaves out the empty lines is
// examined in all else. What the document leaves to "the rules", such as
// where a pawn may jump, is as package quoridor has it, which agrees with the engine and the
// referee of the protocol's authors.
package qtp

import (
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qtp"
	"qhsh/pluginclient/task/check"
)

// An Engine is how an engine is started.
type Engine struct {
	Name  string // for the trace until it has told its own
	Start pluginclient.Starter
	Log   *pluginclient.TraceLog // may be nil
}

// Suite returns the checks for an engine.
func Suite(e Engine) *check.Suite {
	k := &engineState{name: e.Name, noEmptyLine: map[string]bool{}, flaws: map[flaw]string{}}
	s := &check.Suite{
		Protocol: qtp.Protocol, Talk: check.NewTalk(e.Name, e.Start, e.Log),
		Name: func() string { return k.name },
	}
	for _, entry := range table {
		s.Checks = append(s.Checks, check.Check{
			Name: entry.name, Section: entry.section, Rule: entry.rule, Advice: entry.advice, Needs: entry.allNeeds(),
			Run: func(c *check.Case) error {
				prepare, run := entry.steps()
				return check.RunPrepared(&exam{Case: c, engineState: k}, prepare, run)
			},
		})
	}
	return s
}

// engineState is what has been found out about an engine in the course of an examination.
type engineState struct {
	name        string
	noEmptyLine map[string]bool // the commands to which it has left out the empty line
	flaws       map[flaw]string // where each was seen first

	exercised bool
}

// entry is a line of the table.
type entry struct {
	name, section, rule string
	advice              bool
	needs               []string
	prepare             func(x *exam) error // nil: board9 for a talk, nothing for a run
	talk                []string            // "COMMAND -> RESPONSE", see expected; "COMMAND" where any will do
	run                 func(x *exam) error // instead of a talk
}

// steps returns what is done, the preparation first.
func (n entry) steps() (prepare, run func(x *exam) error) {
	switch {
	case n.run != nil:
		return n.prepare, n.run
	case n.prepare == nil:
		return board9, conversation(n.talk...)
	}
	return n.prepare, conversation(n.talk...)
}

// basic is the check that all others need.
const basic = "talk.form"

// allNeeds returns the checks that this one needs.
func (n entry) allNeeds() []string {
	if n.name == basic {
		return nil
	}
	return append([]string{basic}, n.needs...)
}

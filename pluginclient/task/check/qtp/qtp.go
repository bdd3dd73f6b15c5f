// Package qtp has the checks of the Quoridor Text Protocol of 2015: every sentence of the document
// that binds an engine. The chapters are those of the table in table.go:
//
//	talk       sections 1.6 and 1.8: responses and their order
//	input      sections 1.2 to 1.10 and 2.1: preprocessing of lines
//	name, known, list, quit, unknown
//	           section 4.1
//	size, clear, walls
//	           section 4.2
//	move, wall, genmove, undo
//	           section 4.3, with the rules of the game
//	winner, show
//	           sections 4.4 and 4.5
//	state      section 3.3: what must not change the state
//	robust     lines that must not break an engine
//	quit       sections 1.12 and 4.1
//	response   sections 1.1 to 1.6, 2.4 and 4: the format of all responses
//
// "qhsh check -list" prints every check with its sentence.
//
// Most checks are conversations (commands with their expected responses), each on a new board;
// exam.go runs them. The format of all responses is checked meanwhile (flaws.go) and reported once,
// at the end: an engine that omits the empty lines can still be checked. What the document leaves
// to "the rules", such as where a pawn may jump, follows package quoridor, which agrees with the
// engine and the referee of the protocol's authors.
package qtp

import (
	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qtp"
	"qhsh/pluginclient/task/check"
)

// An Engine describes how to start an engine.
type Engine struct {
	Name  string // for the trace until the engine's own is known
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
				return check.InOrder(&exam{Case: c, engineState: k}, prepare, run)
			},
		})
	}
	return s
}

// engineState is what is known about an engine.
type engineState struct {
	name        string
	noEmptyLine map[string]bool // commands whose responses lacked the empty line
	flaws       map[flaw]string // the first of each kind

	exercised bool
}

// An entry is a line of the table.
type entry struct {
	name, section, rule string
	advice              bool
	needs               []string
	prepare             func(x *exam) error // nil: board9 with talk, nothing with run
	talk                []string            // "COMMAND -> RESPONSE", see expected; "COMMAND" for any response
	run                 func(x *exam) error // instead of talk
}

// steps returns the preparation and the check.
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

// allNeeds returns the needed checks, including basic.
func (n entry) allNeeds() []string {
	if n.name == basic {
		return nil
	}
	return append([]string{basic}, n.needs...)
}

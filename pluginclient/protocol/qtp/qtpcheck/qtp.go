// Package qtpcheck has the checks of the Quoridor Text Protocol of 2015: every sentence of the document
// that binds an engine. "qhsh check -list" prints every check with its sentence.
//
// Most checks are conversations (commands with their expected responses), each on a new board.
// The format of all responses is checked meanwhile and reported once,
// at the end: an engine that omits the empty lines can still be checked. What the document leaves
// to "the rules", such as where a pawn may jump, follows package quoridor, which agrees with the
// engine and the referee of the protocol's authors.
package qtpcheck

import (
	"fmt"
	"strings"

	"qhsh/pluginclient"
	"qhsh/pluginclient/protocol/qtp"
	"qhsh/pluginclient/task/check"
)

// Suite returns the checks for an engine. log may be nil.
func Suite(program pluginclient.Program, log *pluginclient.TraceLog) *check.Suite {
	k := &engineState{name: program.Name, noEmptyLine: map[string]bool{}, flaws: map[string]string{}}
	return &check.Suite{
		Protocol: qtp.Protocol, Talk: check.NewTalk(program.Name, program.Start, log),
		Name:   func() string { return k.name },
		Checks: check.Checks(table, basic, func(c *check.Case) *exam { return &exam{Case: c, engineState: k} }),
	}
}

// basic is the check that all others need.
const basic = "talk.form"

// engineState is what is known about an engine.
type engineState struct {
	name        string
	noEmptyLine map[string]bool   // commands whose responses lacked the empty line
	flaws       map[string]string // the first format error of each kind, by the name of its check

	exercised bool
}

// Preparations of checks.
var (
	board9 = board(9, 10)
	two9   = board(9, 2)
	one9   = board(9, 1)
	none9  = board(9, 0)
)

func ensureRunning(x *exam) error {
	if x.Running() {
		return nil
	}
	return x.Start(x)
}

func boardCommands(size, walls int) []string {
	return []string{fmt.Sprintf("boardsize %d", size), "clear_board", fmt.Sprintf("walls %d", walls)}
}

func board(size, walls int) func(*exam) error {
	return func(x *exam) error {
		for _, command := range boardCommands(size, walls) {
			r, err := x.ask(command)
			if err != nil {
				return err
			}
			if r.status() != '=' {
				return check.Faultf(fmt.Sprintf("= to %q, which sets the board up", command), "%v", r)
			}
		}
		return nil
	}
}

// talk is a conversation on a new board.
func talk(lines ...string) func(*exam) error { return talkOn(board9, lines...) }

// talkOn is a conversation behind a preparation.
func talkOn(prepare func(*exam) error, lines ...string) func(*exam) error {
	return check.Steps(prepare, conversation(lines...))
}

// conversation returns a check of commands and their responses: "COMMAND -> RESPONSE", see expected, or
// "COMMAND" for any response.
func conversation(lines ...string) func(*exam) error {
	return func(x *exam) error {
		for _, line := range lines {
			command, want, asked := strings.Cut(line, " -> ")
			r, err := x.ask(command)
			if err != nil {
				return err
			}
			if asked && !expected(r, want) {
				return check.Faultf(fmt.Sprintf("%q to %q", want, command), "%v", r)
			}
		}
		return nil
	}
}

// expected reports whether a response matches want: "=" is any success, "?" any failure, and text
// after it must match. Results are compared without case (2.2), messages exactly.
func expected(r reply, want string) bool {
	text := strings.TrimSpace(want[1:])
	return r.status() == want[0] && (text == "" || r.text() == text || r.status() == '=' && strings.EqualFold(r.text(), text))
}

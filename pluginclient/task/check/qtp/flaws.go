package qtp

import (
	"context"
	"fmt"
	"strings"

	"qhsh/pluginclient/protocol/qtp"
	"qhsh/pluginclient/task/check"
)

// A flaw is a format error of a response.
type flaw string

// The flaws, with the names of their checks.
const (
	missingEnd     flaw = "response.end"
	resultBelow    flaw = "response.line"
	noBlank        flaw = "response.blank"
	strayText      flaw = "response.only"
	notASCII       flaw = "response.ascii"
	unneededResult flaw = "response.empty"
)

// flawExpected describes the correct format.
var flawExpected = map[flaw]string{
	missingEnd:     "an empty line at the end of every response",
	resultBelow:    "the result on the line of the sign",
	noBlank:        "a blank behind the sign",
	strayText:      "nothing outside responses",
	notASCII:       "printable US-ASCII",
	unneededResult: "nothing behind = where a command has no output",
}

// addFlaw records a flaw. The first of each kind is reported.
func (x *exam) addFlaw(f flaw, got string, args ...any) {
	if _, found := x.flaws[f]; !found {
		x.flaws[f] = fmt.Sprintf(got, args...)
	}
}

func isText(line string) bool { return strings.TrimSpace(line) != "" }

// stray records a line outside a response, where only empty lines are allowed (1.10).
func (x *exam) stray(line string) {
	if isText(line) {
		x.addFlaw(strayText, "%q", line)
	}
}

// checkFormat records the flaws of a response.
func (x *exam) checkFormat(command string, r reply) {
	shape := shapeOf(command, r)
	if !r.ended && !x.noEmptyLine[commandName(command)] {
		x.noEmptyLine[commandName(command)] = true
		x.addFlaw(missingEnd, "%v to %q and no empty line within %v", r, command, restTimeout)
	}
	if shape != qtp.Lines && len(r.lines) > 1 {
		x.addFlaw(resultBelow, "%v to %q", r, command)
	}
	if shape == qtp.Nothing && r.status() == '=' && r.text() != "" {
		x.addFlaw(unneededResult, "%v to %q", r, command)
	}
	if first := r.lines[0]; len(first) > 1 && first[1] != ' ' && first[1] != '\t' {
		x.addFlaw(noBlank, "%q to %q", first, command)
	}
	for _, line := range r.lines {
		if strings.ContainsFunc(line, func(c rune) bool { return c < ' ' || c > '~' }) {
			x.addFlaw(notASCII, "%q in the response to %q", line, command)
		}
	}
}

// commandName returns the first word of a command.
func commandName(command string) string {
	word, _, _ := strings.Cut(strings.TrimLeft(command, " "), " ")
	return word
}

// shapeOf returns the required shape of a response: a message is one line.
func shapeOf(command string, r reply) qtp.Result {
	c, known := qtp.Find(commandName(command))
	if !known || r.status() == '?' {
		return qtp.OneLine
	}
	return c.Result
}

// exercises are commands of all kinds, so that flaws are found even if no other check is run.
var exercises = []string{
	"name", "known_command quit", "known_command frobnicate", "list_commands", "playmove black E8", "playwall white B5 h",
	"genmove black", "winner", "undo", "undo 1000", "showboard", "playmove black A1", "frobnicate", "boardsize", "winner",
}

// exercise sends the exercises, once. Missing responses are for other checks.
func (x *exam) exercise() {
	if x.exercised {
		return
	}
	x.exercised = true
	for _, command := range append(boardCommands(9, 10), exercises...) {
		if _, err := x.ask(command); err != nil {
			x.Kill()
			return
		}
	}
}

// noFlaw returns a check that fails if the flaw was recorded during any check.
func noFlaw(f flaw) func(x *exam) error {
	return func(x *exam) error {
		x.exercise()
		if x.Err() != nil {
			return context.Cause(x)
		}
		if got, found := x.flaws[f]; found {
			return &check.Fault{Expected: flawExpected[f], Got: got}
		}
		return nil
	}
}

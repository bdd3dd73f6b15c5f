package qtpcheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"qhsh/pluginclient/protocol/qtp"
	"qhsh/pluginclient/task/check"
)

// An exam is one run of a check.
type exam struct {
	*check.Case
	*engineState
	ahead []string // lines read after the end of a response
}

// restTimeout is how long to wait for the next line of a response.
const restTimeout = 500 * time.Millisecond

// surplusTime is how long an engine needs for a response that is ready.
const surplusTime = 50 * time.Millisecond

// maxStray is the maximum number of lines outside a response that are skipped.
const maxStray = 1000

type reply struct {
	lines []string // without the empty line; the first starts with the status
	ended bool     // the empty line was received, if waited for
}

// status returns '=' or '?'.
func (r reply) status() byte { return r.lines[0][0] }

// text returns the result or message, from the first line or the one below it.
func (r reply) text() string {
	if text := r.first(); text != "" || len(r.lines) == 1 {
		return text
	}
	return strings.TrimSpace(r.lines[1])
}

// first returns the text on the line of the status.
func (r reply) first() string { return strings.TrimSpace(r.lines[0][1:]) }

func (r reply) String() string { return fmt.Sprintf("%q", strings.Join(r.lines, "\n")) }

// ask sends a command and returns its response. A second one to genmove, to which engines are known
// that answer twice, is not left for the next command.
func (x *exam) ask(command string) (r reply, err error) {
	if err := ensureRunning(x); err != nil {
		return r, err
	}
	x.drain()
	if err := x.Send(command); err != nil {
		return r, err
	}
	if r, err = x.readResponse(command); err == nil && commandName(command) == qtp.GenMove {
		err = x.single(command)
	}
	return r, err
}

// drain reads what was received, and records lines outside responses. Surplus responses are for
// other checks.
func (x *exam) drain() {
	inResponse := false
	for _, line := range append(x.ahead, x.Drain()...) {
		if inResponse = hasStatus(line) || inResponse && line != ""; !inResponse {
			x.stray(line)
		}
	}
	x.ahead = nil
}

func (x *exam) line(within time.Duration) (line string, err error) {
	if len(x.ahead) > 0 {
		line, x.ahead = x.ahead[0], x.ahead[1:]
		return line, nil
	}
	return x.Line(x, within)
}

// readResponse reads a response and records its format errors. Lines outside it are skipped; empty ones
// are allowed there (1.10). Since responses come in order but at any time (1.8), an engine that is
// silent is asked for its name: it has given no response if that comes first, or only by this.
func (x *exam) readResponse(command string) (r reply, err error) {
	within, missing := x.Deadlines.Reply, x.MissingReply
	if commandName(command) == qtp.GenMove {
		within, missing = x.ThinkTime(), x.MissingMove
	}
	expected, last, pinged := fmt.Sprintf("a response to %q", command), "", time.Time{}
	for range maxStray {
		line, err := x.line(within)
		switch {
		case errors.Is(err, check.ErrSilent) && last == "" && pinged.IsZero() && command != qtp.Name && command != qtp.Quit:
			if err := x.Ping(qtp.Name); err != nil {
				return r, x.MissingReply(expected, err)
			}
			within, pinged = x.ThinkTime(), time.Now()
		case err != nil && last != "":
			return r, check.Faultf(expected+", which begins with = or ?", "%q", last)
		case err != nil:
			return r, missing(expected, err)
		case hasStatus(line):
			r.lines = []string{line}
			prodded := time.Since(pinged) < surplusTime
			if err := x.readRest(&r, command); err != nil {
				return r, err
			}
			switch {
			case pinged.IsZero():
			case r.text() == x.name:
				return r, check.Faultf(expected, "none, though it answers name")
			case prodded:
				return r, check.Faultf(expected, "none before the next command had come")
			default:
				_, err = x.readResponse(qtp.Name)
			}
			x.checkFormat(command, r)
			return r, err
		case line != "":
			x.stray(line)
			last = line
		}
	}
	return r, check.Faultf(expected, "%d other lines", maxStray)
}

func hasStatus(line string) bool { return line != "" && (line[0] == '=' || line[0] == '?') }

// readRest reads the lines of a response after the first. It does not wait for the empty line if
// the command has omitted it before.
func (x *exam) readRest(r *reply, command string) error {
	if x.noEmptyLine[commandName(command)] && shapeOf(command, *r) != qtp.Lines {
		return nil
	}
	for {
		line, err := x.line(restTimeout)
		switch {
		case errors.Is(err, check.ErrSilent):
			return nil
		case err != nil && command == qtp.Quit:
			return nil
		case err != nil:
			return x.MissingReply("the end of the response", err)
		case line == "":
			r.ended = true
			return nil
		case hasStatus(line):
			x.ahead = append(x.ahead, line)
			return nil
		}
		r.lines = append(r.lines, line)
	}
}

// single records a second response to a command.
func (x *exam) single(command string) error {
	late, err := x.Pause(x, surplusTime)
	x.ahead = append(x.ahead, late...)
	if i := slices.IndexFunc(x.ahead, hasStatus); i >= 0 {
		x.addFlaw("response.single", "%q after the response to %q", x.ahead[i], command)
	}
	return err
}

// addFlaw records a format error. The first of each kind is reported.
func (x *exam) addFlaw(f, got string, args ...any) {
	if _, found := x.flaws[f]; !found {
		x.flaws[f] = fmt.Sprintf(got, args...)
	}
}

func isText(line string) bool { return strings.TrimSpace(line) != "" }

// stray records a line outside a response, where only empty lines are allowed (1.10).
func (x *exam) stray(line string) {
	if isText(line) {
		x.addFlaw("response.only", "%q", line)
	}
}

func (x *exam) checkFormat(command string, r reply) {
	shape := shapeOf(command, r)
	if !r.ended && !x.noEmptyLine[commandName(command)] {
		x.noEmptyLine[commandName(command)] = true
		x.addFlaw("response.end", "%v to %q and no empty line within %v", r, command, restTimeout)
	}
	if shape != qtp.Lines && len(r.lines) > 1 {
		x.addFlaw("response.line", "%v to %q", r, command)
	}
	if shape == qtp.Nothing && r.status() == '=' && r.text() != "" {
		x.addFlaw("response.empty", "%v to %q", r, command)
	}
	if first := r.lines[0]; len(first) > 1 && first[1] != ' ' && first[1] != '\t' {
		x.addFlaw("response.blank", "%q to %q", first, command)
	}
	for _, line := range r.lines {
		if strings.ContainsFunc(line, func(c rune) bool { return c < ' ' || c > '~' }) {
			x.addFlaw("response.ascii", "%q in the response to %q", line, command)
		}
	}
}

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

// noFlaw returns a check that fails if the flaw was recorded during any check. It first sends the
// exercises, once. Missing responses are for other checks.
func noFlaw(f, expected string) func(x *exam) error {
	return func(x *exam) error {
		commands := append(boardCommands(9, 10), exercises...)
		for i := 0; i < len(commands) && !x.exercised; i++ {
			_, err := x.ask(commands[i])
			if err == nil {
				err = x.single(commands[i])
			}
			if err != nil {
				x.Kill()
				break
			}
		}
		x.exercised = true
		if x.Err() != nil {
			return context.Cause(x)
		}
		if got, found := x.flaws[f]; found {
			return &check.Fault{Expected: expected, Got: got}
		}
		return nil
	}
}

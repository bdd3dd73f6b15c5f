package qtp

import (
	"errors"
	"fmt"
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

// maxStray is the maximum number of lines outside a response that are skipped.
const maxStray = 1000

// A reply is a response.
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

// ask sends a command and returns its response.
func (x *exam) ask(command string) (reply, error) {
	if err := ensureRunning(x); err != nil {
		return reply{}, err
	}
	x.drain()
	if err := x.Send(command); err != nil {
		return reply{}, err
	}
	return x.readResponse(command)
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

// line returns the engine's next line.
func (x *exam) line(within time.Duration) (line string, err error) {
	if len(x.ahead) > 0 {
		line, x.ahead = x.ahead[0], x.ahead[1:]
		return line, nil
	}
	return x.Line(x, within)
}

// readResponse reads a response and records its format errors.
func (x *exam) readResponse(command string) (reply, error) {
	r, err := x.receive(command)
	if err == nil {
		x.checkFormat(command, r)
	}
	return r, err
}

// receive reads a response. Lines outside it are skipped; empty ones are allowed there (1.10).
func (x *exam) receive(command string) (r reply, err error) {
	within := x.Deadlines.Reply
	if strings.HasPrefix(command, qtp.GenMove) {
		within = x.Deadlines.Think
	}
	expected, last := fmt.Sprintf("a response to %q", command), ""
	for range maxStray {
		line, err := x.line(within)
		switch {
		case err != nil && last != "":
			return r, check.Faultf(expected+", which begins with = or ?", "%q", last)
		case err != nil:
			return r, x.MissingReply(expected, err)
		case hasStatus(line):
			r.lines = []string{line}
			return r, x.readRest(&r, command)
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

// conversation returns a check of commands and their responses, in the syntax of entry.talk.
func conversation(talk ...string) func(*exam) error {
	return func(x *exam) error {
		for _, line := range talk {
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
	switch {
	case r.status() != want[0]:
		return false
	case text == "":
		return true
	case r.status() == '=':
		return strings.EqualFold(r.text(), text)
	}
	return r.text() == text
}

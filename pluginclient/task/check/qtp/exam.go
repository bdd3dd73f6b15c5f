package qtp

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"qhsh/pluginclient/protocol/qtp"
	"qhsh/pluginclient/task/check"
)

// exam is one run of a check.
type exam struct {
	*check.Case
	*engineState
	ahead []string // lines that were read too far
}

// restTimeout is how long the rest of a response may take to follow.
const restTimeout = 500 * time.Millisecond

// maxStray is how many lines outside a response are skipped while one is waited for.
const maxStray = 1000

// reply is a response as it came.
type reply struct {
	lines []string // up to the empty one; the first begins with the sign
	ended bool     // there was an empty one, as far as was waited for it
}

// status is = or ?.
func (r reply) status() byte { return r.lines[0][0] }

// text returns the result or the message, on the line of the sign or below it.
func (r reply) text() string {
	if text := r.first(); text != "" || len(r.lines) == 1 {
		return text
	}
	return strings.TrimSpace(r.lines[1])
}

// first returns what stands on the line of the sign.
func (r reply) first() string { return strings.TrimSpace(r.lines[0][1:]) }

func (r reply) String() string { return fmt.Sprintf("%q", strings.Join(r.lines, "\n")) }

// ask sends a command and waits for its response.
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

// drain takes in what has come outside responses. A response too many is another's affair.
func (x *exam) drain() {
	inResponse := false
	for _, line := range append(x.ahead, x.Drain()...) {
		if inResponse = hasStatus(line) || inResponse && line != ""; !inResponse {
			x.stray(line)
		}
	}
	x.ahead = nil
}

// line returns the engine's next.
func (x *exam) line(within time.Duration) (line string, err error) {
	if len(x.ahead) > 0 {
		line, x.ahead = x.ahead[0], x.ahead[1:]
		return line, nil
	}
	return x.Line(x, within)
}

// readResponse waits for a response, and takes in what is wrong with its form.
func (x *exam) readResponse(command string) (reply, error) {
	r, err := x.receive(command)
	if err == nil {
		x.checkFormat(command, r)
	}
	return r, err
}

// receive waits for a response. What stands outside is skipped; empty lines are allowed
// there (1.10).
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

// readRest reads the lines of a response after the first. The empty line after it is not waited
// for where a command has lacked it before.
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

// conversation returns a check that holds a conversation.
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

// expected reports whether a response is the wanted one: "=" is any success, "?" any failure,
// and text after it has to be there. A result may be in any case, as booleans and colours are
// (2.2); a message is a string.
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

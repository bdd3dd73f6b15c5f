package qtp

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"qhsh/pluginclient/check"
)

// exam is one run of a check.
type exam struct {
	*check.Case
	*known
}

// follow is how long the rest of a response may take to follow.
const follow = 500 * time.Millisecond

// reply is a response as it came.
type reply struct {
	lines []string // up to the empty one; the first begins with the sign
	ended bool     // there was an empty one
}

// sign is = or ?.
func (r reply) sign() byte { return r.lines[0][0] }

// text is the result or the message, on the line of the sign or below it.
func (r reply) text() string {
	if text := r.first(); text != "" || len(r.lines) == 1 {
		return text
	}
	return strings.TrimSpace(r.lines[1])
}

// first is what stands on the line of the sign.
func (r reply) first() string { return strings.TrimSpace(r.lines[0][1:]) }

func (r reply) String() string { return fmt.Sprintf("%q", strings.Join(r.lines, "\n")) }

// ready makes sure that the engine runs.
func (x *exam) ready() error {
	if x.Running() {
		return nil
	}
	return x.Start(x)
}

// ask sends a command and waits for its response.
func (x *exam) ask(command string) (reply, error) {
	if err := x.ready(); err != nil {
		return reply{}, err
	}
	x.Drain()
	if err := x.Send(command); err != nil {
		return reply{}, err
	}
	return x.hear(command)
}

// hear waits for a response. Empty lines before it are allowed (1.10).
func (x *exam) hear(command string) (r reply, err error) {
	within := x.Deadlines.Reply
	if strings.HasPrefix(command, "genmove") {
		within = x.Deadlines.Think
	}
	expected := fmt.Sprintf("a response to %q", command)
	for len(r.lines) == 0 {
		line, err := x.Line(x, within)
		switch {
		case err != nil:
			return r, x.Missing(expected, err)
		case line == "":
		case line[0] != '=' && line[0] != '?':
			return r, check.Faultf(expected+", which begins with = or ?", "%q", line)
		default:
			r.lines = []string{line}
		}
	}
	return r, x.rest(&r, command)
}

// rest reads the lines of a response after the first.
func (x *exam) rest(r *reply, command string) error {
	severalLines := strings.HasPrefix(command, "list_commands") || strings.HasPrefix(command, "showboard")
	if x.short && !severalLines {
		return nil
	}
	for {
		line, err := x.Line(x, follow)
		switch {
		case errors.Is(err, check.ErrSilent):
			return nil
		case err != nil:
			return x.Missing("the end of the response", err)
		case line == "":
			r.ended = true
			return nil
		}
		r.lines = append(r.lines, line)
	}
}

// The boards that conversations begin with.
var (
	board9 = []string{"boardsize 9", "clear_board", "walls 10"}
	none9  = []string{"boardsize 9", "clear_board", "walls 0"}
	one9   = []string{"boardsize 9", "clear_board", "walls 1"}
)

// converse holds a conversation on a board that is set up anew.
func (x *exam) converse(board, talk []string) error {
	if board == nil {
		board = board9
	}
	for _, command := range board {
		r, err := x.ask(command)
		if err != nil {
			return err
		}
		if r.sign() != '=' {
			return check.Faultf(fmt.Sprintf("= to %q, which sets the board up", command), "%v", r)
		}
	}
	for _, line := range talk {
		command, want, _ := strings.Cut(line, " -> ")
		r, err := x.ask(command)
		if err != nil {
			return err
		}
		if !expected(r, want) {
			return check.Faultf(fmt.Sprintf("%q to %q", want, command), "%v", r)
		}
	}
	return nil
}

// expected tells whether a response is the wanted one: "=" is any success, "?" any failure,
// and text behind it has to be there, in any case.
func expected(r reply, want string) bool {
	return r.sign() == want[0] && (len(want) == 1 || strings.EqualFold(r.text(), strings.TrimSpace(want[1:])))
}

package qchess

import (
	"errors"
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/engine/qchess"
	"qhsh/pluginclient"
)

// A Verdict is the error of an agent that loses a game by its own fault.
type Verdict struct {
	Side  engine.Turn // the agent's side
	Words string      // of the server's result line, such as "BOUNDS 9,9"
	Line  string      // the agent's line; empty if it sent none
	Err   error       // wraps an error of pluginclient
}

// Error returns the error, the server's result line, and the agent's line.
func (v *Verdict) Error() string {
	text := fmt.Sprintf("%v: %s", v.Err, v.Result())
	if v.Line != "" {
		text += fmt.Sprintf(", for its line %q", pluginclient.Excerpt(v.Line))
	}
	return text
}

// Result returns the server's result line: the side at fault and what it did.
func (v *Verdict) Result() string { return qchess.ColourName(v.Side) + " " + v.Words }

// Unwrap returns v.Err.
func (v *Verdict) Unwrap() error { return v.Err }

// Judge parses the answer to a request at a position, as the server does. The error is a [Verdict].
func Judge(b *qchess.Board, line string) (qchess.Step, error) {
	verdict := func(err error, format string, args ...any) error {
		return &Verdict{Side: b.Turn(), Words: fmt.Sprintf(format, args...), Line: line, Err: err}
	}
	x, y, ok := parseAnswer(line)
	if !ok {
		return 0, verdict(pluginclient.ErrInvalidReply, `GIBBERISH "%s"`, strings.Trim(line, " \t\r\n"))
	}
	at, err := qchess.ParseSquare(x + y)
	off := err != nil || len(x) != 1
	p, moving := b.Selected()
	if moving {
		if off || b.Destinations()>>at&1 == 0 {
			return 0, verdict(pluginclient.ErrIllegal, "ILLEGAL move %s,%s", x, y)
		}
		return qchess.MoveStep(p.At, at), nil
	}
	_, side, taken := qchess.Piece{}, engine.Turn(0), false
	if !off {
		_, side, taken = b.PieceAt(at)
	}
	switch {
	case off:
		return 0, verdict(pluginclient.ErrIllegal, "BOUNDS %s,%s", x, y)
	case !taken:
		return 0, verdict(pluginclient.ErrIllegal, "EMPTY")
	case side != b.Turn():
		return 0, verdict(pluginclient.ErrIllegal, "COLOUR %s not %s", qchess.ColourName(side), qchess.ColourName(b.Turn()))
	}
	return qchess.SelectStep(at), nil
}

// verdictOf returns the verdict on a side for the error of any engine: TIMEOUT, unless the error says
// more.
func verdictOf(side engine.Turn, fault error) *Verdict {
	v := &Verdict{Side: side, Words: "TIMEOUT", Err: fault}
	if !errors.As(fault, &v) {
		errors.As(noAnswerVerdict(side, fault, ""), &v)
	}
	return v
}

// noAnswerVerdict returns the verdict on an agent that has not answered because of err.
func noAnswerVerdict(side engine.Turn, err error, part string) error {
	switch {
	case errors.Is(err, pluginclient.ErrDied):
		return &Verdict{Side: side, Words: fmt.Sprintf(`GIBBERISH "%s"`, strings.TrimSpace(part)), Line: part, Err: err}
	case errors.Is(err, pluginclient.ErrNoReply), errors.Is(err, pluginclient.ErrPartialLine):
		return &Verdict{Side: side, Words: "TIMEOUT", Line: part, Err: err}
	}
	return err
}

// Package qchess implements both sides of the text protocol of qchess, the quantum chess of the UCC
// programming competition (2013): a [Client] makes an agent a Searcher and a pluginclient.Session,
// and a [Server] makes any Searcher of quantum chess an agent.
//
// An agent gets its colour and then the events of the game, and is asked for squares:
//
//	<< white
//	<< SELECTION?
//	>> 3 6
//	<< 3 6 1 rook         the piece shows a kind; if it cannot move, the turn is over
//	<< MOVE?
//	>> 3 5
//	<< 3 6 -> 3 5
//	<< 3 1 0 pawn         the other side's turn
//	<< 3 1 -> 3 3
//	<< QUIT white         or QUIT alone
//
// It answers nothing else. Undocumented, but sent by the server when it resumes a game: BOARD, a
// line for each piece, an empty line, and END BOARD.
//
// An agent knows only the current game. A Client therefore continues that game as long as each
// position continues the one before, and restarts the agent otherwise. A position that is not
// reached from the usual start is sent by BOARD. The client tests once, with a board of its own,
// whether the agent obeys BOARD; if it does not, such positions are errors.
//
// The protocol has no limits and no way to stop an agent. The client enforces a time limit by
// ending an agent that exceeds it.
package qchess

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/qchess"
	"qhsh/pluginclient"
)

// Protocol is the protocol's name. It has no version.
const Protocol = "qchess"

// The commands of the server.
const (
	Selection = "SELECTION?"
	Move      = "MOVE?"
	Quit      = "QUIT"
	Board     = "BOARD"
	EndBoard  = "END BOARD"
)

// BoardLines returns the lines of BOARD: what both sides know of a board. There is no space before
// "at", as in the server's lines.
func BoardLines(b *qchess.Board) []string {
	view := b.View()
	lines := []string{Board}
	for _, line := range view.ServerLines() {
		lines = append(lines, strings.Replace(line, "] at ", "]at ", 1))
	}
	return append(lines, "", EndBoard)
}

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

// answerPattern matches what the server reads of an answer: two numbers at its start.
var answerPattern = lazyregexp.New(`^\s*(\d+)\s+(\d+)`)

// Judge parses the answer to a request at a position, as the server does. The error is a [Verdict].
func Judge(b *qchess.Board, line string) (qchess.Step, error) {
	verdict := func(err error, format string, args ...any) error {
		return &Verdict{Side: b.Turn(), Words: fmt.Sprintf(format, args...), Line: line, Err: err}
	}
	m := answerPattern().FindStringSubmatch(line)
	if m == nil {
		return 0, verdict(pluginclient.ErrInvalidReply, `GIBBERISH "%s"`, strings.Trim(line, " \t\r\n"))
	}
	x, y := cmp.Or(strings.TrimLeft(m[1], "0"), "0"), cmp.Or(strings.TrimLeft(m[2], "0"), "0")
	at, err := qchess.ParseSquare(x + y)
	off := err != nil || len(x) != 1
	p, moving := b.Selected()
	if moving {
		if off || b.Destinations()>>at&1 == 0 {
			return 0, verdict(pluginclient.ErrIllegal, "ILLEGAL move %s,%s", x, y)
		}
		return qchess.MoveStep(p.At, at), nil
	}
	var side engine.Turn
	taken := false
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

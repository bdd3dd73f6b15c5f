package qchesscheck

import (
	"fmt"
	"math/rand/v2"

	"qhsh/engine"
	rules "qhsh/engine/qchess"
	"qhsh/pluginclient/protocol/qchess"
	"qhsh/pluginclient/task/check"
)

// exam is one run of a check, which plays a game with the agent.
type exam struct {
	*check.Case
	board rules.Board
}

var white, black = begin(rules.White), begin(rules.Black)

func begin(side engine.Turn) func(*exam) error {
	return func(x *exam) error {
		if err := x.Start(x); err != nil {
			return err
		}
		return x.Send(rules.ColourName(side))
	}
}

func send(line string) func(*exam) error { return func(x *exam) error { return x.Send(line) } }

// quiet fails if the agent sends anything after an event.
func quiet(after string) func(*exam) error {
	return func(x *exam) error {
		return x.CheckQuiet(silence, func(string) bool { return true }, "no response to "+after)
	}
}

func asks(x *exam) error {
	_, _, err := x.ask()
	return err
}

func selects(x *exam) error {
	s, _, err := x.ask()
	if err != nil {
		return err
	}
	return x.do(s)
}

// ask asks for a selection or a move, which must be legal.
func (x *exam) ask() (s rules.Step, line string, err error) {
	request := qchess.Selection
	if x.moving() {
		request = qchess.Move
	}
	if lines := x.Drain(); len(lines) > 0 {
		return 0, "", check.Faultf("nothing before "+request, "%q", lines[0])
	}
	if err := x.Send(request); err != nil {
		return 0, "", err
	}
	if line, err = x.Line(x, x.ThinkTime()); err != nil {
		return 0, "", x.MissingMove("an answer to "+request, err)
	}
	if s, err = qchess.Judge(&x.board, line); err != nil {
		return 0, line, check.Faultf("a legal answer to "+request, "%q, in the server's words: %v", line, err.(*qchess.Verdict).Words)
	}
	return s, line, nil
}

// do makes a step on the examiner's board, and sends the agent what it must know about it.
func (x *exam) do(s rules.Step) error {
	u, told, err := x.board.DoUpdate(s)
	if told {
		err = x.Send(u.String())
	}
	return err
}

// moving reports whether a selected piece is to move.
func (x *exam) moving() bool {
	_, selected := x.board.Selected()
	return selected && !x.board.OutcomePending()
}

// outcomes returns the possible outcomes of the selection, those in which the piece can move first,
// or last if able is false.
func (x *exam) outcomes(able bool) (steps []rules.Step) {
	var others []rules.Step
	for _, o := range x.board.Outcomes() {
		next := x.board
		s := rules.OutcomeStep(o.Index, o.Kind)
		if err := next.Do(s); err != nil {
			continue
		}
		if _, moves := next.Selected(); moves == able {
			steps = append(steps, s)
		} else {
			others = append(others, s)
		}
	}
	return append(steps, others...)
}

// show gives the selected piece the kind with an index, if possible one with which it can move.
func show(index int) func(*exam) error {
	return func(x *exam) error {
		for _, s := range x.outcomes(true) {
			if s.Index() == index {
				return x.do(s)
			}
		}
		return nil
	}
}

func (x *exam) turn(source *rand.Rand) error {
	err := selects(x)
	if err == nil && x.board.OutcomePending() {
		err = x.do(x.board.DrawOutcome(source))
	}
	if err != nil || !x.moving() {
		return err
	}
	return selects(x)
}

// opponent lets the other side select a piece, which becomes its first kind, and move it.
func (x *exam) opponent(from, to rules.Square) error {
	err := x.do(rules.SelectStep(from))
	if err == nil && x.board.OutcomePending() {
		err = show(0)(x)
	}
	if err != nil || !x.moving() {
		return err
	}
	return x.do(rules.MoveStep(from, to))
}

func opponent(fromX, fromY, toX, toY int) func(*exam) error {
	return func(x *exam) error { return x.opponent(rules.SquareAt(fromX, fromY), rules.SquareAt(toX, toY)) }
}

func (x *exam) opponentTurn(source *rand.Rand) error {
	for side := x.board.Turn(); x.board.Turn() == side && !x.board.Result().Over(); {
		steps := x.board.AppendSteps(nil)
		s := steps[source.IntN(len(steps))]
		if x.board.OutcomePending() {
			s = x.board.DrawOutcome(source)
		}
		if err := x.do(s); err != nil {
			return err
		}
	}
	return nil
}

// exits fails if the agent sends anything, or does not exit in time.
func exits(x *exam) error {
	lines, _, err := x.WaitExit(x, quitLimit+x.Deadlines.Quit)
	if err != nil {
		return check.Faultf(fmt.Sprintf("an exit within %v", quitLimit), "none within %v", quitLimit+x.Deadlines.Quit)
	}
	return check.CheckNone(lines, func(string) bool { return true }, "no response")
}

package qh

import (
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/task/check"
)

// A step is a check, or a part of one.
type step = func(*exam) error

// inOrder returns a check of steps, up to the first that fails.
func inOrder(steps ...step) step { return func(e *exam) error { return e.do(steps...) } }

// do runs steps up to the first that fails.
func (e *exam) do(steps ...step) error { return check.InOrder(e, steps...) }

// sends sends lines.
func sends(lines ...string) step { return func(e *exam) error { return e.Send(lines...) } }

// okTo checks that a command is answered with OK.
func okTo(lines ...string) step { return func(e *exam) error { return e.wantOK(lines...) } }

// errorTo checks that a command is answered with ERROR.
func errorTo(lines ...string) step { return func(e *exam) error { return e.wantError(lines...) } }

// each checks that a command with each of some arguments is answered with a word.
func each(word, command string, args ...string) step {
	return func(e *exam) error {
		for _, arg := range args {
			if err := e.wantWord(word, []string{command + arg}); err != nil {
				return err
			}
		}
		return nil
	}
}

// plays checks that moves are accepted.
func plays(moves ...string) step { return each("OK", "PLAY ", moves...) }

// playsOn checks that moves at the start position are accepted.
var playsOn = plays("H2-E2", "H9-G7")

// silence checks that no line follows an answer.
func silence(after string) step { return func(e *exam) error { return e.checkSilence(after) } }

// position sends FEN in the plugin's dialect and expects OK.
func position(pos *xiangqi.Position) step {
	return func(e *exam) error { return e.setPosition(pos) }
}

// boardIs checks by AI that the plugin's board is pos.
func boardIs(pos *xiangqi.Position) step { return func(e *exam) error { return e.checkBoard(pos) } }

// moves checks that AI answers with a legal move at pos.
func moves(pos *xiangqi.Position) step {
	return func(e *exam) error { _, err := e.checkAIMove(pos); return err }
}

// answersLegal checks that AI, however it is written, is answered with a legal move at pos.
func answersLegal(command string, pos *xiangqi.Position) step {
	return func(e *exam) error {
		answer, err := e.singleAnswer(command)
		if err == nil {
			_, err = parseLegal(pos, answer, strings.TrimSpace(command))
		}
		return err
	}
}

// hintsLegalAt checks that HINTS lists legal moves at pos.
func hintsLegalAt(pos *xiangqi.Position) step {
	return func(e *exam) error { _, err := e.legalHints(pos); return err }
}

// levelIs checks the answer to LEVEL, and says why it should be that.
func levelIs(id, why string) step {
	return func(e *exam) error {
		answer, err := e.command("LEVEL")
		if err == nil && answer != id {
			err = check.Faultf(id+why, "%q", answer)
		}
		return err
	}
}

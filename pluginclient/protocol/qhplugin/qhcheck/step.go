package qhcheck

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
)

// A step is a check, or a part of one.
type step = func(*exam) error

// inOrder returns a check of steps, up to the first that fails.
func inOrder(steps ...step) step { return func(e *exam) error { return e.do(steps...) } }

// do runs steps up to the first that fails.
func (e *exam) do(steps ...step) error { return check.InOrder(e, steps...) }

// forEach returns a check of each value, up to the first that fails.
func forEach[T any](all []T, verify func(value T) step) step {
	return func(e *exam) error {
		for _, value := range all {
			if err := verify(value)(e); err != nil {
				return err
			}
		}
		return nil
	}
}

func sends(lines ...string) step { return func(e *exam) error { return e.Send(lines...) } }

// wants checks that a command is answered with a word.
func wants(word qhplugin.Word, lines ...string) step {
	return func(e *exam) error {
		answer, err := e.command(lines...)
		if err != nil {
			return err
		}
		return isAnswer(word, answer, lines[0])
	}
}

func okTo(lines ...string) step    { return wants(qhplugin.OK, lines...) }
func errorTo(lines ...string) step { return wants(qhplugin.Error, lines...) }

// isAnswer returns a fault unless an answer is the word, optionally followed by text.
func isAnswer(word qhplugin.Word, answer, command string) error {
	if !hasWord(answer, word) {
		return check.Faultf(string(word)+" to "+command, "%q", answer)
	}
	return nil
}

// answers checks that a command is answered with a word, once.
func answers(word qhplugin.Word, line string) step {
	return inOrder(wants(word, line), silence("the answer to "+line))
}

// each checks that a command with each of some arguments is answered with a word.
func each(word qhplugin.Word, command string, args ...string) step {
	return forEach(args, func(arg string) step { return wants(word, command+arg) })
}

func plays(moves ...string) step { return each(qhplugin.OK, "PLAY ", moves...) }

// playsOn checks that moves at the start position are accepted.
var playsOn = plays("H2-E2", "H9-G7")

// silence checks that no line follows an answer: up to the answer to LEVEL, or for a while.
func silence(after string) step {
	return func(e *exam) error {
		if !e.pings || e.extraAnswers {
			return e.checkNothing(5*settleTime, "nothing after "+after)
		}
		strays, err := e.sync()
		if err == nil && len(strays) > 0 {
			err = check.Faultf("nothing after "+after, "%s", quoted(strays))
		}
		return err
	}
}

// checkNothing checks that no line comes for a while.
func (e *exam) checkNothing(d time.Duration, expected string) error {
	lines, err := e.Pause(e.Context, d)
	if err == nil && len(lines) > 0 {
		err = check.Faultf(expected, "%s", quoted(lines))
	}
	return err
}

// list returns a command with a count, followed by one move per line.
func list(word string, moves ...string) []string {
	return slices.Concat([]string{fmt.Sprintf("%s %d", word, len(moves))}, moves)
}

// position sends FEN in the plugin's dialect and expects OK.
func position(pos *xiangqi.Position) step {
	return func(e *exam) error {
		d := dialects[0]
		if e.dialect != nil {
			d = *e.dialect
		}
		return okTo("FEN " + d.fen(pos))(e)
	}
}

// boardIs checks by AI that the plugin's board is pos. Of a plugin that breaks the rules, a move of
// one of its pieces shows that, too.
func boardIs(pos *xiangqi.Position) step {
	return func(e *exam) error {
		answer, err := e.singleAnswer("AI")
		if err == nil && !(e.breaksRules && isAgainstRules(pos, answer)) {
			_, err = parseLegal(pos, answer, "AI")
		}
		return err
	}
}

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

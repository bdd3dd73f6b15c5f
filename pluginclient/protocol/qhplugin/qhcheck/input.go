package qhcheck

import (
	"errors"
	"fmt"
	"slices"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

func inputEnd(e *exam) error {
	e.EndInput()
	_, err := e.WaitEnd("its end with that of its input")
	return err
}

func inputCRLF(e *exam) error {
	c := boards.Chains[2][0]
	return e.do(okTo("FEN "+e.dialect.fen(c.Start)+"\r"), plays(c.Moves[0]+"\r"), okTo("LOAD 1\r", c.Moves[1]+"\r"),
		answersLegal("AI\r", c.After(2)))
}

func inputLower(e *exam) error {
	return e.do(okTo("fen "+e.dialect.fen(boards.OnlyHorse)), answersLegal("ai", boards.OnlyHorse))
}

func inputWhole(e *exam) error {
	for _, command := range []string{"LEVELX", "PLAYED H2-E2", "QUITTING"} {
		e.Drain()
		if err := e.Send(command); err != nil {
			return e.MissingReply("a plugin that goes on", err)
		}
		answer, err := e.Line(e.Context, pingAfter)
		switch {
		case errors.Is(err, check.ErrSilent): // another check reports that
		case err != nil:
			return e.MissingReply("a plugin that goes on after "+command, err)
		case !hasWord(answer, "ERROR"):
			return check.Faultf("ERROR or nothing to "+command, "%q", answer)
		}
	}
	return nil
}

// inputUnsupported checks that unsupported commands are answered with ERROR, since a host would
// wait for an answer.
func inputUnsupported(e *exam) error {
	abilities := []string{"UNDO", "HINTS"} // also the commands
	lacking := slices.DeleteFunc(abilities, func(ability string) bool { return !e.disclaims(ability) })
	if len(lacking) == 0 {
		return check.NotApplicablef("it says of neither UNDO nor HINTS that it does not support it")
	}
	return each(qhplugin.Error, "", lacking...)(e)
}

func inputScreen(e *exam) error {
	if !e.pings {
		return check.NotApplicablef("LEVEL is not answered with a number, so the end of a picture cannot be told")
	}
	lines, err := e.screen()
	if err == nil && len(lines) == 0 {
		err = check.Faultf("a picture of the board, or ERROR", "nothing on standard output")
	}
	return err
}

func screenBoard(e *exam) error {
	pos := boards.Middlegame
	return e.do(position(pos), screenIs(pos), okTo(playLines(e, pos)...), screenIs(afterFirst(pos)))
}

func screenIs(pos *xiangqi.Position) step {
	return func(e *exam) error {
		lines, err := e.screen()
		if err != nil {
			return err
		}
		switch where, ok := qhplugin.CompareScreen(pos, lines); {
		case !ok:
			return check.NotApplicablef("its picture is not like that of section 4")
		case where != "":
			return check.Faultf("the board of "+pos.String(), "another one: %s", where)
		}
		return nil
	}
}

func (e *exam) screen() ([]string, error) {
	if err := e.Send("SCR"); err != nil {
		return nil, err
	}
	return e.sync()
}

func inputPipelined(e *exam) error {
	var commands []string
	var want []qhplugin.Word
	game := boards.RandomGame(42, true)
	for _, m := range game[:40] {
		commands, want = append(commands, "PLAY "+m), append(want, qhplugin.OK)
	}
	commands, want = append(commands, list("LOAD", game[40:]...)...), append(want, qhplugin.OK)
	return e.pipelined(commands, want)
}

// pipelined sends commands in one write and checks their answers.
func (e *exam) pipelined(commands []string, want []qhplugin.Word) error {
	e.Drain()
	if err := e.Send(commands...); err != nil {
		return err
	}
	for i, word := range want {
		answer, err := e.response(e.Deadlines.Reply)
		if err != nil {
			return e.MissingReply(fmt.Sprintf("answer %d of %d", i+1, len(want)), err)
		}
		if !hasWord(answer, word) {
			return check.Faultf(fmt.Sprintf("%s as answer %d of %d", word, i+1, len(want)), "%q", answer)
		}
	}
	return nil
}

// inputPlayAI checks PLAY and AI in one write, as sent by a host that does not wait for OK.
func inputPlayAI(e *exam) error {
	for _, c := range boards.Chains[1] {
		if err := position(c.Start)(e); err != nil {
			return err
		}
		if err := e.pipelined([]string{"PLAY " + c.Moves[0], "AI"}, []qhplugin.Word{qhplugin.OK}); err != nil {
			return err
		}
		answer, err := e.waitMove("AI")
		if err != nil {
			return e.MissingReply("a move after PLAY and AI in one piece", err)
		}
		if _, err := parseLegal(c.After(1), answer, "AI"); err != nil {
			return err
		}
	}
	return nil
}

func inputPieces(e *exam) error {
	for _, part := range []string{"PL", "AY H2", "-E2"} {
		if err := e.Write(part); err != nil {
			return err
		}
		if err := e.checkNothing(settleTime, "nothing before the end of the line"); err != nil {
			return err
		}
	}
	if err := e.Send(""); err != nil {
		return err
	}
	answer, err := e.response(e.Deadlines.Reply)
	if err != nil {
		return e.MissingReply("OK to a PLAY in pieces", err)
	}
	return isAnswer("OK", answer, "PLAY H2-E2")
}

package qhcheck

import (
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// An interruption is a command sent while the plugin thinks: it is answered with ABORTED and then
// executed as usual.
type interruption struct {
	lines func(e *exam, pos *xiangqi.Position) []string
	want  qhplugin.Word
	// verify checks that the command was executed; nil if that is not visible.
	verify func(e *exam, pos *xiangqi.Position) error
}

// levelNumber describes the answer to LEVEL.
const levelNumber = "the number of the level"

// The commands. PLAY and LOAD play the first legal move.
var (
	byUnknown  = interruption{fixedLines("FOO"), "ERROR", nil}
	byLevel    = interruption{fixedLines("LEVEL"), levelNumber, nil}
	bySetLevel = interruption{func(e *exam, _ *xiangqi.Position) []string {
		return []string{"LEVEL " + itoa(append(e.ids(), 0)[0])}
	}, "OK", levelIsSet}
	byFEN = interruption{func(e *exam, _ *xiangqi.Position) []string {
		return []string{"FEN " + e.dialect.fen(boards.OnlyHorse)}
	}, "OK", positionIs(func(*xiangqi.Position) *xiangqi.Position { return boards.OnlyHorse })}
	byPlay = interruption{playLines, "OK", positionIs(afterFirst)}
	byLoad = interruption{func(_ *exam, pos *xiangqi.Position) []string {
		return list("LOAD", pos.LegalMoves()[0].ICCS())
	}, "OK", positionIs(afterFirst)}
	byBan     = interruption{banLines, "OK", obeysInterruptingBan}
	byBGThink = interruption{fixedLines("BGTHINK OFF"), "OK", nil}
	byUndo    = interruption{fixedLines("UNDO"), "OK", positionIs(func(pos *xiangqi.Position) *xiangqi.Position { return pos })}
)

// interruptedBy returns a check that sends a command to a plugin that thinks.
func interruptedBy(by interruption) step {
	return func(e *exam) error {
		pos := e.longThink.pos
		lines := by.lines(e, pos)
		if err := e.do(sends(lines...), aborted(lines[0])); err != nil {
			return err
		}
		answer, err := e.response(e.Deadlines.Prompt)
		switch {
		case err != nil:
			return e.MissingReply(string(by.want)+" to "+lines[0], err)
		case by.want == levelNumber && !isNumber(answer):
			return check.Faultf(levelNumber+" to "+lines[0], "%q", answer)
		case by.want == levelNumber:
			return nil
		}
		if err := isAnswer(by.want, answer, lines[0]); err != nil || by.verify == nil || e.isSlow() {
			return err
		}
		return by.verify(e, pos)
	}
}

// fixedLines returns lines that depend on nothing.
func fixedLines(lines ...string) func(*exam, *xiangqi.Position) []string {
	return func(*exam, *xiangqi.Position) []string { return lines }
}

// levelIsSet checks that LEVEL has set the first level. It cannot tell for a plugin that never
// returns the level set.
func levelIsSet(e *exam, _ *xiangqi.Position) error {
	ids := e.ids()
	if len(ids) == 0 {
		return nil
	}
	want, other := itoa(ids[0]), itoa(ids[len(ids)-1])
	is, err := e.command("LEVEL")
	if err != nil || is == want {
		return err
	}
	if err := okTo("LEVEL " + other)(e); err != nil {
		return err
	}
	level, err := e.command("LEVEL")
	if err == nil && level == other {
		err = check.Faultf(want+" as the level after LEVEL "+want, "%q", is)
	}
	return err
}

func playLines(_ *exam, pos *xiangqi.Position) []string {
	return []string{"PLAY " + pos.LegalMoves()[0].ICCS()}
}

// afterFirst returns the position after the first legal move.
func afterFirst(pos *xiangqi.Position) *xiangqi.Position {
	next, err := pos.PlayMove(pos.LegalMoves()[0])
	if err != nil {
		return pos
	}
	return next
}

// positionIs checks that the plugin has another position: AI plays a legal move there, at the
// weakest level.
func positionIs(at func(*xiangqi.Position) *xiangqi.Position) func(*exam, *xiangqi.Position) error {
	return func(e *exam, pos *xiangqi.Position) error { return e.do(weakest, boardIs(at(pos))) }
}

// banLines bans all moves but the last.
func banLines(_ *exam, pos *xiangqi.Position) []string {
	var moves []string
	for _, m := range pos.LegalMoves() {
		moves = append(moves, m.ICCS())
	}
	return list("BAN", moves[:len(moves)-1]...)
}

// obeysInterruptingBan checks that AI plays the remaining move.
func obeysInterruptingBan(e *exam, pos *xiangqi.Position) error {
	if err := weakest(e); err != nil {
		return err
	}
	m, err := e.checkAIMove(pos)
	legal := pos.LegalMoves()
	left := legal[len(legal)-1]
	if err == nil && xiangqi.Move(m) != left {
		err = check.Faultf(left.ICCS()+", since all others are banned", "%s", pos.Format(m))
	}
	return err
}

// interruptUndo interrupts AI with an UNDO of the move before.
func interruptUndo(e *exam) error {
	return e.do(okTo(playLines(e, e.longThink.pos)...), startThinkingHere, interruptedBy(byUndo))
}

func interruptsThinking(command string) step {
	return inOrder(sends(command), aborted(command), sends("ABORT"), aborted("ABORT"), checkReady)
}

func interruptQuit(e *exam) error {
	p, err := e.quit()
	if err != nil {
		return e.MissingReply("its end after QUIT", err)
	}
	if len(p.lines) != 2 || !hasWord(p.lines[0], "ABORTED") || !hasWord(p.lines[1], "BYE") {
		return check.Faultf("ABORTED and BYE", "%s", orNothing(p.lines))
	}
	return check.CheckTime("its end after QUIT", p.took, promptLimit)
}

package qhcheck

import (
	"cmp"
	"strings"

	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// A dialect is a variant of FEN.
type dialect qhplugin.Quirks

// dialects has the specification's own letters first.
var dialects = []dialect{{}, {LettersNB: true}, {SideR: true}, {LettersNB: true, SideR: true}}

// fen returns board and side.
func (d dialect) fen(pos *xiangqi.Position) string {
	line, _ := qhplugin.Quirks(d).FEN(pos) // fails only for other quirks
	return strings.TrimPrefix(line, "FEN ")
}

// understands checks that the plugin understands FENs in a dialect.
func (e *exam) understands(d dialect, positions ...*xiangqi.Position) error {
	return forEach(positions, func(pos *xiangqi.Position) step { return inOrder(okTo("FEN "+d.fen(pos)), boardIs(pos)) })(e)
}

// fenBoard finds a dialect that the plugin understands, trying the specification's first. A plugin may
// break the rules instead.
func fenBoard(e *exam) error {
	e.fenTried = true
	if e.breaksRules = isAgainstRules(start, e.firstMove); !e.breaksRules {
		if _, err := parseLegal(start, e.firstMove, "AI"); err != nil {
			return check.DependsOn("ai.legal")
		}
	}
	first := e.findDialect()
	if e.dialect == nil && e.Err() == nil {
		e.breaksRules = true
		_ = e.findDialect()
		e.breaksRules = e.dialect != nil
	}
	switch {
	case e.dialect != nil:
		return nil
	case isAgainstRules(start, e.firstMove):
		return check.DependsOn("ai.legal")
	}
	return first
}

// findDialect sets the dialect, or returns the fault of the first one.
func (e *exam) findDialect() (first error) {
	for _, d := range dialects {
		if err := ownProcess(e); err != nil {
			return err
		}
		err := e.understands(d, boards.OnlyHorse, boards.OnlyElephant)
		if err == nil {
			e.dialect = &d
			return nil
		}
		first = cmp.Or(first, err)
		if e.Err() != nil {
			break
		}
	}
	return first
}

// inDialect checks a changed dialect.
func inDialect(change func(d *dialect)) step {
	return func(e *exam) error {
		d := *e.dialect
		change(&d)
		return e.understands(d, boards.OnlyHorse, boards.OnlyElephant)
	}
}

func fenBlack(e *exam) error {
	err := e.understands(*e.dialect, boards.OnlyBlack, boards.OnlyCannon)
	if err == nil || e.breaksRules || e.Err() != nil {
		return err
	}
	e.breaksRules = true
	if newGame(e) == nil && e.understands(*e.dialect, boards.OnlyBlack, boards.OnlyCannon) == nil {
		return nil
	}
	e.breaksRules = false
	return err
}

// fenIs checks that a changed FEN sets a position.
func fenIs(pos *xiangqi.Position, change func(fen string) string) step {
	return func(e *exam) error { return e.do(okTo("FEN "+change(e.dialect.fen(pos))), boardIs(pos)) }
}

var (
	fenNoSide = fenIs(boards.OnlyHorse, func(fen string) string { return fen[:strings.Index(fen, " ")] })
	fenFields = fenIs(boards.OnlyHorse, func(fen string) string { return fen + " - - 0 1" })
	fenDashes = fenIs(boards.OnlyBlack, func(fen string) string { return fen + " - - - 1" })
)

var badFENs = []string{
	"garbage",
	"9/9 w",
	"rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9 w",
	"rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEH w",
	"rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHRR w",
	"rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHX b",
}

// oddFENs are well-formed but illegal positions.
var oddFENs = []string{
	"9/9/9/9/9/9/9/9/9/9 w",
	"rhea1aehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w",
	"4k4/9/9/9/9/9/9/9/9/4K4 w",
	"4k4/9/9/4R4/9/9/9/9/9/3K5 w",
	"3k5/9/9/9/4K4/9/9/9/9/9 w",
}

// fenFailed checks that a refused FEN keeps the board. Another check reports FENs that are wrongly
// accepted.
func fenFailed(e *exam) error {
	board, _, _ := strings.Cut(e.dialect.fen(boards.OnlyElephant), " ")
	refused := false
	for _, fen := range []string{badFENs[len(badFENs)-1], board + " x"} {
		answer, err := e.command("FEN " + fen)
		if err != nil || !hasWord(answer, "ERROR") {
			continue
		}
		refused = true
		if err := e.do(boardIs(boards.OnlyHorse), position(boards.OnlyHorse)); err != nil {
			return err
		}
	}
	if !refused {
		return check.NotApplicablef("it accepts anything")
	}
	return nil
}

// fenLong checks that lines of 79 bytes and more are read as single lines.
func fenLong(e *exam) error {
	return e.do(silence("the answer to a FEN of "+itoa(len(e.dialect.fen(boards.LongestFEN)))+" bytes"),
		position(boards.LongLine), boardIs(boards.LongLine))
}

func fenKeepsLevel(e *exam) error {
	levels := e.info.Levels
	last := itoa(levels[len(levels)-1].ID)
	return e.do(okTo("LEVEL "+last), position(boards.OnlyHorse), levelIs(last, " as before FEN"))
}

package qhcheck

import (
	"slices"
	"time"

	"qhsh/engine/lazyregexp"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

// hintFormat matches a line of the list: a move, optionally followed by text.
var hintFormat = lazyregexp.New(`^[A-I][0-9]-[A-I][0-9](\s.*)?$`)

func hintsList(e *exam) error {
	started := time.Now()
	lines, err := e.hints()
	if err != nil {
		return err
	}
	took := time.Since(started)
	if e.afterHints, err = e.linesAfter(); err != nil {
		return err
	}
	for _, text := range lines {
		if !hintFormat().MatchString(text) {
			return check.Faultf("a move of the form A0-A1, and text behind it at will", "%q", text)
		}
	}
	return e.learnTimeout("HINTS", took, at(newGame, boards.OnlyHorse))
}

var hintsLegal = forEach(slices.Concat(boards.Forced, boards.MateInOne[:1]), func(pos *xiangqi.Position) step {
	return inOrder(position(pos), hintsLegalAt(pos))
})

func hintsDistinct(e *exam) error {
	for _, pos := range []*xiangqi.Position{boards.Choices[0].Pos, boards.Choices[1].Pos, boards.MateInOne[0], boards.Middlegame} {
		if err := position(pos)(e); err != nil {
			return err
		}
		moves, err := e.legalHints(pos)
		if err != nil {
			return err
		}
		for i, m := range moves {
			if slices.Contains(moves[:i], m) {
				return check.Faultf("different moves", "%s twice", pos.Format(m))
			}
		}
	}
	return nil
}

var hintsStay = forEach(boards.Forced[:4], func(pos *xiangqi.Position) step {
	return inOrder(position(pos), hintsLegalAt(pos), hintsLegalAt(pos), boardIs(pos))
})

// hintScores returns a check that no list breaks a rule about scores.
func hintScores(rule string) step {
	return func(e *exam) error {
		return e.checkLists("it gives one hint at a time, or tells no scores", func(pos *xiangqi.Position, lines []string) (bool, error) {
			judged, found := qhplugin.JudgeScores(pos, lines)
			if found != nil && found.Rule == rule {
				return true, check.Faultf(found.Expected, "%s", found.Got)
			}
			return judged, nil
		})
	}
}

// checkLists applies judge to lists of several moves. judge reports whether it had anything to
// judge; if never, the check is absent with the reason otherwise.
func (e *exam) checkLists(otherwise string, judge func(*xiangqi.Position, []string) (bool, error)) error {
	judged := false
	for _, pos := range slices.Concat(boards.MateInOne, []*xiangqi.Position{boards.Choices[0].Pos, boards.Choices[1].Pos, boards.Middlegame}) {
		if err := position(pos)(e); err != nil {
			return err
		}
		lines, err := e.hints()
		if err != nil {
			return err
		}
		if len(lines) < 2 {
			continue
		}
		found, err := judge(pos, lines)
		if err != nil {
			return err
		}
		judged = judged || found
	}
	if !judged {
		return check.NotApplicablef("%s", otherwise)
	}
	return nil
}

func hintsBest(e *exam) error {
	return e.checkLists("it gives one hint at a time, or none that mates", func(pos *xiangqi.Position, lines []string) (judged bool, err error) {
		quiet := "" // a move that does not mate
		for _, text := range lines {
			m, err := parseLegal(pos, text, "HINTS")
			if err != nil {
				return judged, err
			}
			switch {
			case !boards.EndsGame(pos, m):
				quiet = pos.Format(m)
			case quiet != "":
				return true, check.Faultf("the best first", "%s before %s, which mates", quiet, pos.Format(m))
			default:
				judged = true
			}
		}
		return judged, nil
	})
}

package qh

import (
	"fmt"
	"slices"
	"strconv"

	"qhsh/engine"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

func itoa(n int) string { return strconv.Itoa(n) }

// maxLevels is the maximum number of levels tried.
const maxLevels = 20

var errNoLevels = check.NotApplicablef("the info block lists no levels")

func (e *exam) ids() []int {
	var ids []int
	for _, level := range e.levels() {
		ids = append(ids, level.ID)
	}
	return ids
}

func levelCurrent(e *exam) error {
	answer, err := e.firstAnswer()
	if err != nil {
		return err
	}
	ids := e.ids()
	if id, err := strconv.Atoi(answer); err != nil || len(ids) > 0 && !slices.Contains(ids, id) {
		return check.Faultf(fmt.Sprintf("the number of a level, which are %v", ids), "%q", answer)
	}
	return nil
}

func levelSet(e *exam) error {
	if len(e.levels()) == 0 {
		return errNoLevels
	}
	for _, level := range e.someLevels() {
		if err := e.wantOK("LEVEL " + itoa(level.ID)); err != nil {
			return err
		}
	}
	return nil
}

// someLevels returns the first and last levels if there are many.
func (e *exam) someLevels() []engine.Level {
	levels := e.levels()
	if len(levels) <= maxLevels {
		return levels
	}
	half := maxLevels / 2
	return slices.Concat(levels[:half], levels[len(levels)-half:])
}

func levelKeeps(e *exam) error {
	for _, level := range e.someLevels() {
		id := itoa(level.ID)
		if err := e.do(okTo("LEVEL "+id), levelIs(id, ", which was set")); err != nil {
			return err
		}
	}
	return nil
}

// levelKeepsGame checks that LEVEL keeps the moves played. Other checks report that it fails.
func levelKeepsGame(e *exam) error {
	ids := e.ids()
	for _, c := range boards.Chains[2] {
		if err := e.do(playsChain(c, 2)); err != nil {
			return err
		}
		for _, id := range slices.Concat(ids[max(0, len(ids)-1):], ids[:min(1, len(ids))]) {
			if err := e.setLevel(id); err != nil {
				return err
			}
		}
		if err := e.checkBoard(c.After(2)); err != nil {
			return err
		}
	}
	return nil
}

func levelRange(e *exam) error {
	ids := e.ids()
	if len(ids) == 0 {
		return errNoLevels
	}
	return e.do(each("ERROR", "LEVEL ", itoa(slices.Max(ids)+1), itoa(slices.Min(ids)-1), "999999"))
}

func levelFailed(e *exam) error {
	ids := e.ids()
	first := itoa(ids[0])
	return e.do(okTo("LEVEL "+first), errorTo("LEVEL "+itoa(slices.Max(ids)+1)), levelIs(first, " as before the ERROR"))
}

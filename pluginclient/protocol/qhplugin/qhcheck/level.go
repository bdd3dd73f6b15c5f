package qhcheck

import (
	"fmt"
	"slices"
	"strconv"

	"qhsh/pluginclient/protocol/qhplugin"
	"qhsh/pluginclient/task/check"
	"qhsh/pluginclient/task/check/boards"
)

func itoa(n int) string { return strconv.Itoa(n) }

const maxLevels = 20

var errNoLevels = check.NotApplicablef("the info block lists no levels")

func (e *exam) ids() []int {
	var ids []int
	for _, level := range e.info.Levels {
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
	if len(e.ids()) == 0 {
		return errNoLevels
	}
	return each(qhplugin.OK, "LEVEL ", e.someIDs()...)(e)
}

// someIDs returns the first and last levels if there are many.
func (e *exam) someIDs() (ids []string) {
	all := e.ids()
	for i, id := range all {
		if len(all) <= maxLevels || i < maxLevels/2 || i >= len(all)-maxLevels/2 {
			ids = append(ids, itoa(id))
		}
	}
	return ids
}

func levelKeeps(e *exam) error {
	return forEach(e.someIDs(), func(id string) step { return inOrder(okTo("LEVEL "+id), levelIs(id, ", which was set")) })(e)
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
		if err := boardIs(c.After(2))(e); err != nil {
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

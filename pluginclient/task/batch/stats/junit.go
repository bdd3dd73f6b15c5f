package stats

import (
	"cmp"
	"fmt"
	"io"

	"qhsh/pluginclient/format"
	"qhsh/pluginclient/task/batch"
)

// WriteJUnit writes a case for each position, with one suite per theme. Positions that are not solved are
// failures; with a Baseline those that were lost or are missing are, and the others are skipped.
func (s Summary) WriteJUnit(w io.Writer) error {
	s.cases.Name = s.File
	return s.cases.Write(w)
}

func (s *Summary) addCase(a batch.Answer, g Grade, change string) {
	c := format.JUnitCase{Suite: cmp.Or(themeOf(a.ID), s.File), Name: cmp.Or(a.ID, batch.Location(a.Item))}
	if a.Found.Time > 0 && g.passed() {
		c.Time = fmt.Sprintf("%.3f", a.Found.Time.Seconds())
	}
	result := Result{outcomeOf(a), g}.String()
	wanted := positionText(cmp.Or(a.Text, a.Input), a.Moves)
	if len(a.BM) > 0 {
		wanted += "\nbm " + batch.JoinMoves(a.BM)
	}
	if len(a.AM) > 0 {
		wanted += "\nam " + batch.JoinMoves(a.AM)
	}
	why := &format.JUnitMessage{Message: result, Text: wanted}
	switch {
	case change == lostChange, s.Against == nil && g.counts() && !g.passed() && a.Err == nil:
		c.Failure = why
	case a.Err != nil:
		c.Error = why
	case !g.counts():
		c.Skipped = &format.JUnitMessage{Message: "nothing to solve"}
	case !g.passed():
		c.Skipped = why
	default:
		c.Output = result
	}
	s.cases.Add(c)
}

func (s *Summary) addMissing(c Change) {
	s.cases.Add(format.JUnitCase{
		Suite: cmp.Or(themeOf(c.ID), s.File), Name: cmp.Or(c.ID, c.Place),
		Failure: &format.JUnitMessage{Message: missingChange + ", before: " + c.Before.String(), Text: positionText(c.FEN, c.Moves)},
	})
}

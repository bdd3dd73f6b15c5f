package exercise

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestMemory has tries of positions: the intervals grow and fall, and decide the order in which they are repeated.
func TestMemory(t *testing.T) {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	try := func(results string) (m Memory) {
		for _, r := range results {
			m = m.Try(r == '+', day)
		}
		return m
	}
	var steps []string
	for _, results := range []string{"", "+", "++", "+++", "++++", "+++++", "+++++++", "+++++++-", "-", "--+", "++-+"} {
		m := try(results)
		steps = append(steps, fmt.Sprintf("%s %d/%d %d", results, m.Solved, m.Failed, intervals[m.Step]))
	}
	want := " 0/0 0, + 1/0 1, ++ 2/0 3, +++ 3/0 7, ++++ 4/0 16, +++++ 5/0 35, +++++++ 7/0 35, +++++++- 7/1 16, - 0/1 0, --+ 1/2 1, ++-+ 3/1 3"
	if got := strings.Join(steps, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	old := try("+")
	old.Last = day.AddDate(0, 0, -3)
	ordered := []Memory{try("++-"), {}, old, try("+"), try("+++")}
	for i := range ordered[1:] {
		if ordered[i].Compare(ordered[i+1]) >= 0 || ordered[i+1].Compare(ordered[i]) <= 0 {
			t.Errorf("%+v is not before %+v", ordered[i], ordered[i+1])
		}
	}
}

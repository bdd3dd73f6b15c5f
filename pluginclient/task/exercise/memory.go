package exercise

import (
	"cmp"
	"time"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient/task/batch"
)

// A Memory is what is kept of the tries at a position.
type Memory struct {
	Solved int       `json:"solved,omitempty"`
	Failed int       `json:"failed,omitempty"`
	Missed bool      `json:"missed,omitempty"` // the last try has failed
	Step   int       `json:"step,omitempty"`   // of intervals: grows with each success, and falls with each failure
	Last   time.Time `json:"last"`             // the last try
}

// intervals are the days until a position that was solved is due again.
var intervals = [...]int{0, 1, 3, 7, 16, 35}

// Key returns the key of what is kept of a position, which is the same in all files.
func Key(all games.Table, pos engine.Position) string {
	text, _, _ := batch.CutCounters(pos.String())
	return all.Describe(pos.Game()) + " " + text
}

// Try returns the memory after one more try.
func (m Memory) Try(solved bool, now time.Time) Memory {
	m.Last, m.Missed = now.UTC().Truncate(time.Second), !solved
	if solved {
		m.Solved++
		m.Step = min(m.Step+1, len(intervals)-1)
	} else {
		m.Failed++
		m.Step = max(m.Step-1, 0)
	}
	return m
}

// Compare compares memories in the order in which positions are repeated: those that were failed, those that are
// new, and those that were solved, by when they are due.
func (m Memory) Compare(other Memory) int {
	class := func(m Memory) int {
		switch {
		case m.Missed:
			return 0
		case m.Solved == 0:
			return 1
		}
		return 2
	}
	due := func(m Memory) time.Time {
		return m.Last.AddDate(0, 0, intervals[min(max(m.Step, 0), len(intervals)-1)])
	}
	return cmp.Or(cmp.Compare(class(m), class(other)), due(m).Compare(due(other)))
}

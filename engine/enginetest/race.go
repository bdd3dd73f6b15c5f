package enginetest

import (
	"testing"
	"time"
)

// SkipUnderRace skips a long test of what runs in one goroutine, or of how much memory is taken,
// to which the race detector's own memory would be added.
func SkipUnderRace(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("the race detector has nothing to find here")
	}
}

// SampleUnderRace returns the cases of a long table, and under the race detector an n-th of them,
// drawn by date: within n days each of them has its turn.
func SampleUnderRace[C any](n int, cases []C) []C {
	if !Race {
		return cases
	}
	var some []C
	for i := int(time.Now().Unix()/86400) % n; i < len(cases); i += n {
		some = append(some, cases[i])
	}
	return some
}

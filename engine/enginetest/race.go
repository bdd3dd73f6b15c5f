package enginetest

import (
	"testing"
	"time"
)

// SkipUnderRace skips a long test of single-goroutine code, or of memory use, which the race
// detector would increase.
func SkipUnderRace(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("not useful under the race detector")
	}
}

// SampleUnderRace returns the cases of a long table, or under the race detector one case in n,
// chosen by date: every case runs within n days.
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

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
	return Daily(n, cases)
}

// Daily returns one case in n of a long table, chosen by date: every case runs within n days.
func Daily[C any](n int, cases []C) (some []C) {
	for i := Today() % n; i < len(cases); i += n {
		some = append(some, cases[i])
	}
	return some
}

// Today returns the number of the day.
func Today() int { return int(time.Now().Unix() / 86400) }

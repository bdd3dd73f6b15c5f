package ucifamily

import (
	"errors"
	"strconv"
)

// maxNumber is the maximum limit of a host: in milliseconds, about four years.
const maxNumber = 1 << 37

// TakeNumber parses the number after a keyword of "go" and returns the remaining words. It clamps n
// to the range 0 to 1<<37. If the next word is not a number, ok is false and rest is words, since
// that word may be the next keyword.
func TakeNumber(words []string) (n int64, rest []string, ok bool) {
	if len(words) == 0 {
		return 0, words, false
	}
	n, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // out of range, n is the nearest
		return 0, words, false
	}
	return min(max(n, 0), maxNumber), words[1:], true
}

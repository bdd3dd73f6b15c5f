package ucifamily

import (
	"errors"
	"strconv"
)

// maxNumber bounds what a host may ask for: in milliseconds, some years.
const maxNumber = 1 << 37

// TakeNumber takes the number that follows a word of "go": from 0 to 2^37, where what lies
// beyond counts as the nearest of these. Where no number follows, ok is false and the words
// are left as they are, since the next may be one that means something.
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

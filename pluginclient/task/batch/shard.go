package batch

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Shard is one of the parts that an input is divided into, so that each can be run by itself.
// Number k of n has the positions k, k+n, k+2n and so on: the parts have the same size, but for one
// position, as many of the hard ones, and can be written together without looking for a place. The
// zero Shard is all of the input.
type Shard struct{ Number, Of int }

// maxShards bounds how many parts there are.
const maxShards = 10000

var errShard = errors.New("want the number of a part and how many there are, such as 2/4")

// ParseShard reads what String writes.
func ParseShard(text string) (Shard, error) {
	number, of, _ := strings.Cut(text, "/")
	var s Shard
	for _, field := range []struct {
		text string
		n    *int
	}{{number, &s.Number}, {of, &s.Of}} {
		n, err := strconv.Atoi(field.text)
		if err != nil {
			return Shard{}, errShard
		}
		*field.n = n
	}
	if s.Number < 1 || s.Number > s.Of || s.Of > maxShards {
		return Shard{}, fmt.Errorf("%w: from 1/1 to %d/%d", errShard, maxShards, maxShards)
	}
	return s, nil
}

// String returns the number of the part and how many there are; empty for all of the input.
func (s Shard) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Number, s.Of)
}

// has reports whether a position is in the part, by its index.
func (s Shard) has(index int) bool { return s.Of == 0 || index%s.Of == s.Number-1 }

// Count returns how many of so many positions are in the part.
func (s Shard) Count(total int) int {
	if s.Of == 0 {
		return total
	}
	return (total + s.Of - s.Number) / s.Of
}

package batch

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Shard is one part of a divided input. Part k of n has the positions k, k+n, k+2n and so on: the
// parts differ in size by at most one position, share the difficult ones evenly, and can be merged
// by taking turns. The zero Shard is the whole input.
type Shard struct{ Number, Of int }

const maxShards = 10000

var errShard = errors.New("want PART/PARTS, such as 2/4")

// ParseShard parses what String returns.
func ParseShard(text string) (Shard, error) {
	number, of, _ := strings.Cut(text, "/")
	n, err1 := strconv.Atoi(number)
	m, err2 := strconv.Atoi(of)
	if err1 != nil || err2 != nil {
		return Shard{}, errShard
	}
	s := Shard{n, m}
	if s.Number < 1 || s.Number > s.Of || s.Of > maxShards {
		return Shard{}, fmt.Errorf("%w: from 1/1 to %d/%d", errShard, maxShards, maxShards)
	}
	return s, nil
}

// String returns PART/PARTS; "" for the whole input.
func (s Shard) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Number, s.Of)
}

// has reports whether the position with an index belongs to the part.
func (s Shard) has(index int) bool { return s.Of == 0 || index%s.Of == s.Number-1 }

// Count returns how many of total positions belong to the part.
func (s Shard) Count(total int) int {
	if s.Of == 0 {
		return total
	}
	return (total + s.Of - s.Number) / s.Of
}

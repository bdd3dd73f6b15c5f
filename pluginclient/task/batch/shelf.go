package batch

import (
	"fmt"
	"sync"
)

// shelfSize is how many bytes of replies a shelf holds at most: those to some 300,000
// positions.
const shelfSize = 64 << 20

// shelf is a Journal in memory, for a run whose output cannot be gone on with. Like an Index
// it drops the older half when it is full.
type shelf struct {
	most     int // bytes of a half
	mu       sync.Mutex
	base     int64
	old, now []byte // what begins at base, and what comes behind it
}

func newShelf() *shelf { return &shelf{most: shelfSize / 2} }

// Note keeps the reply of an entry, if it has one.
func (s *shelf) Note(e Entry) (ref int64, err error) {
	if e.Reply == nil {
		return -1, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.now) >= s.most {
		s.base += int64(len(s.old))
		s.old, s.now = s.now, make([]byte, 0, s.most)
	}
	ref = s.base + int64(len(s.old)+len(s.now))
	s.now = append(s.now, e.Key[:]...)
	at := len(s.now)
	s.now = append(s.now, 0, 0, 0, 0)
	s.now = AppendReply(s.now, *e.Reply)
	length := len(s.now) - at - 4
	s.now[at], s.now[at+1], s.now[at+2], s.now[at+3] = byte(length), byte(length>>8), byte(length>>16), byte(length>>24)
	return ref, nil
}

// Reply is what is kept there.
func (s *shelf) Reply(ref int64) (k Key, r Reply, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, half := ref-s.base, s.old
	if at >= int64(len(s.old)) {
		at, half = at-int64(len(s.old)), s.now
	}
	if at < 0 || at >= int64(len(half)) {
		return k, r, fmt.Errorf("reply %d is not kept any more", ref)
	}
	b := half[at:]
	k = Key(b)
	b = b[len(k):]
	length := int(b[0]) | int(b[1])<<8 | int(b[2])<<16 | int(b[3])<<24
	r, err = ParseReply(b[4 : 4+length])
	return k, r, err
}

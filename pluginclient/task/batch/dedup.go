package batch

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"qhsh/engine"
)

// A Key identifies a position with its history. Two positions have the same key if their starting
// positions, normalized by the game, and the moves since are equal. So FENs with default or omitted
// counters, or with alternative piece letters, are equal; a position reached by other moves is not,
// since repetitions count from the start of the history.
type Key [16]byte

// KeyOf returns the key of a position: the first half of a SHA-256.
func KeyOf(pos engine.Position) Key {
	start, moves := pos.History()
	text := append(make([]byte, 0, 128+8*len(moves)), pos.Game().Name()...)
	text = append(append(text, 0), start.String()...)
	text = append(text, 0)
	for _, m := range moves {
		text = binary.LittleEndian.AppendUint64(text, uint64(m))
	}
	sum := sha256.Sum256(text)
	return Key(sum[:len(Key{})])
}

// maxIndex is how many keys an [index] holds at most, which takes some 50 MB.
const maxIndex = 1 << 20

// An index maps keys to the references of their replies. It holds at most maxIndex keys, the most
// recently used: when half are in use, those not used since the previous such time are dropped. The
// zero index is empty.
type index struct {
	limit         int // 0: maxIndex
	recent, older map[Key]int64
}

func (x *index) Put(k Key, ref int64) {
	most := cmp.Or(x.limit, maxIndex)
	if x.recent == nil || len(x.recent) >= most/2 {
		x.recent, x.older = map[Key]int64{}, x.recent
	}
	x.recent[k] = ref
}

// Get returns the reference of the reply to a position.
func (x *index) Get(k Key) (ref int64, ok bool) {
	if ref, ok = x.recent[k]; ok {
		return ref, true
	}
	if ref, ok = x.older[k]; ok {
		x.Put(k, ref)
	}
	return ref, ok
}

// memo ensures that no position is searched twice. The first task for a position is its leader;
// equal tasks wait for it. Once answered, the reply is in the Log.
type memo struct {
	mu      sync.Mutex
	log     Log
	index   *index
	leaders map[Key]*task // those that are not yet in the log
}

// join decides what to do with a task.
func (m *memo) join(t *task) (what joinResult) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if leader, ok := m.leaders[t.key]; ok {
		t.equal, t.leader = true, leader
		if !leader.answered {
			leader.followers = append(leader.followers, t)
			return waitForLeader
		}
		t.reply = leader.reply
		return alreadyKnown
	}
	if ref, ok := m.index.Get(t.key); ok {
		key, reply, err := replyAt(m.log, ref)
		if err == nil && key == t.key {
			t.equal, t.reply, t.ref, t.logged = true, reply, ref, true
			return alreadyKnown
		} // otherwise the record was discarded
	}
	m.leaders[t.key] = t
	t.isLeader = true
	return askEngine
}

// joinResult is the decision of join.
type joinResult int

const (
	askEngine joinResult = iota
	waitForLeader
	alreadyKnown
)

// answered records a leader's reply and hands it to the waiting tasks. If the engine failed, the
// first of them becomes the new leader and must be searched: an error is not shared between equal
// positions.
func (m *memo) answered(t *task) (done []*task, next *task) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t.answered = true
	followers := t.followers
	t.followers = nil
	if t.reply.Err == nil {
		for _, f := range followers {
			f.reply = t.reply
		}
		return followers, nil
	}
	t.isLeader = false
	delete(m.leaders, t.key)
	if len(followers) == 0 {
		return nil, nil
	}
	next = followers[0]
	next.isLeader, next.equal, next.leader, next.followers = true, false, nil, followers[1:]
	for _, f := range next.followers {
		f.leader = next
	}
	m.leaders[t.key] = next
	return nil, next
}

// store records the reference of a position's reply.
func (m *memo) store(k Key, ref int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.leaders, k)
	m.index.Put(k, ref)
}

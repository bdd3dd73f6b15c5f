package batch

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"qhsh/engine"
)

// A Key stands for a position with its history. Positions have the same key if the text
// form of where they begin is the same, once the game has read and written it, and so are
// the moves played since. So a FEN is equal to itself without its counters where they are
// those of a new game, or with other letters for the same pieces; but not to the position
// that other moves lead to, since repetitions count from where the history begins.
type Key [16]byte

// KeyOf is the key of a position: the first half of a SHA-256.
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

// An index tells where the Reply to a position is kept. It holds the maxIndex keys at most
// that were put or found last: when half of them are there, those that were in use before
// the last such time are dropped. The zero index is empty.
type index struct {
	limit         int // 0: maxIndex
	recent, older map[Key]int64
}

// Put notes where the reply to a position is kept.
func (x *index) Put(k Key, ref int64) {
	most := x.limit
	if most == 0 {
		most = maxIndex
	}
	if x.recent == nil || len(x.recent) >= most/2 {
		x.recent, x.older = map[Key]int64{}, x.recent
	}
	x.recent[k] = ref
}

// Get is where the reply to a position is kept, if it is known.
func (x *index) Get(k Key) (ref int64, ok bool) {
	if ref, ok = x.recent[k]; ok {
		return ref, true
	}
	if ref, ok = x.older[k]; ok {
		x.Put(k, ref)
	}
	return ref, ok
}

// memo knows which positions have been asked about, so that none is searched twice. A
// position that somebody is being asked about has a task, its leader, which the equal ones
// behind it wait for. One that was answered has its reply in the Log.
type memo struct {
	mu      sync.Mutex
	log     Log
	index   *index
	leaders map[Key]*task // those that are not in the log yet
}

func newMemo(log Log) *memo { return &memo{log: log, index: &index{}, leaders: map[Key]*task{}} }

// join tells what becomes of a task: it is answered already, it waits for its leader, or
// somebody has to be asked about it.
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
		} // else it is not kept any more
	}
	m.leaders[t.key] = t
	t.isLeader = true
	return askEngine
}

// joinResult is what becomes of a task.
type joinResult int

const (
	askEngine joinResult = iota
	waitForLeader
	alreadyKnown
)

// answered takes note of a leader's reply. The tasks that waited for it have it too. If the
// engine has failed, the first of them becomes the leader of the others, and somebody has to
// be asked again: an error at one position is not believed of its equals.
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

// store takes note of where the reply to a position is kept.
func (m *memo) store(k Key, ref int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.leaders, k)
	m.index.Put(k, ref)
}

package batch

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"sync"
)

// A Log records the answers of a run so that it can be resumed; see package runlog. Append and At
// may be called concurrently.
type Log interface {
	// Replay calls each with every record in order; damaged reports whether unreadable records
	// follow.
	Replay(each func(ref int64, record []byte) error) (damaged bool, err error)
	// Append adds a record and returns its reference. An error ends the run.
	Append(record []byte) (ref int64, err error)
	// At returns the record at a reference. It fails if the record has been discarded.
	At(ref int64) ([]byte, error)
}

// An entry is a record of a Log: the source of an answer. What can be derived from the input, such
// as the position or its error, is not stored.
//
//	kind    1 byte: bit flags, see below
//	index   varint: the position's index among those of the run, from 0
//	sum     4 bytes: checksum of the input up to and including the position
//	ref     varint, if an earlier entry holds the reply: its reference
//	key     16 bytes and the rest, if this entry holds the reply: the position's Key, the error
//	        text if any, and the reply
type entry struct {
	index  int
	sum    uint32
	equal  bool   // the reply was copied from an equal position
	cached bool   // the reply was known before the run
	ref    int64  // of the entry with the reply, if it is not this one
	reply  *Reply // nil: it is at ref, or there is no reply
	key    Key
}

// The bits of an entry's kind.
const (
	equalBit = 1 << iota
	cachedBit
	referredBit
	repliedBit
	failedBit
)

var errEntry = errors.New("not an answer of this kind of run")

// append adds the entry as bytes to b.
func (e *entry) append(b []byte) []byte {
	kind := byte(boolToInt(e.equal)*equalBit | boolToInt(e.cached)*cachedBit)
	switch {
	case e.reply != nil && e.reply.Err != nil:
		kind |= repliedBit | failedBit
	case e.reply != nil:
		kind |= repliedBit
	case e.equal:
		kind |= referredBit
	}
	b = append(b, kind)
	b = binary.AppendUvarint(b, uint64(e.index))
	b = binary.LittleEndian.AppendUint32(b, e.sum)
	if kind&referredBit != 0 {
		b = binary.AppendUvarint(b, uint64(e.ref))
	}
	if e.reply == nil {
		return b
	}
	b = append(b, e.key[:]...)
	if e.reply.Err != nil {
		b = appendText(b, e.reply.Err.Error())
	}
	return AppendReply(b, *e.reply)
}

// parseEntry parses what append returns.
func parseEntry(b []byte) (e entry, err error) {
	in := replyReader{rest: b}
	kind := in.byte()
	e = entry{equal: kind&equalBit != 0, cached: kind&cachedBit != 0, index: int(in.uvarint())}
	if sum := in.take(4); sum != nil {
		e.sum = binary.LittleEndian.Uint32(sum)
	}
	if kind&referredBit != 0 {
		e.ref = int64(in.uvarint())
	}
	if kind&repliedBit == 0 {
		if in.bad || len(in.rest) > 0 {
			err = errEntry
		}
		return e, err
	}
	if key := in.take(uint64(len(e.key))); key != nil {
		e.key = Key(key)
	}
	var failure error
	if kind&failedBit != 0 {
		failure = errors.New(in.text())
	}
	if in.bad {
		return e, errEntry
	}
	reply, err := ParseReply(in.rest)
	reply.Err, reply.Cached = failure, e.cached
	e.reply = &reply
	return e, err
}

// replyAt returns the reply in the entry at ref and its position's Key.
func replyAt(log Log, ref int64) (Key, Reply, error) {
	record, err := log.At(ref)
	if err != nil {
		return Key{}, Reply{}, err
	}
	e, err := parseEntry(record)
	if err == nil && e.reply == nil {
		err = errEntry
	}
	if err != nil {
		return Key{}, Reply{}, err
	}
	return e.key, *e.reply, nil
}

// Checksum returns the checksum of the whole input, equal to that in its last entry; 0 for an empty
// input. It closes src if it is an io.Closer.
func Checksum(ctx context.Context, src Source) (sum uint32, err error) {
	defer closeSource(src)
	for ctx.Err() == nil {
		item, err := src.Next()
		if err == io.EOF {
			return sum, nil
		}
		if err != nil {
			return sum, fmt.Errorf("input: %w", err)
		}
		sum = extendChecksum(sum, item)
	}
	return sum, context.Cause(ctx)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// extendChecksum extends the checksum by everything of an Item that an answer shows.
func extendChecksum(sum uint32, item Item) uint32 {
	n := uint32(item.Line)
	b := make([]byte, 0, 256)
	b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	add := func(texts ...string) {
		for _, text := range texts {
			b = append(append(b, text...), 0)
		}
		b = append(b, byte(len(texts)))
	}
	add(item.File, item.Input, item.Text, item.ID, strconv.FormatBool(item.IDNumber), message(item.Err), message(item.Unscored))
	add(item.Moves...)
	add(item.BM...)
	add(item.AM...)
	for _, op := range item.Ops {
		add(op.Code, op.Args)
	}
	for _, f := range item.Fields {
		add(f.Name, string(f.Value))
	}
	return crc32.Update(sum, castagnoli, b)
}

// memLogSize bounds the bytes of records in a memLog: enough for about 300,000 positions.
const memLogSize = 64 << 20

// memLog is an in-memory Log for a run that cannot be resumed. When full it discards the older
// half.
type memLog struct {
	halfSize     int // bytes of a half
	mu           sync.Mutex
	base         int64
	older, newer []byte // the records from base on, and those after them
}

func (*memLog) Replay(func(int64, []byte) error) (bool, error) { return false, nil }

func (m *memLog) Append(record []byte) (ref int64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.newer) >= m.halfSize {
		m.base += int64(len(m.older))
		m.older, m.newer = m.newer, make([]byte, 0, m.halfSize)
	}
	ref = m.base + int64(len(m.older)+len(m.newer))
	m.newer = binary.AppendUvarint(m.newer, uint64(len(record)))
	m.newer = append(m.newer, record...)
	return ref, nil
}

func (m *memLog) At(ref int64) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, half := ref-m.base, m.older
	if at >= int64(len(m.older)) {
		at, half = at-int64(len(m.older)), m.newer
	}
	if at < 0 || at >= int64(len(half)) {
		return nil, fmt.Errorf("record %d is not kept any more", ref)
	}
	size, n := binary.Uvarint(half[at:])
	return append([]byte(nil), half[at+int64(n):][:size]...), nil
}

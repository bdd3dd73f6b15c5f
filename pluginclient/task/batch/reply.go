package batch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"qhsh/engine"
)

// A Reply is an engine's reply for a position.
type Reply struct {
	Engine    string // who was asked
	Spec      string // of the engine; empty if it is not known
	Limits    Limits // of the search
	Hints     []Hint // best first
	Err       error  // the engine's failure
	Cached    bool   // it came from a cache
	Recovered error  // the engine's first failure, if a retry succeeded
}

// errReply is the error for bytes that are not a Reply.
var errReply = errors.New("not a reply")

// AppendReply appends a Reply without an error in binary form: numbers as varints, strings and
// lists preceded by their length.
func AppendReply(b []byte, r Reply) []byte {
	b = appendText(b, r.Engine)
	b = appendText(b, r.Spec)
	b = appendLimits(b, r.Limits)
	b = binary.AppendUvarint(b, uint64(len(r.Hints)))
	for _, h := range r.Hints {
		b = appendText(b, h.Move)
		b = appendText(b, h.Score.String())
		b = binary.AppendVarint(b, int64(h.Depth))
		b = binary.AppendVarint(b, h.Nodes)
		b = binary.AppendUvarint(b, uint64(len(h.PV)))
		for _, m := range h.PV {
			b = appendText(b, m)
		}
		b = appendText(b, h.Text)
	}
	return b
}

func appendLimits(b []byte, l Limits) []byte {
	b = append(b, boolByte(l.HasLevel))
	b = binary.AppendVarint(b, int64(l.Level))
	b = binary.AppendVarint(b, l.Nodes)
	b = binary.AppendVarint(b, int64(l.Depth))
	return binary.AppendVarint(b, l.Time.Milliseconds())
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func boolByte(is bool) byte {
	if is {
		return 1
	}
	return 0
}

// ParseReply parses all of what AppendReply has written. It allocates no more than the input
// justifies, whatever the bytes.
func ParseReply(b []byte) (Reply, error) {
	in := replyReader{rest: b}
	r := Reply{Engine: in.text(), Spec: in.text(), Limits: in.limits()}
	for range in.count() {
		h := Hint{Move: in.text()}
		h.Score = in.score()
		h.Depth, h.Nodes = int(in.varint()), in.varint()
		for range in.count() {
			h.PV = append(h.PV, in.text())
		}
		h.Text = in.text()
		r.Hints = append(r.Hints, h)
	}
	if in.bad || len(in.rest) > 0 {
		return Reply{}, fmt.Errorf("%w: %d bytes", errReply, len(b))
	}
	return r, nil
}

// replyReader decodes bytes. After the first malformed value it returns zero values.
type replyReader struct {
	rest []byte
	bad  bool
}

func (in *replyReader) take(n uint64) []byte {
	if n > uint64(len(in.rest)) {
		in.rest, in.bad = nil, true
		return nil
	}
	taken := in.rest[:n]
	in.rest = in.rest[n:]
	return taken
}

func (in *replyReader) byte() byte {
	if b := in.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (in *replyReader) varint() int64 {
	v, n := binary.Varint(in.rest)
	in.take(size(n))
	return v
}

func (in *replyReader) limits() Limits {
	return Limits{
		HasLevel: in.byte() != 0, Level: int(in.varint()), Nodes: in.varint(), Depth: int(in.varint()),
		Time: time.Duration(in.varint()) * time.Millisecond,
	}
}

func (in *replyReader) uvarint() uint64 {
	v, n := binary.Uvarint(in.rest)
	in.take(size(n))
	return v
}

// count returns the length of a sequence whose elements take at least a byte each.
func (in *replyReader) count() uint64 {
	v := in.uvarint()
	if v > uint64(len(in.rest)) {
		in.rest, in.bad = nil, true
		return 0
	}
	return v
}

// size returns the byte count of a varint, or too many if it is malformed.
func size(n int) uint64 {
	if n <= 0 {
		return 1 << 62
	}
	return uint64(n)
}

func (in *replyReader) text() string { return string(in.take(in.count())) }

func (in *replyReader) score() engine.Score {
	text := in.text()
	if text == "" {
		return engine.Score{}
	}
	score, err := engine.ParseScore(text)
	if err != nil {
		in.bad = true
	}
	return score
}

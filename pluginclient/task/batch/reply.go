package batch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"qhsh/engine"
)

// A Reply is an engine's reply for a position.
type Reply struct {
	Engine    string // who was asked
	Spec      string // of the engine; empty if it is not known
	Limits    Limits // of the search
	Hints     []Hint // best first
	Found     Limits // see Answer
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
	l := r.Limits
	b = append(b, byte(boolToInt(l.HasLevel)))
	b = binary.AppendVarint(b, int64(l.Level))
	b = binary.AppendVarint(b, l.Nodes)
	b = binary.AppendVarint(b, int64(l.Depth))
	b = binary.AppendVarint(b, l.Time.Milliseconds())
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
	for _, h := range r.Hints { // replies of earlier versions end before
		for _, n := range []int64{int64(h.SelDepth), int64(h.HashFull), h.TBHits, int64(h.WDL[0]), int64(h.WDL[1]), int64(h.WDL[2])} {
			b = binary.AppendVarint(b, n)
		}
	}
	if f := r.Found; f != (Limits{}) { // replies without a history end before
		b = binary.AppendVarint(b, f.Nodes)
		b = binary.AppendVarint(b, int64(f.Depth))
		b = binary.AppendVarint(b, f.Time.Milliseconds())
	}
	return b
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// ParseReply parses all of what AppendReply has written. It allocates no more than the input
// justifies, whatever the bytes.
func ParseReply(b []byte) (Reply, error) {
	in := replyReader{rest: b}
	r := Reply{Engine: in.text(), Spec: in.text(), Limits: Limits{
		HasLevel: in.byte() != 0, Level: int(in.varint()), Nodes: in.varint(), Depth: int(in.varint()),
		Time: time.Duration(in.varint()) * time.Millisecond,
	}}
	for range in.count() {
		h := Hint{Move: in.text()}
		if text := in.text(); text != "" {
			score, err := engine.ParseScore(text)
			h.Score, in.bad = score, in.bad || err != nil
		}
		h.Depth, h.Nodes = int(in.varint()), in.varint()
		for range in.count() {
			h.PV = append(h.PV, in.text())
		}
		h.Text = in.text()
		r.Hints = append(r.Hints, h)
	}
	for i := 0; i < len(r.Hints) && (i > 0 || len(in.rest) > 0); i++ {
		h := &r.Hints[i]
		h.Details = engine.Details{SelDepth: int(in.varint()), HashFull: int(in.varint()), TBHits: in.varint()}
		for k := range h.WDL {
			h.WDL[k] = int(in.varint())
		}
	}
	if len(in.rest) > 0 {
		r.Found = Limits{Nodes: in.varint(), Depth: int(in.varint()), Time: time.Duration(in.varint()) * time.Millisecond}
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

// AppendPosition appends a position as text for [ParsePosition], so that an engine elsewhere can
// search it: the start of its history and, after a line feed, the moves since.
func AppendPosition(b []byte, pos engine.Position) []byte {
	start, moves := pos.History()
	b = append(append(b, start.String()...), '\n')
	return append(b, strings.Join(engine.FormatMoves(start, moves), " ")...)
}

// ParsePosition parses what AppendPosition has written.
func ParsePosition(game engine.Game, b []byte) (engine.Position, error) {
	start, moves, _ := strings.Cut(string(b), "\n")
	pos, err := game.Position(start)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(moves)
	played, pos, err := engine.ReadMoves(pos, words)
	if err != nil {
		return nil, fmt.Errorf("move %s: %w", words[len(played)], err)
	}
	return pos, nil
}

// AppendOutcome appends a Reply for [ParseOutcome]: unlike AppendReply with its errors, as text.
func AppendOutcome(b []byte, r Reply) []byte {
	return AppendReply(appendText(appendText(b, message(r.Err)), message(r.Recovered)), r)
}

// ParseOutcome parses the Reply to a search of pos and checks that its moves are legal, since it is not
// known who has written it.
func ParseOutcome(pos engine.Position, b []byte) (Reply, error) {
	in := replyReader{rest: b}
	failure, recovered := in.text(), in.text()
	if in.bad {
		return Reply{}, errReply
	}
	r, err := ParseReply(in.rest)
	if err != nil {
		return Reply{}, err
	}
	r.Err, r.Recovered = toError(failure), toError(recovered)
	if r.Err == nil && len(r.Hints) == 0 {
		return Reply{}, fmt.Errorf("%w: neither hints nor an error", errReply)
	}
	for i, h := range r.Hints {
		if err := checkLine(pos, h); err != nil {
			return Reply{}, fmt.Errorf("%w: hint %d: %w", errReply, i+1, err)
		}
	}
	return r, nil
}

// checkLine returns an error if a hint is not a legal line that begins with its move.
func checkLine(pos engine.Position, h Hint) error {
	if len(h.PV) == 0 || h.PV[0] != h.Move {
		return fmt.Errorf("the line does not begin with %q", h.Move)
	}
	if err := h.WDL.Check(); h.WDL.Known() && err != nil {
		return err
	}
	_, _, err := engine.ReadMoves(pos, h.PV)
	return err
}

package gamefile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
)

// A Reader reads a file of games.
type Reader struct {
	terms string
	in    *bufio.Reader
	at    int64 // offset of what in has next
	tail  int64 // offset behind the last whole block, or behind damage: what follows is torn
}

// Errors that a Reader's errors wrap.
var (
	ErrDamaged = errors.New("damaged")
	ErrCut     = errors.New("cut off")
)

// NewReader reads the head of a file. An error that wraps ErrCut says that it ends before
// the head does.
func NewReader(r io.Reader) (*Reader, error) {
	rd := &Reader{in: bufio.NewReaderSize(r, 2*maxBlock)}
	head, err := rd.in.Peek(fileHead)
	n := min(len(head), len(magic))
	switch {
	case string(head[:n]) != magic[:n]:
		return nil, errors.New("not a file of games")
	case err != nil:
		return nil, cut(err)
	case head[len(magic)] != formatVersion:
		return nil, fmt.Errorf("format version %d: this program reads version %d", head[len(magic)], formatVersion)
	}
	rd.skip(fileHead)
	terms, err := rd.block()
	if errors.Is(err, ErrCut) && errors.Is(rd.pass(), ErrDamaged) {
		err = ErrDamaged
	}
	if err != nil {
		return nil, fmt.Errorf("terms: %w", cut(err))
	}
	rd.terms = string(terms)
	rd.accept(terms)
	return rd, nil
}

func cut(err error) error {
	if err == io.EOF {
		return ErrCut
	}
	return err
}

// Terms returns the text that says how the games were made.
func (r *Reader) Terms() string { return r.terms }

// Games yields the games that are left, in the order in which they ended. A damaged place
// is an error that names it and wraps ErrDamaged, the beginning of a block at the end one that
// wraps ErrCut; games go on behind the first, so a loop may step over it. Any other error
// comes from what is read, and ends it.
func (r *Reader) Games() iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		for {
			body, err := r.block()
			switch {
			case err == io.EOF:
				return
			case errors.Is(err, ErrDamaged), errors.Is(err, ErrCut):
				if !yield(nil, r.pass()) {
					return
				}
				continue
			case err != nil:
				yield(nil, err)
				return
			}
			g, err := parseGame(body)
			if err != nil {
				err = fmt.Errorf("byte %d: %w: %w", r.at, ErrDamaged, err)
			}
			r.accept(body)
			if !yield(g, err) {
				return
			}
		}
	}
}

// block returns the body of the next block, valid until accept, or io.EOF, ErrCut or ErrDamaged.
func (r *Reader) block() ([]byte, error) {
	head, err := r.in.Peek(blockHead)
	switch {
	case err == io.EOF && len(head) == 0:
		return nil, io.EOF
	case err != nil:
		return nil, cut(err)
	}
	n := blockHead + int(binary.LittleEndian.Uint16(head))
	block, err := r.in.Peek(n)
	switch {
	case err != nil:
		return nil, cut(err)
	case checksum(block) != binary.LittleEndian.Uint32(block[2:]):
		return nil, ErrDamaged
	}
	return block[blockHead:], nil
}

// accept steps behind a block.
func (r *Reader) accept(body []byte) {
	r.skip(blockHead + len(body))
	r.tail = r.at
}

func (r *Reader) skip(n int) {
	_, _ = r.in.Discard(n) // it has been peeked at
	r.at += int64(n)
}

// pass steps to the next whole block, or to the end, and says what it has passed over. A
// place in the middle of a block has a right checksum once in four thousand million times.
func (r *Reader) pass() error {
	from, torn := r.at, r.torn()
	r.skip(1)
	for {
		window, err := r.in.Peek(r.in.Size())
		places := len(window)
		if err == nil {
			places -= maxBlock - 1 // a block at a later place may not end in the window
		}
		for i := range places {
			if beginsBlock(window[i:]) {
				r.skip(i)
				return fmt.Errorf("byte %d: %w: %d bytes to the next whole block", from, ErrDamaged, r.at-from)
			}
		}
		if err != nil && err != io.EOF {
			return err
		}
		r.skip(places)
		switch {
		case err == nil:
		case torn:
			return fmt.Errorf("byte %d: %w: the last %d bytes are not a whole block", from, ErrCut, r.at-from)
		default:
			r.tail = r.at
			return fmt.Errorf("byte %d: %w: the last %d bytes are not a whole block", from, ErrDamaged, r.at-from)
		}
	}
}

// torn reports whether all that is left can be the beginning of one block. It cannot where
// its checksum is that of a whole block: then the length is damaged.
func (r *Reader) torn() bool {
	tail, err := r.in.Peek(maxBlock)
	n := len(tail) - blockHead
	if err == nil || n < 0 {
		return err != nil
	}
	if int(binary.LittleEndian.Uint16(tail)) <= n {
		return false
	}
	whole := bytes.Clone(tail)
	binary.LittleEndian.PutUint16(whole, uint16(n))
	return checksum(whole) != binary.LittleEndian.Uint32(whole[2:])
}

// beginsBlock reports whether b, of the middle of a file, begins with the whole block of a
// game. It looks at the contents first: a checksum at every place takes seconds a megabyte.
func beginsBlock(b []byte) bool {
	if len(b) < blockHead {
		return false
	}
	n := blockHead + int(binary.LittleEndian.Uint16(b))
	return n <= len(b) && plausible(b[blockHead:n]) && checksum(b[:n]) == binary.LittleEndian.Uint32(b[2:])
}

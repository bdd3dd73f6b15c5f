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
	terms   string
	in      *bufio.Reader
	offset  int64 // offset of the next byte of in
	goodEnd int64 // end of the last complete block or damaged place; the rest is truncated
}

// Errors that a Reader's errors wrap.
var (
	ErrDamaged   = errors.New("damaged")
	ErrTruncated = errors.New("cut off")
)

// NewReader reads the header of a file. The error wraps ErrTruncated if the file ends within it.
func NewReader(r io.Reader) (*Reader, error) {
	rd := &Reader{in: bufio.NewReaderSize(r, 2*maxBlock)}
	head, err := rd.in.Peek(fileHeaderSize)
	n := min(len(head), len(magic))
	switch {
	case string(head[:n]) != magic[:n]:
		return nil, errors.New("not a file of games")
	case err != nil:
		return nil, truncatedIfEOF(err)
	case head[len(magic)] != formatVersion:
		return nil, fmt.Errorf("format version %d: this program reads version %d", head[len(magic)], formatVersion)
	}
	rd.skip(fileHeaderSize)
	terms, err := rd.block()
	if errors.Is(err, ErrTruncated) && errors.Is(rd.skipDamage(), ErrDamaged) {
		err = ErrDamaged
	}
	if err != nil {
		return nil, fmt.Errorf("terms: %w", truncatedIfEOF(err))
	}
	rd.terms = string(terms)
	rd.accept(terms)
	return rd, nil
}

func truncatedIfEOF(err error) error {
	if err == io.EOF {
		return ErrTruncated
	}
	return err
}

// Terms returns the description of how the games were made.
func (r *Reader) Terms() string { return r.terms }

// Games yields the remaining games, in the order in which they ended. A damaged place yields an
// error that has its offset and wraps ErrDamaged; games after it follow. An incomplete block at the
// end yields an error that wraps ErrTruncated. Any other error comes from the underlying reader and
// ends the iteration.
func (r *Reader) Games() iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		for {
			body, err := r.block()
			switch {
			case err == io.EOF:
				return
			case errors.Is(err, ErrDamaged), errors.Is(err, ErrTruncated):
				if !yield(nil, r.skipDamage()) {
					return
				}
				continue
			case err != nil:
				yield(nil, err)
				return
			}
			g, err := parseGame(body)
			if err != nil {
				err = fmt.Errorf("byte %d: %w: %w", r.offset, ErrDamaged, err)
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
	head, err := r.in.Peek(blockHeaderSize)
	switch {
	case err == io.EOF && len(head) == 0:
		return nil, io.EOF
	case err != nil:
		return nil, truncatedIfEOF(err)
	}
	n := blockHeaderSize + int(binary.LittleEndian.Uint16(head))
	block, err := r.in.Peek(n)
	switch {
	case err != nil:
		return nil, truncatedIfEOF(err)
	case checksum(block) != binary.LittleEndian.Uint32(block[2:]):
		return nil, ErrDamaged
	}
	return block[blockHeaderSize:], nil
}

// accept advances past a block.
func (r *Reader) accept(body []byte) {
	r.skip(blockHeaderSize + len(body))
	r.goodEnd = r.offset
}

func (r *Reader) skip(n int) {
	_, _ = r.in.Discard(n) // cannot fail: the bytes have been peeked
	r.offset += int64(n)
}

// skipDamage advances to the next complete block, or to the end, and returns an error that
// describes what was skipped. A checksum is right by chance at one offset in four billion.
func (r *Reader) skipDamage() error {
	from, torn := r.offset, r.isTruncated()
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
				return fmt.Errorf("byte %d: %w: %d bytes to the next whole block", from, ErrDamaged, r.offset-from)
			}
		}
		if err != nil && err != io.EOF {
			return err
		}
		r.skip(places)
		switch {
		case err == nil:
		case torn:
			return fmt.Errorf("byte %d: %w: the last %d bytes are not a whole block", from, ErrTruncated, r.offset-from)
		default:
			r.goodEnd = r.offset
			return fmt.Errorf("byte %d: %w: the last %d bytes are not a whole block", from, ErrDamaged, r.offset-from)
		}
	}
}

// isTruncated reports whether the rest can be the beginning of one block. It cannot if it has a
// complete block's checksum: then the length is damaged.
func (r *Reader) isTruncated() bool {
	tail, err := r.in.Peek(maxBlock)
	n := len(tail) - blockHeaderSize
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

// beginsBlock reports whether b begins with a complete block of a game. It checks the contents
// first, because checksums at every offset take seconds per megabyte.
func beginsBlock(b []byte) bool {
	if len(b) < blockHeaderSize {
		return false
	}
	n := blockHeaderSize + int(binary.LittleEndian.Uint16(b))
	return n <= len(b) && plausible(b[blockHeaderSize:n]) && checksum(b[:n]) == binary.LittleEndian.Uint32(b[2:])
}

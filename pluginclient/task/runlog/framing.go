package runlog

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// A Framing is the encoding of records in a file: [Checked] or [Lines].
type Framing interface {
	// append adds a record to b.
	append(b, record []byte) []byte
	// next reads a record into b, and returns how many bytes it takes in the file. The error is
	// io.EOF after the last record, and wraps errTorn where the file ends within one or errDamaged
	// where there is something else.
	next(in *bufio.Reader, b []byte) (record []byte, length int, err error)
	// locate adds to an error where the record is, by its index.
	locate(err error, index int) error
}

// The framings.
var (
	// Checked frames bytes: their length and their CRC-32C, four bytes each, little-endian, stand
	// before them.
	Checked Framing = checked{}
	// Lines frames lines of JSON, each with its line feed, for a file that people read. Only lines at the
	// end can be torn: one that is not JSON before one that is is an error. Errors name the line.
	Lines Framing = lines{}
)

var (
	errTorn    = errors.New("a record that is not whole")
	errDamaged = errors.New("not a record")
	// errTornLine is the error of a line before others, which is left to the reader.
	errTornLine = errors.New("torn line")
)

// maxRecord bounds a record, in bytes: a longer one is damaged.
const maxRecord = 256 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

type checked struct{}

func (checked) append(b, record []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(record)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(record, castagnoli))
	return append(b, record...)
}

func (checked) next(in *bufio.Reader, b []byte) (record []byte, length int, err error) {
	var head [8]byte
	switch _, err := io.ReadFull(in, head[:]); {
	case err == io.ErrUnexpectedEOF:
		return b, 0, errTorn
	case err != nil:
		return b, 0, err
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size == 0 || size > maxRecord {
		return b, 0, errDamaged
	}
	data := bytes.NewBuffer(b) // allocates only for data that exists
	_, err = io.CopyN(data, in, int64(size))
	record = data.Bytes()
	switch {
	case err == io.EOF:
		err = errTorn
	case err == nil && crc32.Checksum(record, castagnoli) != binary.LittleEndian.Uint32(head[4:]):
		err = errDamaged
	}
	return record, len(head) + int(size), err
}

func (checked) locate(err error, _ int) error { return err }

type lines struct{}

func (lines) append(b, record []byte) []byte { return append(b, record...) }

func (lines) next(in *bufio.Reader, b []byte) (record []byte, length int, err error) {
	for {
		part, err := in.ReadSlice('\n')
		b = append(b, part...)
		switch {
		case err == nil:
			return b, len(b), checkLine(b, in)
		case err == io.EOF && len(b) > 0:
			return b, len(b), errTorn
		case err != bufio.ErrBufferFull:
			return b, 0, err
		}
	}
}

// checkLine returns an error if a line is not JSON: errTorn if no line of JSON follows, as a record that
// a power cut has torn may hold line feeds.
func checkLine(line []byte, rest *bufio.Reader) error {
	err := json.Unmarshal(line, new(json.RawMessage))
	if err == nil {
		return nil
	}
	for {
		next, readErr := rest.ReadBytes('\n')
		switch {
		case readErr == io.EOF:
			return errTorn
		case readErr != nil:
			return readErr
		case json.Valid(next):
			return fmt.Errorf("%w: %w", errTornLine, err)
		}
	}
}

// The manifest is line 1.
func (lines) locate(err error, index int) error { return fmt.Errorf("line %d: %w", index+2, err) }

package journal

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"time"

	"qhsh/pluginclient/task/batch"
)

// How a manifest begins, and the line behind that of a finished run. It is no record, whose
// first bytes would be a length that none has.
const (
	manifestBegins = `{"hints":`
	outcomeBegins  = `{"finished":`
)

// outcome is the second line of the journal of a finished run.
type outcome struct {
	Finished *Finished `json:"finished"`
}

const (
	maxManifest = 16 << 20
	maxRecord   = 256 << 20 // bytes; a longer one is torn
)

// ErrForeign is the error of a file that is no journal.
var ErrForeign = errors.New("it is no journal of 'qhsh hints'")

var (
	errTorn   = errors.New("a record that is not whole")
	errOutput = errors.New("the output is not as the record says")
)

// readManifest reads the first line. There is none in a file that is empty, or whose writer
// was killed at the very beginning.
func (j *Journal) readManifest() error {
	in := bufio.NewReader(io.LimitReader(io.NewSectionReader(j.file, 0, 1<<62), maxManifest))
	if head, _ := in.Peek(len(manifestBegins) + 1); !beginsManifest(head) {
		return ErrForeign
	}
	line, err := in.ReadBytes('\n')
	switch {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	case !json.Valid(line):
		return ErrForeign
	}
	j.manifest, j.size = line, int64(len(line))
	return j.readOutcome(in)
}

// beginsManifest reports whether the first bytes of a file are those of a manifest, which has a
// number there, or as many of them as have been written.
func beginsManifest(head []byte) bool {
	n := min(len(head), len(manifestBegins))
	if string(head[:n]) != manifestBegins[:n] {
		return false
	}
	return len(head) == n || '0' <= head[n] && head[n] <= '9'
}

// readOutcome reads the second line, if it is that of a finished run.
func (j *Journal) readOutcome(in *bufio.Reader) error {
	if begins, _ := in.Peek(len(outcomeBegins)); string(begins) != outcomeBegins {
		return nil // records, or nothing
	}
	var o outcome
	if err := json.NewDecoder(in).Decode(&o); err != nil {
		return fmt.Errorf("%w: line 2: %w", ErrForeign, err)
	}
	j.finished = o.Finished
	return nil
}

// Outcome tells how the run of an output has ended; nil if it is not known, because there is
// no journal or it is that of an unfinished run, or the output is another one by now.
func Outcome(output string) (*Finished, error) {
	info, err := os.Stat(output)
	if err != nil {
		return nil, err
	}
	run, err := Read(Path(output))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrForeign):
		return nil, nil
	case err != nil:
		return nil, err
	case run.Finished == nil || run.Finished.Bytes != info.Size():
		return nil, nil
	}
	return run.Finished, nil
}

// A Run is what a journal says of its run without being opened.
type Run struct {
	Manifest []byte    // nil: there is none in the file, which is empty or was left at once
	Finished *Finished // nil: the run has not ended
}

// Read reads a journal that may be another process's own. The error of a file that is none
// wraps ErrForeign.
func Read(path string) (Run, error) {
	if err := regular(path); err != nil {
		return Run{}, err
	}
	file, err := os.Open(path)
	if err != nil {
		return Run{}, err
	}
	defer file.Close()
	j := &Journal{file: file}
	err = j.readManifest()
	return Run{j.manifest, j.finished}, err
}

// regular is an error if a file is not there, or is none that a run has made. Opening a pipe
// would have an effect.
func regular(path string) error {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", path, ErrForeign)
	}
	return err
}

// Unfinished tells whether there is an answer of an earlier run in the file.
func (j *Journal) Unfinished() bool {
	var head [headSize]byte
	_, err := j.file.ReadAt(head[:], int64(len(j.manifest)))
	return j.manifest != nil && j.finished == nil && err == nil
}

// A State is how far an unfinished run has come.
type State struct {
	batch.Resume
	Bytes int64 // of the output that have a record; the rest is to be cut off
	Lost  int   // answers that have a whole record, and are not in the output as it says
}

// Resume goes on with the run in the file. Its output, if it is not nil, is read from its
// beginning; most is how many answers there are at most in an output of another kind, or
// negative. What is behind the last record that can be believed is dropped, and so has
// the output to be behind Bytes. Sync is as for Begin.
func (j *Journal) Resume(output io.Reader, most int, sync func() error) (State, error) {
	s := State{Resume: batch.Resume{Index: &batch.Index{}}}
	in := bufio.NewReaderSize(io.NewSectionReader(j.file, j.size, 1<<62-j.size), 1<<18)
	if output != nil {
		output = bufio.NewReaderSize(output, 1<<18)
	}
	for most < 0 || s.Tally.Done < most {
		r, length, err := readRecord(in)
		if err == nil && output != nil {
			err = r.check(output)
		}
		if errors.Is(err, errOutput) {
			s.Lost = 1 + countRecords(in)
			break
		}
		if err == io.EOF || errors.Is(err, errTorn) {
			break
		}
		if err != nil {
			return s, err
		}
		s.take(r, j.size)
		j.reach(r.index, r.input)
		j.size += int64(length)
	}
	j.syncing, j.synced, j.noted = sync, time.Now(), s.Bytes
	return s, j.file.Truncate(j.size)
}

// countRecords is how many whole records follow.
func countRecords(in *bufio.Reader) (n int) {
	for {
		if _, _, err := readRecord(in); err != nil {
			return n
		}
		n++
	}
}

// take takes note of a record that begins at ref.
func (s *State) take(r record, ref int64) {
	s.Advance(r.index, r.input)
	s.Tally = s.Tally.Plus(r.adds())
	s.Bytes += r.bytes
	if r.kind&replied != 0 {
		s.Index.Put(r.key, ref)
	}
}

// record is a record taken apart.
type record struct {
	kind   byte
	index  int
	input  uint32
	bytes  int64
	output uint32
	key    batch.Key
	reply  []byte
}

func (r record) adds() batch.Tally {
	count := func(mask byte) int {
		if r.kind&mask != 0 {
			return 1
		}
		return 0
	}
	return batch.Tally{
		Done: 1, Failed: count(failed), Scored: count(scored), Solved: count(solved),
		Cached: count(cached), Equal: count(equal),
	}
}

// check reads the record's part of the output.
func (r record) check(output io.Reader) error {
	sum := crc32.New(table)
	n, err := io.CopyN(sum, output, r.bytes)
	switch {
	case err == io.EOF, err == nil && sum.Sum32() != r.output:
		return fmt.Errorf("%w: %d of %d bytes", errOutput, n, r.bytes)
	}
	return err
}

// readRecord reads the next record. One that is not whole is errTorn, and so is whatever is
// none.
func readRecord(in *bufio.Reader) (r record, length int, err error) {
	var head [headSize]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return r, 0, torn(err)
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size > maxRecord {
		return r, 0, errTorn
	}
	var body bytes.Buffer // which does not grow beyond what is there
	if _, err := io.CopyN(&body, in, int64(size)); err != nil {
		return r, 0, torn(err)
	}
	r, err = parseRecord(head[:], body.Bytes())
	return r, headSize + int(size), err
}

func torn(err error) error {
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		return errTorn
	}
	return err
}

// parseRecord takes a record apart.
func parseRecord(head, body []byte) (r record, err error) {
	if len(body) == 0 || crc32.Checksum(body, table) != binary.LittleEndian.Uint32(head[4:]) {
		return r, errTorn
	}
	r.kind, body = body[0], body[1:]
	index, body := uvarint(body)
	r.index = int(index)
	r.input, body = fixed(body)
	size, body := uvarint(body)
	r.bytes = int64(size)
	r.output, body = fixed(body)
	if r.index < 0 || r.bytes < 0 || body == nil {
		return r, errTorn
	}
	if r.kind&replied == 0 {
		return r, nil
	}
	if len(body) < len(r.key) {
		return r, errTorn
	}
	r.key, r.reply = batch.Key(body), body[len(r.key):]
	return r, nil
}

// uvarint takes a number off. Of bytes that are none, nothing is left.
func uvarint(b []byte) (uint64, []byte) {
	v, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, nil
	}
	return v, b[n:]
}

func fixed(b []byte) (uint32, []byte) {
	if len(b) < 4 {
		return 0, nil
	}
	return binary.LittleEndian.Uint32(b), b[4:]
}

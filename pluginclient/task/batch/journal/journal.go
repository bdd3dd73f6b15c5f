// Package journal keeps a run of positions in a file beside its output, so that the run can be
// gone on with after its process has been killed at any instant, and ends with the output that
// an unbroken run has.
//
// The file is the run's manifest, a line of JSON, and a record for each answer that the output
// has taken. A record is
//
//	length     4 bytes, little-endian: of what comes behind the sum
//	sum        4 bytes: CRC-32C of what comes behind it
//	kind       1 byte: which of the bits below hold
//	index      a varint: of the position in the input
//	input      4 bytes: the sum of the input so far, see batch.Entry
//	bytes      a varint: how many the output has taken for the answer
//	output     4 bytes: their CRC-32C
//	key, reply 16 bytes and the rest, if there is a reply: what was found out
//
// The output is written first, then its record, each by one system call. So a process that is
// killed leaves behind at most one answer more than there are records, which is cut off and
// made again, and a last record that is not whole, which is dropped: nothing that has a record
// is lost. Once a second the output is synced to the disk, and the journal after it. After the
// crash of a machine the files may hold anything behind that: the records that are not whole,
// or whose output is not there as their sums say, are dropped with all that follow them. So at
// most a second's work is done again, and nothing wrong is believed.
//
// The file is locked as long as the run lasts. Of a finished run the manifest is left, and
// behind it a second line of JSON that tells how the run has ended, see Finished. It takes
// the place of the records all at once, so a run is finished or it is not.
package journal

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"qhsh/pluginclient/filelock"
	"qhsh/pluginclient/task/batch"
)

// suffix is what the name of a journal adds to that of the output.
const suffix = ".run"

// Path is where the journal of an output is: beside the file itself, whatever links lead
// there.
func Path(output string) string {
	if real, err := filelock.Target(output); err == nil {
		output = real
	}
	return output + suffix
}

// syncEvery is how much may be lost when a machine, not a process, comes to a sudden end.
const syncEvery = time.Second

// The bits of a record's kind.
const (
	failed = 1 << iota
	scored
	solved
	cached
	equal
	replied
)

// headSize is the length of a record's length and sum.
const headSize = 8

var table = crc32.MakeTable(crc32.Castagnoli)

// A Journal is the file. It is a batch.Journal.
type Journal struct {
	file     *os.File
	manifest []byte       // nil: there is no run in the file
	finished *Finished    // nil: the run is not
	former   []byte       // what was there before Begin, if that was a finished run
	size     int64        // behind the last record
	syncing  func() error // the output's; may be nil
	synced   time.Time    // when it was begun last
	syncs    chan error   // the outcome of a sync under way; nil: there is none
	noted    int64        // bytes of the output that have a record
	last     int          // the farthest position with a record
	input    uint32       // the sum of the input up to and with it
	bytes    int64        // that the output has taken since the last record
	sum      uint32       // of them
	buf      []byte
	err      error // ended the writing
}

// Open opens the file, makes it if it is not there, and locks it. The error wraps
// filelock.ErrUsed if another run has it.
func Open(path string) (*Journal, error) {
	if err := regular(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	file, err := filelock.Open(path)
	if err != nil {
		return nil, err
	}
	j := &Journal{file: file}
	if err := j.readManifest(); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return j, nil
}

// Run is what the file says of its run.
func (j *Journal) Run() Run { return Run{j.manifest, j.finished} }

// Manifest is the manifest of the run that the file holds; nil if there is none.
func (j *Journal) Manifest() []byte { return j.manifest }

// Finished tells how the run in the file has ended; nil if it has not.
func (j *Journal) Finished() *Finished { return j.finished }

// Begin makes it the journal of a new run. Sync, which may be nil, makes sure that the disk
// has the output.
func (j *Journal) Begin(manifest []byte, sync func() error) (err error) {
	if j.finished != nil {
		if j.former, err = withOutcome(j.manifest, *j.finished); err != nil {
			return err
		}
	}
	if err := j.file.Truncate(0); err != nil {
		return err
	}
	_, err = j.file.WriteAt(manifest, 0)
	j.manifest, j.finished, j.size, j.noted = manifest, nil, int64(len(manifest)), 0
	j.last, j.input = 0, 0
	j.syncing, j.synced = sync, time.Now()
	return err
}

// Output is a writer that counts what goes to the output for each answer.
func (j *Journal) Output(w io.Writer) io.Writer { return &meter{j, w} }

type meter struct {
	j *Journal
	w io.Writer
}

func (m *meter) Write(p []byte) (int, error) {
	n, err := m.w.Write(p)
	m.j.bytes += int64(n)
	m.j.sum = crc32.Update(m.j.sum, table, p[:n])
	return n, err
}

// Note adds a record.
func (j *Journal) Note(e batch.Entry) (ref int64, err error) {
	if j.err != nil {
		return -1, j.err
	}
	record := j.record(e)
	if _, j.err = j.file.WriteAt(record, j.size); j.err != nil {
		return -1, j.err // what there is of it is dropped by whoever reads it
	}
	ref = -1
	if e.Reply != nil {
		ref = j.size
	}
	j.size += int64(len(record))
	j.noted, j.bytes, j.sum = j.noted+j.bytes, 0, 0
	j.reach(e.Index, e.Sum)
	j.syncNow()
	return ref, j.err
}

// reach takes note of a position's record.
func (j *Journal) reach(index int, sum uint32) {
	if index >= j.last {
		j.last, j.input = index, sum
	}
}

// syncNow begins a sync when it is time, beside whatever goes on, and takes note of the
// outcome of the one before.
func (j *Journal) syncNow() {
	select {
	case j.err = <-j.syncs:
		j.syncs = nil
	default:
	}
	if j.syncs != nil || time.Since(j.synced) < syncEvery {
		return
	}
	done := make(chan error, 1)
	j.syncs, j.synced = done, time.Now()
	go func() { done <- j.sync() }()
}

func (j *Journal) record(e batch.Entry) []byte {
	b := append(j.buf[:0], make([]byte, headSize)...)
	b = append(b, kindOf(e))
	b = binary.AppendUvarint(b, uint64(e.Index))
	b = binary.LittleEndian.AppendUint32(b, e.Sum)
	b = binary.AppendUvarint(b, uint64(j.bytes))
	b = binary.LittleEndian.AppendUint32(b, j.sum)
	if e.Reply != nil {
		b = append(b, e.Key[:]...)
		b = batch.AppendReply(b, *e.Reply)
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)-headSize))
	binary.LittleEndian.PutUint32(b[4:], crc32.Checksum(b[headSize:], table))
	j.buf = b
	return b
}

func kindOf(e batch.Entry) byte {
	var kind byte
	for _, bit := range []struct {
		mask byte
		is   bool
	}{
		{failed, e.Adds.Failed > 0},
		{scored, e.Adds.Scored > 0},
		{solved, e.Adds.Solved > 0},
		{cached, e.Adds.Cached > 0},
		{equal, e.Adds.Equal > 0},
		{replied, e.Reply != nil},
	} {
		if bit.is {
			kind |= bit.mask
		}
	}
	return kind
}

// sync makes sure that the disk has the output, and then the records of it.
func (j *Journal) sync() error {
	if j.syncing != nil {
		if err := j.syncing(); err != nil {
			return err
		}
	}
	return j.file.Sync()
}

// Sync makes sure that the disk has the journal.
func (j *Journal) Sync() error { return j.file.Sync() }

// rest waits for a sync under way.
func (j *Journal) rest() {
	if j.syncs != nil {
		j.err = errors.Join(j.err, <-j.syncs)
		j.syncs = nil
	}
}

// Reply is the reply of a record, and its key.
func (j *Journal) Reply(ref int64) (k batch.Key, reply batch.Reply, err error) {
	var head [headSize]byte
	if _, err := j.file.ReadAt(head[:], ref); err != nil {
		return k, reply, err
	}
	length := binary.LittleEndian.Uint32(head[:])
	if length > maxRecord {
		return k, reply, errTorn
	}
	body := make([]byte, length)
	if _, err := j.file.ReadAt(body, ref+headSize); err != nil {
		return k, reply, err
	}
	r, err := parseRecord(head[:], body)
	if err != nil {
		return k, reply, err
	}
	reply, err = batch.ParseReply(r.reply)
	return r.key, reply, err
}

// Noted is how many bytes of the output have a record. The rest is no whole answer.
func (j *Journal) Noted() int64 { return j.noted }

// Empty tells whether no answer has a record. It is known once the run has begun or goes on.
func (j *Journal) Empty() bool { return j.size <= int64(len(j.manifest)) }

// Close leaves the file for a later run. A run that has come to nothing leaves it as it was
// if it told of a finished one, whose output is still there.
func (j *Journal) Close() error {
	j.rest()
	if j.former != nil && j.Empty() {
		return filelock.Replace(j.file, j.former)
	}
	var err error
	if j.err == nil {
		err = j.sync()
	}
	return errors.Join(err, j.file.Close())
}

// Remove ends a run of which nothing is to be left.
func (j *Journal) Remove() error {
	j.rest()
	return filelock.Remove(j.file)
}

// A Finished tells how a run has ended.
type Finished struct {
	Bytes   int64           `json:"bytes"`          // of the output
	Input   uint32          `json:"input"`          // the sum of the whole input, see batch.Entry
	Summary json.RawMessage `json:"summary"`        // whatever is to be known of the run
	Part    string          `json:"part,omitempty"` // size and sum of the file of the plain answers, which is removed after that; empty: there is none
}

// Finish ends a run that is done, once the disk has the output. The sum of the input is known
// here.
func (j *Journal) Finish(f Finished) error {
	j.rest()
	if j.syncing != nil {
		if err := j.syncing(); err != nil {
			return errors.Join(err, j.file.Close())
		}
	}
	f.Input = j.input
	contents, err := withOutcome(j.manifest, f)
	if err != nil {
		return errors.Join(err, j.file.Close())
	}
	return filelock.Replace(j.file, contents)
}

// withOutcome is the file of a finished run.
func withOutcome(terms []byte, f Finished) ([]byte, error) {
	line, err := json.Marshal(outcome{&f})
	return slices.Concat(terms, line, []byte("\n")), err
}

// Package runlog keeps a run in a file, so that a run whose process was killed at any time can be resumed and gives the
// same outputs as an uninterrupted one.
//
// The first line is the run's manifest, a line of JSON. A record follows for each answer, including errors, in the order
// in which the run obtained them. The task defines what a record holds, the [Framing] how it is stored.
//
// A record is appended before its answer is written to any output. So no output holds anything that the log does not,
// and resuming means replaying: the task empties its outputs, whatever their format, rewrites them from [Log.Replay],
// and continues after the last record. Outputs are never read back.
//
// A record is a single write, so a killed process leaves at most one torn record. The log is synced to disk once a
// second. After a machine crash the end of the file may hold anything: Replay truncates the log at the first incomplete
// record.
//
// A finished run leaves its manifest and a second line with its summary, see [Log.Finish], which replaces the records
// atomically, or its records in the order of the output if the log is itself the output, see [Log.Rewrite]. The file is
// locked while it is open: two runs cannot share an output.
package runlog

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"qhsh/engine/filelock"
	"qhsh/engine/interruptible"
	"qhsh/engine/printable"
)

// A Kind describes the logs of one task.
type Kind struct {
	// Prefix starts the manifest, up to the number that follows: {"hints":
	Prefix string
	// ErrForeign is the error of a file that is not such a log.
	ErrForeign error
	Framing    Framing
	// Run and Records are what a run and its records are, for a person: match, finished games.
	Run, Records string
	// Extendable are the keys of the manifest that may differ when a run is resumed.
	Extendable []string
	// Repair is what to do about a torn line before others, for a person.
	Repair string
}

// syncEvery bounds the work that is lost when the machine, not the process, stops.
const syncEvery = time.Second

// A Run is the head of a log.
type Run struct {
	Manifest []byte          // the first line with its line feed; nil: there is no run in the file
	Summary  json.RawMessage // nil: the run is not finished
}

// A Log is an open log file. Append and At may be called concurrently, each from one goroutine.
type Log struct {
	kind  Kind
	file  *os.File
	isNew bool // the file was not there before
	run   Run
	next  []byte // the manifest that replaces the whole file before the first record; nil: none
	size  int64  // after the last record
	err   error  // ended the writing

	closed bool // by Finish or Rewrite
	buf    []byte
	synced time.Time  // when the latest sync began
	syncs  chan error // the outcome of a sync under way; nil: there is none

	reading sync.Mutex
	in      bufio.Reader // At's
}

// Path returns the path of an output's log: next to the file that the path leads to.
func Path(output string) string {
	if real, err := filelock.Resolve(output); err == nil {
		output = real
	}
	return output + ".run"
}

// Open opens a log, creates it if it is not there, and locks it. The error wraps
// filelock.ErrInUse if another run has it open, and kind.ErrForeign if it is something else.
func Open(path string, kind Kind) (*Log, error) {
	err := checkRegular(path, kind)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err != nil && !isNew {
		return nil, err
	}
	file, err := filelock.Open(path)
	if err != nil {
		return nil, err
	}
	l := &Log{kind: kind, file: file, isNew: isNew, synced: time.Now()}
	if err := l.readHead(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return l, nil
}

// Read returns the head of a log that may belong to another process. The error of another file
// wraps kind.ErrForeign.
func Read(path string, kind Kind) (Run, error) { return ReadRecords(path, kind, nil) }

// ReadRecords is like Read, and calls each with every complete record, unless it is nil. The bytes are valid
// during the call.
func ReadRecords(path string, kind Kind, each func(record []byte) error) (Run, error) {
	if err := checkRegular(path, kind); err != nil {
		return Run{}, err
	}
	file, err := interruptible.OpenRegular(path)
	if err != nil {
		return Run{}, err
	}
	defer file.Close()
	l := &Log{kind: kind, file: file}
	if err := l.readHead(); err != nil || each == nil || l.run.Manifest == nil {
		return l.run, err
	}
	_, _, err = l.scan(func(_ int64, record []byte) error { return each(record) })
	return l.run, err
}

// checkRegular returns an error if a file is missing or not regular. Opening a pipe would have an
// effect.
func checkRegular(path string, kind Kind) error {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", path, kind.ErrForeign)
	}
	return err
}

// readHead reads the manifest and the summary. An empty file, or one whose writer was killed within
// the first line, has neither.
func (l *Log) readHead() error {
	const maxManifest = 16 << 20
	const summaryPrefix = `{"finished":` // starts the second line of a finished run, and no record
	in := bufio.NewReader(io.NewSectionReader(l.file, 0, maxManifest))
	if head, _ := in.Peek(len(l.kind.Prefix) + 1); !l.kind.isHead(head) {
		return l.kind.ErrForeign
	}
	line, err := in.ReadBytes('\n')
	switch {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	case !json.Valid(line):
		return l.kind.ErrForeign
	}
	l.run.Manifest, l.size = line, int64(len(line))
	if begins, _ := in.Peek(len(summaryPrefix)); string(begins) != summaryPrefix {
		return nil
	}
	var second struct{ Finished json.RawMessage }
	if err := json.NewDecoder(in).Decode(&second); err != nil {
		return fmt.Errorf("%w: line 2: %w", l.kind.ErrForeign, err)
	}
	l.run.Summary = second.Finished
	return nil
}

// isHead reports whether the first bytes of a file can be those of a manifest.
func (k Kind) isHead(head []byte) bool {
	n := min(len(head), len(k.Prefix))
	if string(head[:n]) != k.Prefix[:n] {
		return false
	}
	return len(head) == n || '0' <= head[n] && head[n] <= '9'
}

// Run returns the head as it was when the file was opened.
func (l *Log) Run() Run { return l.run }

// Unfinished reports whether the file held a record of an unfinished run when it was opened.
func (l *Log) Unfinished() bool {
	if l.run.Manifest == nil || l.run.Summary != nil {
		return false
	}
	_, err := l.file.ReadAt(make([]byte, 1), int64(len(l.run.Manifest)))
	return err == nil
}

// Start begins the run of a manifest in a file without records. With resume set it resumes the run in
// the file, if there is one, and calls each with its records as Replay does. extended reports whether
// the manifest of that run differs, which only keys in Kind.Extendable may.
func (l *Log) Start(manifest []byte, resume bool, each func(ref int64, record []byte) error) (extended bool, err error) {
	theirs := l.run.Manifest
	if theirs == nil || !resume {
		if n, err := l.Count(); err != nil || n > 0 {
			return false, cmp.Or(err, fmt.Errorf("the file already has a %s with %d %s: use -resume to resume it", l.kind.Run, n, l.kind.Records))
		}
		l.Begin(manifest)
		return false, nil
	}
	differ, err := l.kind.Differences(theirs, manifest)
	if err != nil {
		return false, fmt.Errorf("invalid first line: %w", printable.JSONError(err))
	}
	errDiffers := func(why []string) error {
		return fmt.Errorf("configuration differs from the %s being resumed: %s", l.kind.Run, strings.Join(why, "; "))
	}
	refused := slices.DeleteFunc(slices.Clone(differ), func(clause string) bool {
		key, _, _ := strings.Cut(clause, " ")
		return slices.Contains(l.kind.Extendable, key)
	})
	if len(refused) > 0 {
		return false, errDiffers(refused)
	}
	if _, err = l.Replay(each); err != nil && len(differ) > 0 {
		err = fmt.Errorf("%w: %s would change: %w", errDiffers(differ), l.kind.Records, err)
	}
	return len(differ) > 0, err
}

// Begin starts the log of a new run. The file is unchanged until the first record.
func (l *Log) Begin(terms []byte) { l.next, l.size = terms, int64(len(terms)) }

// Empty reports whether the run has no records. It is valid after Begin or Replay.
func (l *Log) Empty() bool { return l.next != nil || l.size <= int64(len(l.run.Manifest)) }

// Count returns the number of records that Replay would find. It does not change the file.
func (l *Log) Count() (n int, err error) {
	_, _, err = l.scan(func(int64, []byte) error { n++; return nil })
	return n, err
}

// Replay calls each with every record in order and its reference for At. The bytes are valid during
// the call. Replay then truncates the file after the last complete record; damaged reports whether
// that removed more than the torn end that a killed process leaves. A new run has no records.
func (l *Log) Replay(each func(ref int64, record []byte) error) (damaged bool, err error) {
	if l.next != nil {
		return false, nil
	}
	var rest error
	l.size, rest, err = l.scan(each)
	if err != nil || rest == nil {
		return false, err
	}
	return errors.Is(rest, errDamaged), l.file.Truncate(l.size)
}

// scan calls each with every complete record, up to end. rest is errTorn or errDamaged if something
// follows, else nil.
func (l *Log) scan(each func(ref int64, record []byte) error) (end int64, rest, err error) {
	end = int64(len(l.run.Manifest))
	in := bufio.NewReaderSize(io.NewSectionReader(l.file, end, 1<<62-end), 1<<18)
	for n := 0; ; n++ {
		record, length, err := l.kind.Framing.next(in, l.buf[:0])
		switch {
		case err == io.EOF:
			return end, nil, nil
		case errors.Is(err, errTorn), errors.Is(err, errDamaged):
			return end, err, nil
		case err == nil:
			err = each(end, record)
		case errors.Is(err, errTornLine):
			err = fmt.Errorf("%w: %s", err, l.kind.Repair)
		}
		if err != nil {
			return end, nil, l.kind.Framing.locate(err, n)
		}
		l.buf, end = record, end+int64(length)
	}
}

// Append adds a record and returns its reference. After an error the file has no part of the
// record, if the disk permits, and Append always fails.
func (l *Log) Append(record []byte) (ref int64, err error) {
	if l.err != nil {
		return 0, l.err
	}
	l.buf = append(l.buf[:0], l.next...)
	l.buf = l.kind.Framing.append(l.buf, record)
	at := l.size - int64(len(l.next))
	_, l.err = l.file.WriteAt(l.buf, at)
	if l.err == nil && l.next != nil {
		l.err = l.file.Truncate(int64(len(l.buf))) // now, as an empty file tells nothing of its output
	}
	if l.err != nil {
		_ = l.file.Truncate(at) // otherwise the next Replay cuts it off
		return 0, l.err
	}
	if l.next != nil {
		l.run, l.next = Run{Manifest: l.next}, nil
	}
	ref, l.size = l.size, at+int64(len(l.buf))
	l.syncNow()
	return ref, l.err
}

// At returns the record at a reference.
func (l *Log) At(ref int64) ([]byte, error) {
	l.reading.Lock()
	defer l.reading.Unlock()
	l.in.Reset(io.NewSectionReader(l.file, ref, 1<<62-ref))
	record, _, err := l.kind.Framing.next(&l.in, nil)
	return record, err
}

// syncNow starts a sync in the background when it is due and collects the result of the previous
// one.
func (l *Log) syncNow() {
	select {
	case l.err = <-l.syncs:
		l.syncs = nil
	default:
	}
	if l.syncs != nil || time.Since(l.synced) < syncEvery {
		return
	}
	done := make(chan error, 1)
	l.syncs, l.synced = done, time.Now()
	go func() { done <- l.sync() }()
}

// sync syncs the records to disk, and the name of a new file.
func (l *Log) sync() error {
	err := l.file.Sync()
	if err == nil && l.isNew {
		err = filelock.SyncName(l.file.Name())
	}
	return err
}

func (l *Log) waitSync() {
	if l.syncs != nil {
		l.err = errors.Join(l.err, <-l.syncs)
		l.syncs = nil
	}
}

// Close closes the file; an unfinished run can be resumed. A new file without records is removed.
// Close is a no-op after Finish and Rewrite.
func (l *Log) Close() error {
	if l.closed {
		return nil
	}
	l.waitSync()
	if l.isNew && l.run.Manifest == nil {
		return filelock.Remove(l.file)
	}
	var err error
	if l.err == nil && l.next == nil {
		err = l.sync()
	}
	return errors.Join(err, l.file.Close())
}

// Finish replaces the records with the summary of the finished run, a JSON object, and closes the
// file. The outputs must have been synced.
func (l *Log) Finish(figures any) error {
	terms := l.run.Manifest
	if l.next != nil {
		terms = l.next
	}
	line, err := json.Marshal(map[string]any{"finished": figures})
	return l.replace(err, func(w io.Writer) error {
		_, err := w.Write(append(append(bytes.Clone(terms), line...), '\n'))
		return err
	})
}

// Rewrite replaces the file with a manifest and the records at refs, in that order, and closes it.
func (l *Log) Rewrite(terms []byte, refs []int64) error {
	return l.replace(nil, func(w io.Writer) error {
		if _, err := w.Write(terms); err != nil {
			return err
		}
		var buf []byte
		for _, ref := range refs {
			record, err := l.At(ref)
			if err != nil {
				return err
			}
			buf = l.kind.Framing.append(buf[:0], record)
			if _, err := w.Write(buf); err != nil {
				return err
			}
		}
		return nil
	})
}

// replace replaces the contents and closes the file, unless an earlier write failed.
func (l *Log) replace(err error, write func(io.Writer) error) error {
	l.waitSync()
	l.closed = true
	if err = errors.Join(err, l.err); err != nil {
		return errors.Join(err, l.file.Close())
	}
	return filelock.Replace(l.file, write)
}

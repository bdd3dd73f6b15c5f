package match

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"qhsh/engine"
	"qhsh/pluginclient/filelock"
)

// A State is a match in a file of JSON lines: the terms first, then a Record for each
// finished game. While the match runs, records are added as they come; at its end they
// are put in the order of the games. It is a Journal.
//
// Every record is one write, and a last line that is not whole is dropped when the file is
// read again, so a process may be killed at any instant. The file is locked as long as the
// State is open.
//
// The terms are written with the first record. A match that ends before it has one leaves a
// file as it was, and none where there was none.
type State struct {
	path   string
	file   *os.File
	isNew  bool   // the file was not there before
	terms  []byte // the first line, as long as it has not been written
	other  []byte // the first line, if the match is extended and another one stands there
	size   int64
	places map[int]place // of the records
	order  []int         // games, as they stand in the file
	synced time.Time
	err    error // ended the writing
}

type place struct{ at, length int64 }

// syncEvery is how much may be lost when a machine, not a process, comes to a sudden end.
const syncEvery = time.Second

// errTorn is a last line that is not whole.
var errTorn = errors.New("torn line")

// OpenState opens or creates a file. One that holds finished games of these terms is gone
// on with if resume is set; without it, and with other terms, the error wraps ErrTerms,
// as it does if another process has the file open. The number of games and of rounds and the
// SPRT may be others, if that leaves all finished games as they are: the first line has them
// when the State is closed.
func OpenState(path string, terms *Terms, resume bool) (*State, error) {
	path = realPath(path)
	_, err := os.Lstat(path)
	isNew := errors.Is(err, fs.ErrNotExist)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	s := &State{path: path, file: file, isNew: isNew, places: map[int]place{}}
	if err := s.begin(terms, resume); err != nil {
		_ = s.abandon()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// SortingPath is the name of a file that closing the State in a file may write beside it.
func SortingPath(path string) string { return realPath(path) + ".sorting" }

func (s *State) begin(terms *Terms, resume bool) error {
	info, err := s.file.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return termsf("it is no ordinary file")
	}
	switch err := filelock.Lock(s.file); {
	case errors.Is(err, filelock.ErrUsed):
		return termsf("another match is using it")
	case err != nil:
		return termsf("%w", err)
	}
	in := bufio.NewReaderSize(s.file, 1<<16)
	ours := terms.manifest()
	theirs, err := s.readManifest(in)
	var extended []string
	if err == nil && resume && len(theirs) > 0 {
		extended, err = sameTerms(theirs, ours)
	}
	check := func(Record) error { return nil }
	if schedule := newSchedule(terms); resume {
		check = func(r Record) error { return r.check(schedule) }
	}
	if err == nil && len(theirs) > 0 {
		err = s.readRecords(in, check)
	}
	if extended != nil {
		s.other = ours
	}
	switch {
	case err != nil && extended != nil:
		return termsf("%w: that would change what has been played: %w", errOther(extended), err)
	case err != nil:
		return termsf("%w", err)
	case len(theirs) == 0, !resume && len(s.order) == 0:
		s.restart(ours)
		return nil
	case !resume:
		return termsf("it holds a match already, with %d of its games finished: -resume goes on with it", len(s.order))
	}
	return s.file.Truncate(s.size)
}

// restart makes it a match without games. The file is as it was until there is one.
func (s *State) restart(manifest []byte) {
	s.terms, s.size, s.order = manifest, 0, nil
	clear(s.places)
}

// abandon closes a file in which nothing has been written.
func (s *State) abandon() error {
	err := s.file.Close()
	if s.isNew {
		err = errors.Join(err, os.Remove(s.path))
	}
	return err
}

// readManifest reads the first line; there is none in a file that is empty, or whose writer
// was killed at the very beginning.
func (s *State) readManifest(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadBytes('\n')
	switch {
	case err != nil && err != io.EOF:
		return nil, err
	case !isPrefix(line, Begins):
		return nil, errors.New("it holds something else than a match")
	case err == io.EOF:
		return nil, nil
	}
	s.size = int64(len(line))
	return line, nil
}

// readRecords reads the file up to the last whole line.
func (s *State) readRecords(in *bufio.Reader, check func(Record) error) error {
	for number := 2; ; number++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.admit(line, check); err != nil {
			if _, peekErr := in.Peek(1); peekErr == io.EOF && errors.Is(err, errTorn) {
				return nil
			}
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
}

// isPrefix tells whether one of them begins with the other.
func isPrefix(text []byte, with string) bool {
	n := min(len(text), len(with))
	return string(text[:n]) == with[:n]
}

// admit takes note of a record that stands in the file.
func (s *State) admit(line []byte, check func(Record) error) error {
	var r Record
	if err := json.Unmarshal(line, &r); err != nil {
		return fmt.Errorf("%w: %w", errTorn, engine.ExplainJSON(err))
	}
	if err := check(r); err != nil {
		return err
	}
	if s.Has(r.Game) {
		return fmt.Errorf("game %d is there twice", r.Game)
	}
	s.note(r.Game, int64(len(line)))
	return nil
}

func (s *State) note(game int, length int64) {
	s.places[game] = place{s.size, length}
	s.order = append(s.order, game)
	s.size += length
}

// Len is the number of finished games.
func (s *State) Len() int { return len(s.order) }

// Has tells whether a game is finished.
func (s *State) Has(game int) bool {
	_, ok := s.places[game]
	return ok
}

// Read is the record of a finished game.
func (s *State) Read(game int) (Record, error) {
	line, err := s.line(game)
	if err != nil {
		return Record{}, err
	}
	var r Record
	err = json.Unmarshal(line, &r)
	return r, err
}

func (s *State) line(game int) ([]byte, error) {
	p := s.places[game]
	line := make([]byte, p.length)
	_, err := s.file.ReadAt(line, p.at)
	return line, err
}

// Append adds a finished game. After an error there is nothing of it in the file, and
// nothing can be added any more.
func (s *State) Append(r Record) error {
	if err := s.writeTerms(); err != nil {
		return err
	}
	line := marshalLine(r)
	at := s.size
	if err := s.write(line); err != nil {
		return err
	}
	s.size = at
	s.note(r.Game, int64(len(line)))
	if time.Since(s.synced) < syncEvery {
		return nil
	}
	s.synced = time.Now()
	return s.file.Sync()
}

// writeTerms writes the first line, if it is still to be written, in place of all that is in
// the file.
func (s *State) writeTerms() error {
	if s.terms == nil {
		return s.err
	}
	if s.err = s.file.Truncate(0); s.err != nil {
		return s.err
	}
	terms := s.terms
	s.terms = nil
	return s.write(terms)
}

// write adds a line.
func (s *State) write(line []byte) error {
	if s.err != nil {
		return s.err
	}
	if _, s.err = s.file.WriteAt(line, s.size); s.err != nil {
		_ = s.file.Truncate(s.size) // else the next reader drops what there is of it
		return s.err
	}
	s.size += int64(len(line))
	return nil
}

// Close puts the records in the order of the games and closes the file. Games after the
// last one are dropped; 0 is no such limit.
func (s *State) Close(last int) error {
	if s.terms != nil {
		return s.abandon()
	}
	games := slices.Sorted(slices.Values(s.order))
	if last > 0 {
		games = slices.DeleteFunc(games, func(game int) bool { return game > last })
	}
	if s.err != nil || s.other == nil && slices.Equal(games, s.order) {
		return errors.Join(s.file.Sync(), s.file.Close())
	}
	written, err := s.writeSorted(games)
	if closeErr := s.file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(written, s.path)
	}
	if err != nil {
		_ = os.Remove(written)
	}
	return err
}

// writeSorted writes a file beside the State's own, with its games in order.
func (s *State) writeSorted(games []int) (path string, err error) {
	path = SortingPath(s.path)
	info, err := s.file.Stat()
	if err != nil {
		return path, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, info.Mode().Perm())
	if err != nil {
		return path, err
	}
	out := bufio.NewWriter(file)
	err = s.copySorted(out, games)
	return path, errors.Join(err, out.Flush(), file.Sync(), file.Close())
}

func (s *State) copySorted(out io.Writer, games []int) error {
	manifest, err := bufio.NewReader(io.NewSectionReader(s.file, 0, s.size)).ReadBytes('\n')
	if err != nil {
		return err
	}
	if s.other != nil {
		manifest = s.other
	}
	if _, err := out.Write(manifest); err != nil {
		return err
	}
	for _, game := range games {
		line, err := s.line(game)
		if err != nil {
			return err
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return nil
}

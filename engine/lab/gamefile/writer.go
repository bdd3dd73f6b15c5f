package gamefile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"qhsh/engine/filelock"
)

// A Writer appends games to a file that is locked for it. It may be used by several
// goroutines at once.
type Writer struct {
	mu    sync.Mutex
	file  *os.File
	end   int64
	block []byte
}

// Open opens or creates a file and prepares it for appending games. An existing file must have the
// same terms. keep, which must not be nil, is called with each of its games. An incomplete block at
// the end, left by a killed process, is removed. Damaged places are kept, and their games are
// missing. If another process is writing the file, the error wraps filelock.ErrInUse.
func Open(path, terms string, keep func(*Game)) (*Writer, error) {
	file, err := filelock.Open(path)
	if err != nil {
		return nil, err
	}
	w := &Writer{file: file}
	if err := w.resume(terms, keep); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return w, nil
}

func (w *Writer) resume(terms string, keep func(*Game)) error {
	head, err := appendFileHeader(nil, terms)
	if err != nil {
		return err
	}
	info, err := w.file.Stat()
	if err != nil {
		return err
	}
	r, err := NewReader(w.file)
	switch {
	case errors.Is(err, ErrTruncated) && info.Size() < int64(len(head)): // killed before the first game
		return errors.Join(w.truncate(0), w.write(head))
	case err != nil:
		return err
	case r.Terms() != terms:
		return fmt.Errorf("the file has other terms, %s, not %s: use another seed or folder", r.Terms(), terms)
	}
	for g, err := range r.Games() {
		switch {
		case g != nil:
			keep(g)
		case !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrTruncated):
			return err
		}
	}
	return w.truncate(r.goodEnd)
}

// truncate truncates the file at an offset.
func (w *Writer) truncate(end int64) error {
	if err := w.file.Truncate(end); err != nil {
		return err
	}
	w.end = end
	_, err := w.file.Seek(end, io.SeekStart)
	return err
}

// write appends a block with one system call. On failure nothing is appended.
func (w *Writer) write(block []byte) error {
	if _, err := w.file.Write(block); err != nil {
		return errors.Join(err, w.truncate(w.end))
	}
	w.end += int64(len(block))
	return nil
}

// Append writes a game. It then survives the end of the process; after Sync also a crash of the
// machine.
func (w *Writer) Append(g *Game) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	block, err := appendBlock(w.block[:0], g.appendBody)
	if err != nil {
		return fmt.Errorf("game %d: %w", g.Number, err)
	}
	w.block = block
	return w.write(block)
}

// Sync flushes the file to disk.
func (w *Writer) Sync() error { return w.file.Sync() }

// Close unlocks the file.
func (w *Writer) Close() error { return errors.Join(w.file.Sync(), w.file.Close()) }

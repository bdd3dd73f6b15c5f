package output

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/mattn/go-isatty"

	"qhsh/engine/printable"
)

// ErrReaderGone is wrapped by the error of a write to a Stream whose reader has closed it. It ends
// a command silently.
var ErrReaderGone = errors.New("the reader has gone")

// A Stream is a standard output. The error of a write to one whose reader has gone wraps
// ErrReaderGone, which tells it apart from the errors of inputs.
type Stream struct{ io.Writer }

func (s Stream) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	if err != nil && isBrokenPipe(err) {
		err = fmt.Errorf("%w: %w", ErrReaderGone, err)
	}
	return n, err
}

// Stat returns the info of the file that the stream is.
func (s Stream) Stat() (fs.FileInfo, error) {
	file, ok := printable.Raw(s.Writer).(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return nil, errors.ErrUnsupported
	}
	return file.Stat()
}

// Raw returns the stream for what qhsh itself draws on a terminal.
func (s Stream) Raw() io.Writer { return Stream{printable.Raw(s.Writer)} }

// Stat returns the info of a stream that is a file; nil otherwise.
func Stat(stream any) fs.FileInfo {
	file, ok := stream.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		return nil // a closed one says so when it is used
	}
	return info
}

// A StickyStream is a Stream that keeps the error of its first failed write, for writers that
// mistake such an error for the end of a conversation. It is safe for concurrent use.
type StickyStream struct {
	Stream
	mu  sync.Mutex
	err error
}

func (w *StickyStream) Write(p []byte) (int, error) {
	n, err := w.Stream.Write(p)
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.err = cmp.Or(w.err, err)
	}
	return n, err
}

// Err returns the error of the first write that failed.
func (w *StickyStream) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// EscapeIfTerminal returns a writer that escapes control characters if file is a terminal, and
// otherwise the file.
func EscapeIfTerminal(file *os.File) io.Writer {
	if IsTerminal(file) {
		return printable.NewWriter(file)
	}
	return file
}

// IsTerminal reports whether a file is a terminal.
func IsTerminal(file *os.File) bool {
	return isatty.IsTerminal(file.Fd()) || isatty.IsCygwinTerminal(file.Fd())
}

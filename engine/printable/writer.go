package printable

import (
	"io"
	"sync"
	"unicode/utf8"
)

// A Writer escapes what is written to it as [Text] does. It holds back a character that is not
// complete until the next Write. It is safe for concurrent use.
type Writer struct {
	w    io.Writer
	mu   sync.Mutex
	held []byte // the beginning of a character, or of CR LF
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes p escaped. The number of bytes is that of p, or 0 with an error.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := append(w.held, p...)
	end := len(text) - incompleteTail(text)
	w.held = append([]byte(nil), text[end:]...)
	if end == 0 {
		return len(p), nil
	}
	if _, err := io.WriteString(w.w, Text(string(text[:end]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush writes what is held back.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := Text(string(w.held))
	w.held = nil
	if text == "" {
		return nil
	}
	_, err := io.WriteString(w.w, text)
	return err
}

// Raw returns the writer that w writes to.
func (w *Writer) Raw() io.Writer { return w.w }

// Raw returns the writer behind w that escapes nothing: what the method Raw of w returns, or w
// itself if there is none. It is for sequences of qhsh's own, and never for text of others.
func Raw(w io.Writer) io.Writer {
	if around, ok := w.(interface{ Raw() io.Writer }); ok {
		return around.Raw()
	}
	return w
}

// incompleteTail returns how many bytes at the end of a text may be understood only with those that
// follow.
func incompleteTail(text []byte) int {
	if n := len(text); n > 0 && text[n-1] == '\r' {
		return 1
	}
	for n := 1; n <= min(len(text), utf8.UTFMax); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

package serving

import (
	"bufio"
	"io"
	"strings"
	"sync"

	"qhsh/engine/printable"
	"qhsh/pluginclient"
)

// A LineWriter writes a server's lines to its host. It is safe for concurrent use.
type LineWriter struct {
	Suffix string // written after the lines of each WriteLines, but not to the trace

	trace *pluginclient.Trace

	mu     sync.Mutex
	out    *bufio.Writer
	hushed bool
}

// NewLineWriter returns a LineWriter that writes to out. The trace may be nil.
func NewLineWriter(out io.Writer, trace *pluginclient.Trace) *LineWriter {
	return &LineWriter{trace: trace, out: bufio.NewWriter(out)}
}

// WriteLines writes lines and flushes them. After Close it writes nothing.
func (w *LineWriter) WriteLines(lines ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.hushed {
		return
	}
	for _, line := range lines {
		if w.trace != nil {
			w.trace.Add(pluginclient.Received, line)
		}
		_, _ = w.out.WriteString(line + "\n")
	}
	_, _ = w.out.WriteString(w.Suffix)
	if w.out.Flush() != nil {
		w.hushed = true // the host has closed its end
	}
}

// TraceInput records a line of the host in the trace.
func (w *LineWriter) TraceInput(line string) {
	if w.trace != nil {
		w.trace.Add(pluginclient.Sent, line)
	}
}

// Close ends the conversation: nothing more is written.
func (w *LineWriter) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hushed = true
}

// Closed reports whether nothing more is written, because of Close or because the host has gone.
func (w *LineWriter) Closed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.hushed
}

// OneLine returns the text of an error as one line of a server. It may quote an engine, and a host may
// show it on a terminal, so it is printable.
func OneLine(text string) string { return printable.Line(strings.Join(strings.Fields(text), " ")) }

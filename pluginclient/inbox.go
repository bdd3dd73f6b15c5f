package pluginclient

import (
	"fmt"
	"sync"
)

// inbox buffers the lines of an engine until they are read.
type inbox struct {
	ready chan struct{} // holds a token when there is something new

	mu     sync.Mutex
	lines  []string
	fresh  []string // of the read under way: what came together is found together
	bytes  int
	rest   string
	closed error
}

func (b *inbox) notify() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

func (b *inbox) put(line string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bytes += len(line) + LineCost; b.bytes > MaxUnread {
		return fmt.Errorf("%w: more than %d unread bytes", ErrFlood, MaxUnread)
	}
	b.fresh = append(b.fresh, line)
	return nil
}

// setPartial stores the incomplete line at the end of a read. It also wakes the reader, once for
// all lines of that read: waking it for each line costs more than reading the line.
func (b *inbox) setPartial(rest string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.publish()
	b.rest = rest
	if len(b.lines) > 0 {
		b.notify()
	}
}

func (b *inbox) partialLine() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rest
}

func (b *inbox) end(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.publish()
	if b.rest != "" {
		err = fmt.Errorf("%w (%w: %q)", err, ErrPartialLine, truncate(b.rest))
	}
	b.closed = err
	b.notify()
}

func (b *inbox) failure() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// publish makes the lines of a read available.
func (b *inbox) publish() {
	b.lines = append(b.lines, b.fresh...)
	b.fresh = b.fresh[:0]
}

// take returns the next line, or the error that ended the output if no line is left.
func (b *inbox) take() (line string, ok bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.lines) == 0 {
		return "", false, b.closed
	}
	line = b.lines[0]
	b.lines = b.lines[1:]
	b.bytes -= len(line) + LineCost
	return line, true, nil
}

func (b *inbox) takeAll() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.lines
	b.lines, b.bytes = nil, 0
	return all
}

func truncate(text string) string { return Truncate(text, 80) }

// Truncate cuts a text that has more than a number of bytes.
func Truncate(text string, most int) string {
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}

package pluginclient

import (
	"fmt"
	"sync"
)

// inbox holds the lines that an engine has sent and nobody has read.
type inbox struct {
	ready chan struct{} // one token when there is something new
	*inboxState
}

type inboxState struct {
	mu     sync.Mutex
	lines  []string
	bytes  int
	rest   string
	closed error
}

func newInbox() inbox { return inbox{make(chan struct{}, 1), new(inboxState)} }

func (b inbox) notify() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

func (b inbox) put(line string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bytes += len(line) + 1; b.bytes > maxUnread {
		return fmt.Errorf("%w: over %d bytes that nobody asked for", ErrFlood, maxUnread)
	}
	b.lines = append(b.lines, line)
	return nil
}

// setPartial is told of what is behind the last line when all that has come is put. The bell
// rings only then: to be woken for each line of an answer costs more than to read it.
func (b inbox) setPartial(rest string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rest = rest
	if len(b.lines) > 0 {
		b.notify()
	}
}

func (b inbox) partialLine() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rest
}

func (b inbox) end(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rest != "" {
		err = fmt.Errorf("%w (%w: %q)", err, ErrPartialLine, truncate(b.rest))
	}
	b.closed = err
	b.notify()
}

func (b inbox) failure() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// take is the next line, or the end if there is none left.
func (b inbox) take() (line string, ok bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.lines) == 0 {
		return "", false, b.closed
	}
	line = b.lines[0]
	b.lines = b.lines[1:]
	b.bytes -= len(line) + 1
	return line, true, nil
}

func (b inbox) takeAll() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.lines
	b.lines, b.bytes = nil, 0
	return all
}

func truncate(text string) string {
	const most = 80
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}

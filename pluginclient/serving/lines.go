package serving

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
)

// ReaderOptions configure how a protocol's lines are read.
type ReaderOptions struct {
	MaxLine   int // bytes of the longest line; a longer one becomes OverlongLine
	ReadAhead int // how many lines are read ahead, and those that came in one piece with the last

	// Read reads a line with its line feed from a buffer of MaxLine bytes. nil: readLine.
	Read func(r *bufio.Reader) (string, error)
}

// Lines queues a host's lines in order, without line endings. Lines that arrive together are queued
// together, so that the lines after a command are known before the command can be answered, however
// fast the search is.
//
// Only one goroutine at a time may take lines.
type Lines struct {
	input ReaderOptions
	news  chan struct{} // holds a token while there may be something to take
	room  chan struct{} // holds a token when there is room again
	ended chan struct{} // closed when the input has ended and all its lines are queued

	mu    sync.Mutex
	lines []string
}

// ReadLines starts reading lines until in ends or done is closed. A read in progress then ends when
// the caller closes in.
func ReadLines(in io.Reader, done <-chan struct{}, input ReaderOptions) *Lines {
	if input.Read == nil {
		input.Read = readLine
	}
	l := &Lines{
		input: input, news: make(chan struct{}, 1), room: make(chan struct{}, 1), ended: make(chan struct{}),
	}
	go l.fill(in, done)
	return l
}

// fill queues the lines of in, each with all complete lines that have arrived with it.
func (l *Lines) fill(in io.Reader, done <-chan struct{}) {
	r := bufio.NewReaderSize(in, l.input.MaxLine)
	var together []string
	for {
		line, err := l.input.Read(r)
		if line != "" {
			together = append(together, strings.TrimRight(line, "\r\n"))
		}
		if rest, _ := r.Peek(r.Buffered()); err == nil && bytes.IndexByte(rest, '\n') >= 0 {
			continue
		}
		l.mu.Lock()
		for len(l.lines) > l.input.ReadAhead {
			l.mu.Unlock()
			select {
			case <-l.room:
			case <-done:
				return
			}
			l.mu.Lock()
		}
		l.lines = append(l.lines, together...)
		if err != nil {
			close(l.ended)
		}
		l.mu.Unlock()
		signal(l.news)
		if err != nil {
			return
		}
		together = nil
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Ready returns a channel that receives a value when there may be a line to take, or the end.
func (l *Lines) Ready() <-chan struct{} { return l.news }

// Ended returns a channel that is closed when the input has ended, even if lines are still queued.
func (l *Lines) Ended() <-chan struct{} { return l.ended }

// Peek returns the first queued line. At the end of the input ok is false and ended is true.
func (l *Lines) Peek() (line string, ok, ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.first()
}

func (l *Lines) first() (line string, ok, ended bool) {
	if len(l.lines) > 0 {
		return l.lines[0], true, false
	}
	select {
	case <-l.ended:
		return "", false, true
	default:
		return "", false, false
	}
}

// Take removes and returns the first queued line, if there is one. If there is more to take, Ready
// receives another value.
func (l *Lines) Take() (line string, ok, ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	line, ok, ended = l.first()
	if ok {
		l.lines = l.lines[1:]
		signal(l.room)
	}
	if _, more, end := l.first(); more || end {
		signal(l.news)
	}
	return line, ok, ended
}

// Next waits for a line and returns it; ok is false at the end, or if done is closed.
func (l *Lines) Next(done <-chan struct{}) (line string, ok bool) {
	for {
		line, ok, ended := l.Take()
		if ok || ended {
			return line, ok
		}
		select {
		case <-l.news:
		case <-done:
			return "", false
		}
	}
}

// OverlongLine replaces a line that is longer than ReaderOptions.MaxLine. It is not a command of any
// protocol.
const OverlongLine = "\x00"

// readLine reads one line, including its line feed. The last line of the input may lack it. A line
// longer than the reader's buffer is skipped, and OverlongLine is returned.
func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return string(line), err
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = r.ReadSlice('\n')
	}
	return OverlongLine, err
}

package qhplugin

import (
	"bufio"
	"bytes"
	"io"
	"sync"

	"qhsh/pluginclient"
)

// maxLine is the longest command line in bytes. A longer one is answered with ERROR.
const maxLine = 64 << 10

// maxQueued is how many lines are read ahead of what has been answered.
const maxQueued = 1 << 10

// A queue holds the host's lines in their order. Lines that arrive in one piece are
// put in together: what stands behind an AI is known before the search for it can
// end, so the order of lines decides what happens, and not the speed of the search.
type queue struct {
	mu    sync.Mutex
	lines []string
	ended bool
	news  chan struct{} // one token when there is something new
	room  chan struct{} // one token when there is room again
}

func newQueue() *queue {
	return &queue{news: make(chan struct{}, 1), room: make(chan struct{}, 1)}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// fill reads lines until the input ends or done is closed.
func (q *queue) fill(in io.Reader, done <-chan struct{}) {
	r := bufio.NewReaderSize(in, maxLine)
	for {
		lines, err := readTogether(r)
		if !q.put(lines, err != nil, done) || err != nil {
			return
		}
	}
}

// readTogether reads a line, and all whole lines that came with it.
func readTogether(r *bufio.Reader) (lines []string, err error) {
	for {
		line, err := pluginclient.ReadLine(r)
		if line != "" {
			lines = append(lines, line)
		}
		if err != nil {
			return lines, err
		}
		rest, _ := r.Peek(r.Buffered())
		if !bytes.ContainsRune(rest, '\n') {
			return lines, nil
		}
	}
}

func (q *queue) put(lines []string, ended bool, done <-chan struct{}) bool {
	for q.length() > maxQueued {
		select {
		case <-q.room:
		case <-done:
			return false
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lines = append(q.lines, lines...)
	q.ended = ended
	signal(q.news)
	return true
}

func (q *queue) length() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.lines)
}

// hasEnded reports whether the input has, whatever waits.
func (q *queue) hasEnded() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.ended
}

// peek is the first command that waits, blank lines being dropped. At the end of the
// input there is none, and ended is true.
func (q *queue) peek() (line string, ok, ended bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.lines) > 0 {
		if _, ok := ParseCommand(q.lines[0]); ok {
			return q.lines[0], true, false
		}
		q.lines = q.lines[1:]
		signal(q.room)
	}
	return "", false, q.ended
}

// take removes what peek has shown.
func (q *queue) take() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lines = q.lines[1:]
	signal(q.room)
}

// next waits for the next command and takes it; ok is false at the end.
func (q *queue) next(done <-chan struct{}) (line string, ok bool) {
	for {
		line, ok, ended := q.peek()
		switch {
		case ok:
			q.take()
			return line, true
		case ended:
			return "", false
		}
		select {
		case <-q.news:
		case <-done:
			return "", false
		}
	}
}

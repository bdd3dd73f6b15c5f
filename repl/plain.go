package repl

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"qhsh/engine/record"
)

// A plain lineEditor reads lines from a pipe, or from a terminal that does its own line editing.
type plain struct {
	lines     chan typedLine
	back      []typedLine
	prompt    io.Writer // nil for no prompt
	interrupt <-chan os.Signal
	done      chan struct{}
	close     func()
}

// readAhead is how many lines are read before they are asked for.
const readAhead = 256

func newPlain(in io.Reader, prompt io.Writer, interrupt <-chan os.Signal) *plain {
	p := &plain{
		lines: make(chan typedLine, readAhead), done: make(chan struct{}),
		prompt: prompt, interrupt: interrupt,
	}
	p.close = sync.OnceFunc(func() { close(p.done) })
	go p.read(in)
	return p
}

// maxTyped is the maximum size of a line in bytes. Several are read ahead.
const maxTyped = record.MaxLine / 8

// read reads to the end of the input. An error is delivered last.
func (p *plain) read(in io.Reader) {
	defer close(p.lines)
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxTyped+1)
	for lines.Scan() {
		if !p.put(typedLine{text: strings.TrimRight(lines.Text(), "\r")}) {
			return
		}
	}
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("line of more than %d bytes, which no command needs: not a file of commands", maxTyped)
	}
	if err != nil {
		p.put(typedLine{err: err})
	}
}

func (p *plain) put(t typedLine) bool {
	select {
	case p.lines <- t:
		return true
	case <-p.done:
		return false
	}
}

func (p *plain) ReadLine(prompt string) (string, error) {
	var ahead *typedLine
	if len(p.back) > 0 {
		ahead = &p.back[0]
		p.back = p.back[1:]
		prompt += ahead.text + "\n" // it was typed after the status line, which is gone
	}
	if p.prompt != nil {
		_, _ = io.WriteString(p.prompt, prompt)
	}
	if ahead != nil {
		return ahead.text, ahead.err
	}
	err := io.EOF
	select {
	case t, ok := <-p.lines:
		if ok {
			return t.text, t.err
		}
	case <-p.interrupt:
		err = ErrInterrupted
	case <-p.done:
	}
	if p.prompt != nil { // the user has not pressed Enter
		_, _ = io.WriteString(p.prompt, "\n")
	}
	return "", err
}

func (p *plain) Ready() bool { return len(p.back) > 0 || len(p.lines) > 0 }

func (p *plain) Ahead() <-chan typedLine { return p.lines }

func (p *plain) Keys() (keys <-chan string, end func()) { return nil, func() {} }

func (p *plain) Unread(t typedLine) { p.back = append(p.back, t) }

func (p *plain) Remember(string) {}

func (p *plain) Above(w io.Writer) io.Writer { return w }

func (p *plain) Close() { p.close() }

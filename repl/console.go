package repl

import (
	"bufio"
	"io"
	"strings"
	"sync"

	"github.com/mattn/go-runewidth"
)

// wide measures text as terminals do. Left to itself the library would ask the
// environment, and count box-drawing as two cells in some locales.
var wide = &runewidth.Condition{}

// A console keeps apart what goes to stdout, what is said on stderr, and the live
// status line there. It is safe for concurrent use.
type console struct {
	mu     sync.Mutex
	out    *bufio.Writer
	err    io.Writer
	live   bool // a status line may be drawn
	width  func() int
	shown  bool // it is on the screen
	broken error
}

func newConsole(h Host) *console {
	return &console{out: bufio.NewWriter(h.Stdout), err: h.Stderr, live: h.Status, width: h.width}
}

// Write writes data.
func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	return c.out.Write(p)
}

// say writes a line, or several, for a person, behind the data so far.
func (c *console) say(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	c.flush()
	_, _ = io.WriteString(c.err, strings.TrimRight(text, "\n")+"\n")
}

// settle writes out what is held back, if that is wanted. The error is that of the
// output, now or earlier.
func (c *console) settle(flush bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if flush {
		c.flush()
	}
	return c.broken
}

func (c *console) flush() {
	if err := c.out.Flush(); err != nil {
		c.broken = err
	}
}

// typingRoom is how many columns the live line leaves free for what is typed behind it,
// such as ABORT.
const typingRoom = 12

// status draws the live line in place of the one before it; empty takes it away.
func (c *console) status(text string) {
	if !c.live {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	if text != "" {
		c.flush()
		_, _ = io.WriteString(c.err, "\r"+wide.Truncate(text, max(c.width()-typingRoom, typingRoom), "..."))
		c.shown = true
	}
}

func (c *console) clear() {
	if c.shown {
		_, _ = io.WriteString(c.err, "\r\x1b[K")
		c.shown = false
	}
}

// lines is a writer of whole lines for a person, such as a trace.
type lines struct{ *console }

func (l lines) Write(p []byte) (int, error) {
	l.say(string(p))
	return len(p), nil
}

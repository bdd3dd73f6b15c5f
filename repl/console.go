package repl

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/mattn/go-runewidth"

	"qhsh/engine/printable"
)

// wide measures text as terminals do. Left to itself the library would ask the
// environment, and count box-drawing as two cells in some locales.
var wide = &runewidth.Condition{}

// A console keeps apart what goes to stdout, what is said on stderr, and the live
// status line there. What is said is shown escaped, wherever stderr goes; data is escaped by
// Host.Stdout, if that is a terminal. It is safe for concurrent use.
type console struct {
	mu     sync.Mutex
	out    *bufio.Writer
	canvas io.Writer // stdout for what the shell itself draws
	err    io.Writer // escapes nothing
	live   bool      // a status line may be drawn
	width  func() int
	shown  int // columns of it that are on the screen; 0: it is not there
	broken error
}

func newConsole(h Host) *console {
	return &console{
		out: bufio.NewWriter(h.Stdout), canvas: printable.Raw(h.Stdout),
		err: printable.Raw(h.Stderr), live: h.Status, width: h.width,
	}
}

// Write writes data.
func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	return c.out.Write(p)
}

// Raw is the output for what the shell itself draws, behind the data so far.
func (c *console) Raw() io.Writer { return rawWriter{c} }

type rawWriter struct{ *console }

func (d rawWriter) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clear()
	d.flush()
	return d.canvas.Write(p)
}

// say writes a line, or several, for a person, behind the data so far.
func (c *console) say(text string) { c.sayColored(text, "") }

// shade is say in a colour, a parameter of Select Graphic Rendition; empty: in none.
func (c *console) sayColored(text, colour string) {
	text = printable.Text(strings.TrimRight(text, "\n"))
	if colour != "" {
		text = "\x1b[" + colour + "m" + text + "\x1b[0m"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	c.flush()
	_, _ = io.WriteString(c.err, text+"\n")
}

// settle writes out what is held back, if that is wanted. The error is that of the
// output, now or earlier.
func (c *console) flushIf(flush bool) error {
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

// The sequences that draw the live line without touching what is typed behind it, which
// the terminal itself shows: it is pushed to the right when the line appears, and the
// cursor stays with it.
const (
	drawFirst = "\x1b7\r\x1b[%d@%s\x1b8\x1b[%[1]dC" // columns, text
	drawAgain = "\x1b7\r%s\x1b8"
	wipe      = "\r\x1b[K"
	rowAbove  = "\x1b[A"
)

// status draws the live line in place of the one before it; empty takes it away, with what
// is typed behind it: that comes again at the prompt. A third of the row is left for it.
func (c *console) status(text string) {
	if !c.live {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	room := max(2*c.width()/3, 1)
	if text == "" || c.shown != room {
		c.clear()
	}
	if text == "" {
		return
	}
	text = wide.FillRight(wide.Truncate(printable.Line(text), room-1, "..."), room)
	if c.shown > 0 {
		_, _ = fmt.Fprintf(c.err, drawAgain, text)
		return
	}
	c.flush()
	_, _ = fmt.Fprintf(c.err, drawFirst, room, text)
	c.shown = room
}

// entered is told that a person has ended a line behind the live line, which now stands a
// row higher.
func (c *console) lineEntered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shown > 0 {
		_, _ = io.WriteString(c.err, rowAbove)
	}
	c.clear()
}

func (c *console) clear() {
	if c.shown > 0 {
		_, _ = io.WriteString(c.err, wipe)
		c.shown = 0
	}
}

// lines is a writer of whole lines for a person, such as a trace.
type lineWriter struct{ *console }

func (l lineWriter) Write(p []byte) (int, error) {
	l.say(string(p))
	return len(p), nil
}

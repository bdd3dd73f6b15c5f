package repl

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"

	"qhsh/engine/printable"
)

// A console separates data on stdout, messages on stderr and the live status line on stderr.
// Messages are always escaped; data is escaped by Host.Stdout if that is a terminal. A console is
// safe for concurrent use.
type console struct {
	mu     sync.Mutex
	out    *bufio.Writer
	canvas io.Writer // stdout without escaping
	err    io.Writer // stderr without escaping
	live   bool      // a status line may be drawn
	width  func() int
	shown  int // columns of the status line on the screen; 0 if it is not shown
	broken error
	full   bool            // a command uses the whole screen
	held   strings.Builder // what is to be said when it has left it
}

func newConsole(h Host) *console {
	return &console{
		out: bufio.NewWriter(h.Stdout), canvas: printable.Raw(h.Stdout),
		err: printable.Raw(h.Stderr), live: h.Status, width: h.width,
	}
}

// Write writes data to stdout.
func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	return c.out.Write(p)
}

// draw writes a drawing of the shell's own, which is not escaped, after all data so far.
func (c *console) draw(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	c.flush()
	_, _ = io.WriteString(c.canvas, text)
}

// say writes one or more lines for the user, after all data so far.
func (c *console) say(text string) {
	if c.live {
		text = wrap(printable.Text(text), c.width())
	}
	c.sayColored(text, "")
}

// sayColored is say with a colour, a parameter of Select Graphic Rendition; "" means none.
func (c *console) sayColored(text, colour string) {
	text = printable.Text(strings.TrimRight(text, "\n"))
	if colour != "" {
		text = "\x1b[" + colour + "m" + text + "\x1b[0m"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.full {
		c.held.WriteString(text + "\n")
		return
	}
	c.clear()
	c.flush()
	_, _ = io.WriteString(c.err, text+"\n")
}

// flushIf flushes buffered data if flush is set. It returns the first write error so far.
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

// Escape sequences for the live status line. The line is inserted in front of what is being typed,
// and the cursor stays with the typed text, which the terminal does not wrap: it would be in the row of the
// status line otherwise.
const (
	drawFirst = "\x1b[?7l\x1b7\r\x1b[%d@%s\x1b8\x1b[%[1]dC" // columns, text
	drawAgain = "\x1b7\r%s\x1b8"
	wipe      = "\r\x1b[K\x1b[?7h"
	rowAbove  = "\x1b[A"
)

// status draws the live status line, or removes it if text is empty. Removing it also removes what
// is typed after it, which appears again at the prompt. The status line takes two thirds of the
// row.
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
	text = printable.Width.FillRight(printable.Width.Truncate(printable.Line(text), room-1, "..."), room)
	if c.shown > 0 {
		_, _ = fmt.Fprintf(c.err, drawAgain, text)
		return
	}
	c.flush()
	_, _ = fmt.Fprintf(c.err, drawFirst, room, text)
	c.shown = room
}

// lineEntered removes the status line after the user has pressed Enter, which moved it up by one
// row.
func (c *console) lineEntered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shown > 0 {
		_, _ = io.WriteString(c.err, rowAbove)
	}
	c.clear()
}

// Escape sequences of the whole screen: the terminal keeps what it shows, and shows it again.
const (
	enterScreen = "\x1b[?1049h\x1b[?25l"
	exitScreen  = "\x1b[?25h\x1b[?1049l"
	screenTop   = "\x1b[H"
	wipeRow     = "\x1b[K"
	wipeBelow   = "\x1b[J"
)

// drawScreen draws rows, cut to a size, on the whole screen. They are drawn over the ones before, so
// that nothing flickers.
func (c *console) drawScreen(rows []string, width, height int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	if !c.full {
		c.clear()
		c.flush()
		c.full = true
		b.WriteString(enterScreen)
	}
	b.WriteString(screenTop)
	for i, row := range rows[:min(len(rows), height)] {
		if i > 0 {
			b.WriteString("\r\n")
		}
		b.WriteString(printable.Width.Truncate(printable.Line(row), width-1, "") + wipeRow)
	}
	b.WriteString(wipeBelow)
	_, _ = io.WriteString(c.canvas, b.String())
}

// leaveScreen shows again what the terminal showed before drawScreen, and says what was held.
func (c *console) leaveScreen() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.full {
		return
	}
	c.full = false
	_, _ = io.WriteString(c.canvas, exitScreen)
	_, _ = io.WriteString(c.err, c.held.String())
	c.held.Reset()
}

func (c *console) clear() {
	if c.shown > 0 {
		_, _ = io.WriteString(c.err, wipe)
		c.shown = 0
	}
}

package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/term"

	"qhsh/engine/printable"
)

// A statusLine is a line at the bottom of a terminal that is redrawn repeatedly, while messages
// scroll above it. It has no colour, and never wraps. It must not be used concurrently.
type statusLine struct {
	command string // the prefix of messages
	w       io.Writer
	on      bool      // w is a terminal
	drawn   time.Time // the last draw
	shown   int       // the current width in columns; 0 if it is not shown
	text    string    // of it
}

const redraw = 100 * time.Millisecond

// due reports whether it is time to redraw the line.
func (l *statusLine) due() bool { return l.on && time.Since(l.drawn) >= redraw }

// draw replaces the text of the line, if there is a terminal. The text may contain output of an
// engine.
func (l *statusLine) draw(text string) {
	if !l.on {
		return
	}
	most := l.most()
	text = printable.Width.Truncate(printable.Line(text), most, "")
	width := printable.Width.StringWidth(text)
	blank := strings.Repeat(" ", max(min(l.shown, most)-width, 0))
	fmt.Fprintf(printable.Raw(l.w), "\r%s%s", text, blank)
	l.shown, l.drawn, l.text = width, time.Now(), text
}

func (l *statusLine) clear() {
	if l.shown > 0 {
		fmt.Fprintf(printable.Raw(l.w), "\r%*s\r", min(l.shown, l.most()), "")
		l.shown = 0
	}
}

// say writes a message in one line, whatever characters an engine has put in it.
func (l *statusLine) say(text string) {
	shown := l.shown > 0
	l.clear()
	fmt.Fprintf(l.w, "qhsh %s: %s\n", l.command, printable.Line(text))
	if shown {
		l.draw(l.text)
	}
}

// most returns the maximum width of the line. A line that fills the terminal would wrap.
func (l *statusLine) most() int {
	const usual = 80
	width, _ := sizeOf(l.w)
	return cmp.Or(width, usual) - 1
}

// sizeOf returns the size of a terminal in columns and rows, or zeros if w is not a terminal or its
// size is not known.
func sizeOf(w io.Writer) (width, height int) {
	if file, ok := terminalOf(w); ok {
		width, height, _ = term.GetSize(int(file.Fd())) // -1 with an error
	}
	return max(width, 0), max(height, 0)
}

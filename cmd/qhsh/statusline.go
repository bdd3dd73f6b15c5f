package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"
	"golang.org/x/term"

	"qhsh/engine/printable"
)

// A statusLine is a line at the bottom of a terminal that is drawn again and again, while
// what is said goes on above it. It uses no colour, and is never so wide that it would go on
// in the next line. One goroutine at a time may use it.
type statusLine struct {
	command string // who speaks
	w       io.Writer
	on      bool      // a terminal is there to draw on
	drawn   time.Time // when it was drawn last
	shown   int       // how many columns it takes now; 0: it is not there
}

// redraw is the least time between two drawings of what changes all the time.
const redraw = 100 * time.Millisecond

// due reports whether it is time to draw the line again.
func (l *statusLine) due() bool { return l.on && time.Since(l.drawn) >= redraw }

// draw puts a text in the place of what the line has shown, if there is a terminal. The text
// may hold what an engine has said.
func (l *statusLine) draw(text string) {
	if !l.on {
		return
	}
	most := l.most()
	text = columns.Truncate(printable.Line(text), most, "")
	width := columns.StringWidth(text)
	blank := strings.Repeat(" ", max(min(l.shown, most)-width, 0))
	fmt.Fprintf(printable.Raw(l.w), "\r%s%s", text, blank)
	l.shown, l.drawn = width, time.Now()
}

// clear takes the line away.
func (l *statusLine) clear() {
	if l.shown > 0 {
		fmt.Fprintf(printable.Raw(l.w), "\r%*s\r", min(l.shown, l.most()), "")
		l.shown = 0
	}
}

// say writes a line that stays a line, whatever an engine has said. The status line is gone then,
// until it is drawn again.
func (l *statusLine) say(text string) {
	l.clear()
	fmt.Fprintf(l.w, "qhsh %s: %s\n", l.command, printable.Line(text))
}

// most is how wide a line may be. One that fills the terminal, or what blanks out a longer
// one, would go on in the next.
func (l *statusLine) most() int {
	const usual = 80
	width, ok := widthOf(l.w)
	if !ok {
		width = usual
	}
	return width - 1
}

// columns counts the columns of a terminal that a text takes: names may be Chinese. The
// language of the environment does not matter.
var columns = &runewidth.Condition{}

// widthOf is how many columns a terminal has; ok is false where w is none, or does not tell.
func widthOf(w io.Writer) (width int, ok bool) {
	file, ok := printable.Raw(w).(interface{ Fd() uintptr })
	if !ok {
		return 0, false
	}
	width, _, err := term.GetSize(int(file.Fd()))
	return width, err == nil && width > 0
}

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// onTerminal returns what a terminal with a number of columns shows of a text that starts at the
// left.
func onTerminal(width int, text string) string {
	s := newScreen(width)
	_, _ = s.Write([]byte(strings.ReplaceAll(text, "\n", "\r\n")))
	return s.String()
}

// TestStatusLine lets the line grow, shrink and disappear, on a terminal of unknown width. A
// Chinese character takes two columns.
func TestStatusLine(t *testing.T) {
	long := strings.Repeat("車", 50)
	for _, c := range []struct {
		name string
		do   func(l *statusLine)
		want string
	}{
		{"nothing", func(l *statusLine) { l.clear() }, "|\n"},
		{"drawn", func(l *statusLine) { l.draw("1/2") }, "1/2|\n"},
		{"grown", func(l *statusLine) { l.draw("9/10"); l.draw("10/10") }, "10/10|\n"},
		{"shrunk", func(l *statusLine) { l.draw("車 A"); l.draw("B") }, "B   |\n"},
		{"gone", func(l *statusLine) { l.draw("車 A"); l.clear() }, "|\n"},
		{"too long", func(l *statusLine) { l.draw(long) }, strings.Repeat("車", 39) + "|\n"},
		{"was too long", func(l *statusLine) { l.draw(long); l.draw("x") }, "x" + strings.Repeat(" ", 77) + "|\n"},
		{"too long and gone", func(l *statusLine) { l.draw(long); l.clear() }, "|\n"},
		{"interrupted", func(l *statusLine) { l.draw("1/2 long"); l.say("odd"); l.draw("2/2") }, "qhsh test: odd\n2/2     |\n"},
		{"unclean", func(l *statusLine) { l.say("a\x1b[1m\nb") }, "qhsh test: a\\x1b[1m\\nb\n|\n"},
	} {
		var out bytes.Buffer
		c.do(&statusLine{command: "test", w: &out, on: true})
		if diff := cmp.Diff(c.want, onTerminal(80, out.String())); diff != "" {
			t.Errorf("%s, %q:\n%s", c.name, out.String(), diff)
		}
	}
}

// TestNoStatusLine: without a terminal only the messages are printed.
func TestNoStatusLine(t *testing.T) {
	var out bytes.Buffer
	l := &statusLine{command: "test", w: &out}
	if l.due() {
		t.Error("a drawing is due")
	}
	l.draw("1/2")
	l.say("odd")
	l.clear()
	if got, want := out.String(), "qhsh test: odd\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

package repl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	chzyer "github.com/chzyer/readline"

	"qhsh/engine/printable"
)

// readline is the lineEditor on a terminal. It is the only user of github.com/chzyer/readline v1.5.1,
// which is no longer maintained. It works around these problems of the library; the tests named are
// those of the command qhsh on a terminal:
//
//   - The cursor drifts with characters that are two cells wide, and a line that wraps over
//     several rows corrupts the screen. Here a line has one row, which shows the part around the
//     cursor: the library is told that the row is endless, Paint draws what fits, and rowWriter
//     moves the cursor instead of the library. (TestTerminalEditing, TestTerminalResize)
//   - It does not know Home, End and Delete as some terminals send them, takes the rest of an
//     unknown sequence for text, hangs at Enter within one, and ends at a NUL byte: it gets only
//     the keys that it knows. (keys.go, TestTerminalStrangeKeys)
//   - It drops input after the end of a line, and has no bracketed paste, so that a tab in pasted
//     text completes: the keyboard keeps input, and knows what is pasted. (keyboard.go,
//     TestTerminalPaste, TestTerminalPastedBlock)
//   - It draws the line again for each character, in a time that grows with the line: a long text
//     is inserted as a whole. (TestTerminalLongLine)
//   - It accesses its line without a lock while another goroutine redraws it: a change of the
//     terminal's size and output above the line are keys like others. (TestTerminalRedraw)
//   - If the terminal is gone, it executes what was half typed: that is dropped.
//     (TestReadlineEnd)
//   - Close hangs while there is input to read: it is given 200 ms. (TestTerminalPaste)
//   - Its history file is readable by everybody, and a search in an empty history panics: see
//     history.go and loadHistory. (TestTerminalHistory)
//   - It draws a search without Paint: control characters are removed from what is typed, and
//     escaped in the history. (TestTerminalHostileSearch)
//   - Its completion menu ends the program if a word is wider than the screen. Shell.complete
//     completes instead, and the choices are listed above the line. (TestTerminalNarrow)
//   - Ctrl-Z would stop the parent process too. (TestTerminalSuspend)
//   - On Windows it reads keys by calls that other programs disturb. There the console edits
//     lines, and the library is not used.
type readline struct {
	shell   *Shell
	rl      *chzyer.Instance
	keys    *keyboard
	history *history
	back    []typedLine
	mode    *chzyer.State // the terminal's mode before it was changed; nil if it is unchanged
	modeMu  sync.Mutex
	done    chan struct{}

	aboveMu sync.Mutex
	editing bool   // a line is being edited
	output  []byte // to be written above it

	prompt atomic.Int64 // its width in cells
	length atomic.Int64 // runes in the line; set by two goroutines of the library

	pending *completion // owned by the library's input goroutine while a line is edited
}

// endless is the terminal width that the library is given.
const endless = 1 << 20

func newReadline(s *Shell) (*readline, error) {
	r := &readline{shell: s, keys: newKeyboard(s.host.Stdin), done: make(chan struct{})}
	var err error
	r.history, err = openHistory(s.host.StateDir, s.host.ConfigDir)
	s.isNew = err == nil && len(r.history.lines) == 0
	if err != nil {
		s.say("history: %s", printable.Error(err))
	}
	r.rl, err = chzyer.NewEx(&chzyer.Config{
		Stdin:                  io.NopCloser(r.keys),
		Stdout:                 rowWriter{s.host.Keys.Screen},
		Stderr:                 s.host.Keys.Screen,
		HistoryLimit:           maxHistory + 2,
		DisableAutoSaveHistory: true,
		HistorySearchFold:      true,
		AutoComplete:           r,
		Painter:                r,
		Listener:               r,
		FuncFilterInputRune:    r.filter,
		FuncGetWidth:           func() int { return endless },
		FuncIsTerminal:         func() bool { return true },
		FuncMakeRaw:            r.makeRaw,
		FuncExitRaw:            r.exitRaw,
		FuncOnWidthChanged:     func(func()) {},
	})
	if err != nil {
		return nil, err
	}
	r.loadHistory()
	go func() { // draws the line again whenever the terminal's width has changed
		for {
			select {
			case <-s.host.Keys.Resized:
				r.keys.redraw()
			case <-r.done:
				return
			}
		}
	}()
	return r, nil
}

// loadHistory passes the history to the library, escaped, since the library itself draws what a
// search finds. The empty first line is needed because the library fails to search an empty
// history.
func (r *readline) loadHistory() {
	r.rl.ResetHistory()
	_ = r.rl.SaveHistory("") // cannot fail without a file
	for _, line := range r.history.lines {
		_ = r.rl.SaveHistory(printable.Line(line))
	}
}

func (r *readline) ReadLine(prompt string) (string, error) {
	r.back = append(r.back, r.keys.stopListening()...)
	if len(r.back) > 0 {
		t := r.back[0]
		r.back = r.back[1:]
		_, _ = io.WriteString(r.shell.host.Keys.Screen, printable.Text(prompt+t.text+"\n"))
		return t.text, t.err
	}
	r.rl.SetPrompt(prompt)
	r.prompt.Store(int64(printable.Width.StringWidth(prompt)))
	r.edit(true)
	line, err := r.rl.Readline()
	r.edit(false)
	switch {
	case errors.Is(err, chzyer.ErrInterrupt):
		if line == "" && len(r.shell.continuing) == 0 && r.shell.script.block == nil {
			r.shell.say("exit with Ctrl-D or .quit")
		}
		return "", ErrInterrupted
	case err != nil:
		return "", err
	}
	return line, nil
}

func (r *readline) Remember(text string) {
	if err := r.history.add(text); err != nil {
		r.shell.say("history: %s", printable.Error(err))
		r.history.path = ""
	}
	r.loadHistory()
}

func (r *readline) Ready() bool { return false }

func (r *readline) Ahead() <-chan typedLine { return r.keys.listen() }

func (r *readline) Keys() (keys <-chan string, end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	_ = r.makeRaw() // otherwise keys come with the next Enter
	keys = r.keys.pressed(ctx)
	return keys, func() {
		cancel()
		for range keys { // until it is closed
		}
		_ = r.exitRaw()
	}
}

func (r *readline) Unread(t typedLine) { r.back = append(r.back, t) }

func (r *readline) edit(on bool) {
	r.keys.edit(on)
	r.aboveMu.Lock()
	defer r.aboveMu.Unlock()
	r.writeAbove()
	r.editing = on
}

// Above returns a writer that writes above the line being edited, or to w if none is.
func (r *readline) Above(w io.Writer) io.Writer { return above{r, w} }

type above struct {
	*readline
	plain io.Writer
}

func (a above) Write(p []byte) (int, error) {
	a.aboveMu.Lock()
	defer a.aboveMu.Unlock()
	if !a.editing {
		return a.plain.Write(p)
	}
	a.output = append(a.output, p...)
	a.keys.redraw()
	return len(p), nil
}

// writeAbove writes what is to be written above the line, in place of the line. aboveMu must be held.
func (r *readline) writeAbove() {
	if len(r.output) > 0 {
		_, _ = r.shell.host.Keys.Screen.Write(append([]byte("\r\x1b[J"), r.output...))
		r.output = nil
	}
}

func (r *readline) Close() {
	const most = 200 * time.Millisecond
	r.keys.end()
	r.edit(false)
	close(r.done)
	closed := make(chan struct{})
	go func() {
		_ = r.rl.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(most):
	}
	_ = r.exitRaw()
}

// The terminal is told to mark what is pasted, or not to.
const (
	beginPasting = "\x1b[?2004h"
	endPasting   = "\x1b[?2004l"
)

func (r *readline) makeRaw() error {
	r.modeMu.Lock()
	defer r.modeMu.Unlock()
	before, err := chzyer.MakeRaw(int(r.shell.host.Keys.FD))
	if err == nil && r.mode == nil {
		r.mode = before
		_, _ = io.WriteString(r.shell.host.Keys.Screen, beginPasting)
	}
	return err
}

func (r *readline) exitRaw() error {
	r.modeMu.Lock()
	defer r.modeMu.Unlock()
	if r.mode == nil {
		return nil
	}
	before := r.mode
	r.mode = nil
	_, _ = io.WriteString(r.shell.host.Keys.Screen, endPasting)
	return chzyer.Restore(int(r.shell.host.Keys.FD), before)
}

// filter is called for every key first. Keys with Alt are negative.
func (r *readline) filter(key rune) (rune, bool) {
	const known = "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x10\x12\x13\x14\x15\x17\x19\x7f"
	r.aboveMu.Lock()
	r.writeAbove()
	r.aboveMu.Unlock()
	switch {
	case key == 0: // the end of the input
		if r.length.Load() > 0 {
			key = chzyer.CharInterrupt
		}
		return key, true
	case key == redrawKey:
		return key, false
	case key == textKey && r.rl.Operation.IsSearchMode():
		_ = r.keys.text() // nobody searches for so much
		return key, false
	case key == textKey:
		return key, true
	case key == deleteKey:
		return chzyer.CharDelete, r.length.Load() > 0
	case key == chzyer.CharCtrlZ:
		if suspend := r.shell.host.Keys.Suspend; suspend != nil {
			_ = r.exitRaw()
			suspend()
			_ = r.makeRaw()
		}
		return key, false
	case key >= 0 && !strings.ContainsRune(known, key) && typeable(key) < 0:
		return key, false
	}
	return key, true
}

// Do completes a line. OnChange then replaces the line; the library's own replacement is not used.
func (r *readline) Do(line []rune, pos int) ([][]rune, int) {
	c := r.shell.complete(string(line), len(string(line[:pos])))
	if len(c.choices) > 0 {
		_, _ = io.WriteString(r.rl.Stderr(), list(c.choices, r.shell.host.width()))
	}
	r.pending = &c
	return nil, 0
}

// OnChange is called with the line after every key, and may replace it.
func (r *readline) OnChange(line []rune, pos int, key rune) (changed []rune, at int, ok bool) {
	switch {
	case key == textKey && pos > 0:
		text := []rune(strings.Map(typeable, r.keys.text()))
		changed, at, ok = slices.Concat(line[:pos-1], text, line[pos:]), pos-1+len(text), true
		line = changed
	case key == chzyer.CharTab && r.pending != nil:
		c := r.pending
		r.pending = nil
		changed, at, ok = []rune(c.line), len([]rune(c.line[:c.cursor])), true
		line = changed
	}
	r.length.Store(int64(len(line)))
	return changed, at, ok
}

// typeable returns a character, or -1 if it must not be part of a line.
func typeable(r rune) rune {
	if r < ' ' || printable.Line(string(r)) != string(r) {
		return -1
	}
	return r
}

// cursorMark encloses the cursor's column in the output of Paint.
const cursorMark = '\x00'

// Paint returns the part of a line around the cursor that fits the row, escaped, since completed
// file names may contain control characters. A finished line is drawn whole.
func (r *readline) Paint(line []rune, pos int) []rune {
	shown := []rune(printable.Text(string(line)))
	if len(line) > 0 && line[len(line)-1] == '\n' {
		return shown
	}
	prompt := int(r.prompt.Load())
	text, column := window(shown, len([]rune(printable.Text(string(line[:pos])))), r.shell.host.width()-prompt-1)
	return append(text, []rune(fmt.Sprintf("%c%d%c", cursorMark, prompt+column, cursorMark))...)
}

// window returns the part of a line around the cursor that is at most most cells wide, with < and
// > where something is cut off, and the cursor's column in it.
func window(line []rune, pos, most int) (text []rune, column int) {
	most = max(most, 8) // narrower rows show what fits
	width := func(runes []rune) int { return printable.Width.StringWidth(string(runes)) }
	if width(line) <= most {
		return append([]rune(nil), line...), width(line[:pos])
	}
	from, before := 0, width(line[:pos])
	for room := most - 3 - min(width(line[pos:]), most/4); before > room; from++ {
		before -= printable.Width.RuneWidth(line[from])
	}
	if from > 0 {
		text = append(text, '<')
	}
	column = len(text) + before
	used := len(text)
	for i := from; i < len(line); i++ {
		w := printable.Width.RuneWidth(line[i])
		if used+w > most-1 {
			return append(text, '>'), column
		}
		used += w
		text = append(text, line[i])
	}
	return text, column
}

// A rowWriter is the terminal as the library writes to it. It drops the library's cursor movements
// after a painted line and places the cursor itself.
type rowWriter struct{ io.Writer }

func (w rowWriter) Write(p []byte) (int, error) {
	painted, rest, ok := bytes.Cut(p, []byte{cursorMark})
	if !ok {
		return w.Writer.Write(p)
	}
	column, _, _ := bytes.Cut(rest, []byte{cursorMark})
	text := string(painted) + "\x1b[K\r"
	if string(column) != "0" {
		text += "\x1b[" + string(column) + "C"
	}
	if _, err := io.WriteString(w.Writer, text); err != nil {
		return 0, err
	}
	return len(p), nil
}

package repl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	chzyer "github.com/chzyer/readline"

	"qhsh/engine/printable"
)

// readline is the Editor on a terminal. It is the only user of github.com/chzyer/readline v1.5.1,
// and works around these problems of the library:
//
//   - The cursor drifts with characters that are two cells wide, and a line that wraps over
//     several rows corrupts the screen. Here a line has one row, which shows the part around the
//     cursor: the library is told that the row is endless, Paint draws what fits, and rowWriter
//     moves the cursor instead of the library.
//   - It does not know Home, End and Delete as some terminals send them: see keyboard.go. It drops
//     input after the end of a line: the keyboard keeps that, too.
//   - Close hangs while there is input to read: it is given 200 ms.
//   - Its history: see history.go.
//   - It draws a search without Paint: control characters are removed from what is typed, and
//     escaped in the history.
//   - Its completion menu ends the program if a word is wider than the screen. Shell.complete
//     completes instead, and the choices are listed above the line.
//   - Ctrl-Z would stop the parent process too.
type readline struct {
	shell   *Shell
	rl      *chzyer.Instance
	keys    *keyboard
	history *history
	back    []Typed
	mode    *chzyer.State // the terminal's mode before it was changed; nil if it is unchanged
	modeMu  sync.Mutex
	editing atomic.Bool
	done    chan struct{}

	prompt atomic.Int64 // its width in cells
	length atomic.Int64 // runes in the line; set by two goroutines of the library

	pending *completion // owned by the library's input goroutine while a line is edited
}

// endless is the terminal width that the library is given.
const endless = 1 << 20

func newReadline(s *Shell) (Editor, error) {
	r := &readline{shell: s, keys: newKeyboard(s.host.Stdin), done: make(chan struct{})}
	var err error
	if r.history, err = openHistory(s.host.StateDir, s.host.ConfigDir); err != nil {
		s.say("%s", printable.Error(err))
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
	go r.resize()
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
		_, _ = io.WriteString(r.shell.host.Keys.Screen, printable.Text(prompt+t.Line+"\n"))
		return t.Line, t.Err
	}
	r.rl.SetPrompt(prompt)
	r.prompt.Store(int64(wide.StringWidth(prompt)))
	r.editing.Store(true)
	r.keys.edit(true)
	line, err := r.rl.Readline()
	r.keys.edit(false)
	r.editing.Store(false)
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
		r.shell.say("%s", printable.Error(err))
		r.history.path = ""
	}
	r.loadHistory()
}

func (r *readline) Ready() bool { return false }

func (r *readline) Ahead() <-chan Typed { return r.keys.listen() }

func (r *readline) Unread(t Typed) { r.back = append(r.back, t) }

// Above returns a writer that redraws the line being edited after each write, or writes to w if
// none is.
func (r *readline) Above(w io.Writer) io.Writer { return above{r, w} }

type above struct {
	*readline
	plain io.Writer
}

func (a above) Write(p []byte) (int, error) {
	if a.editing.Load() {
		return a.rl.Stderr().Write(p)
	}
	return a.plain.Write(p)
}

func (r *readline) Close() {
	const most = 200 * time.Millisecond
	r.keys.end()
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

func (r *readline) makeRaw() error {
	r.modeMu.Lock()
	defer r.modeMu.Unlock()
	before, err := chzyer.MakeRaw(int(r.shell.host.Keys.FD))
	if err == nil && r.mode == nil {
		r.mode = before
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
	return chzyer.Restore(int(r.shell.host.Keys.FD), before)
}

// resize redraws the line whenever the terminal's width has changed.
func (r *readline) resize() {
	for {
		select {
		case <-r.shell.host.Keys.Resized:
			if r.editing.Load() {
				r.rl.Refresh()
			}
		case <-r.done:
			return
		}
	}
}

// filter is called for every key first. Keys with Alt are negative.
func (r *readline) filter(key rune) (rune, bool) {
	const known = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x10\x12\x13\x14\x15\x17\x19\x7f"
	switch {
	case key == deleteKey:
		return chzyer.CharDelete, r.length.Load() > 0
	case key == chzyer.CharCtrlZ:
		r.suspend()
		return key, false
	case key >= 0 && !strings.ContainsRune(known, key) && printable.Line(string(key)) != string(key):
		return key, false
	}
	return key, true
}

func (r *readline) suspend() {
	if r.shell.host.Keys.Suspend == nil {
		return
	}
	_ = r.exitRaw()
	r.shell.host.Keys.Suspend()
	_ = r.makeRaw()
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

// OnChange is called with the line after every key.
func (r *readline) OnChange(line []rune, _ int, key rune) ([]rune, int, bool) {
	r.length.Store(int64(len(line)))
	if key != chzyer.CharTab || r.pending == nil {
		return nil, 0, false
	}
	c := r.pending
	r.pending = nil
	r.length.Store(int64(len([]rune(c.line))))
	return []rune(c.line), len([]rune(c.line[:c.cursor])), true
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
	width := func(runes []rune) int { return wide.StringWidth(string(runes)) }
	if width(line) <= most {
		return append([]rune(nil), line...), width(line[:pos])
	}
	from, before := 0, width(line[:pos])
	for room := most - 3 - min(width(line[pos:]), most/4); before > room; from++ {
		before -= wide.RuneWidth(line[from])
	}
	if from > 0 {
		text = append(text, '<')
	}
	column = len(text) + before
	used := len(text)
	for i := from; i < len(line); i++ {
		w := wide.RuneWidth(line[i])
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

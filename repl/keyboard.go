package repl

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"time"
)

// A keyboard is a terminal's input, read by one goroutine all the time. While a line is being
// edited, the bytes go to the editor, up to the end of the line; at other times they are buffered,
// and whole lines can be received from a channel.
type keyboard struct {
	mu        sync.Mutex
	changed   *sync.Cond
	typed     []byte   // and not delivered yet
	editing   bool     // the editor may have it
	listening bool     // whole lines go to ahead
	closed    bool     // the input has ended
	pasting   bool     // within bracketed paste
	redrawing bool     // the editor is to draw its line again
	texts     []string // what textKeys that have been delivered stand for
	ahead     chan typedLine
}

func newKeyboard(in io.Reader) *keyboard {
	k := &keyboard{ahead: make(chan typedLine, readAhead)}
	k.changed = sync.NewCond(&k.mu)
	go k.pump(in)
	return k
}

// pump reads until the terminal is gone. In cooked mode Ctrl-D reads as an end of file with more
// input to follow: only several ends in quick succession are the real one.
func (k *keyboard) pump(in io.Reader) {
	const (
		most  = 3
		quick = 20 * time.Millisecond
	)
	buf := make([]byte, 4096)
	for ends, last := 0, time.Now(); ends < most; {
		n, err := in.Read(buf)
		switch {
		case n > 0:
			ends = 0
			k.add(buf[:n])
		case err == io.EOF:
			if time.Since(last) > quick {
				ends = 0
			}
			ends++
			k.add([]byte{4}) // Ctrl-D
		case err != nil:
			ends = most
		}
		last = time.Now()
	}
	k.end()
}

// change changes the state, and wakes those that wait for it.
func (k *keyboard) change(do func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	do()
	k.changed.Broadcast()
}

func (k *keyboard) add(p []byte) {
	k.change(func() {
		k.typed = append(k.typed, p...)
		k.deliver()
	})
}

func (k *keyboard) end() { k.change(func() { k.closed = true }) }

// edit lets the editor read what is typed, up to the end of the line.
func (k *keyboard) edit(on bool) { k.change(func() { k.editing = on }) }

// listen returns a channel that receives whole lines until stopListening.
func (k *keyboard) listen() <-chan typedLine {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listening = true
	k.deliver()
	return k.ahead
}

// stopListening ends listening and returns the lines that were not received.
func (k *keyboard) stopListening() []typedLine {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listening = false
	var left []typedLine
	for len(k.ahead) > 0 {
		left = append(left, <-k.ahead)
	}
	return left
}

func (k *keyboard) deliver() {
	for k.listening && !k.editing && len(k.ahead) < cap(k.ahead) {
		end := bytes.IndexAny(k.typed, "\r\n")
		if end < 0 {
			return
		}
		line := strings.NewReplacer(pasteBegin, "", pasteEnd, "").Replace(string(k.typed[:end]))
		k.ahead <- typedLine{text: strings.Map(typeable, line)}
		k.typed = k.typed[end+1:]
	}
}

// Read implements io.Reader for the line editor.
func (k *keyboard) Read(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for {
		if k.editing {
			if n := k.take(p); n > 0 {
				return n, nil
			}
		}
		if k.closed {
			return 0, io.EOF
		}
		k.changed.Wait()
	}
}

// take copies deliverable bytes to p, as the editor knows them: see keys.go.
func (k *keyboard) take(p []byte) int {
	n := 0
	for k.editing && n < len(p)-longestKey {
		if k.redrawing {
			k.redrawing = false
			n += copy(p[n:], string(redrawKey))
			continue
		}
		length, to := k.next()
		if length == 0 {
			return n
		}
		n += copy(p[n:], to)
		k.typed = k.typed[length:]
		k.editing = to != "\r" && to != "\n"
	}
	return n
}

// next returns the length of the first key in typed, or of several that are inserted together, and
// what the editor gets for it. The length is 0 if more must be typed first.
func (k *keyboard) next() (length int, to string) {
	if run := textLength(k.typed); run >= longText {
		k.texts = append(k.texts, string(k.typed[:run]))
		return run, string(textKey)
	}
	length, to = nextKey(k.typed)
	switch {
	case length == 0 && k.closed:
		return len(k.typed), ""
	case length == 0:
		return 0, ""
	case to == pasteBegin || to == pasteEnd:
		k.pasting = to == pasteBegin
		return length, ""
	case k.pasting:
		return pastedKey(k.typed)
	}
	return length, to
}

// text returns the text that the next textKey stands for.
func (k *keyboard) text() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.texts) == 0 {
		return "" // the user has typed that character
	}
	text := k.texts[0]
	k.texts = k.texts[1:]
	return text
}

// pressed returns a channel that receives the keys that are pressed, until ctx ends or the input
// does; then it is closed. Unknown keys are "".
func (k *keyboard) pressed(ctx context.Context) <-chan string {
	keys := make(chan string)
	go func() {
		defer close(keys)
		defer context.AfterFunc(ctx, func() { k.change(func() {}) })() // wakes press
		for key, ok := k.press(ctx); ok; key, ok = k.press(ctx) {
			select {
			case keys <- key:
			case <-ctx.Done():
				return
			}
		}
	}()
	return keys
}

func (k *keyboard) press(ctx context.Context) (key string, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for ctx.Err() == nil && !k.closed {
		length, key := nextKey(k.typed)
		if string(k.typed) == string(rune(escape)) { // terminals send the sequence of a key at once
			length, key = 1, string(rune(escape))
		}
		if length > 0 {
			k.typed = k.typed[length:]
			return key, true
		}
		k.changed.Wait()
	}
	return "", false
}

// redraw makes the editor draw its line again. It is done by a key, since only the editor's own
// goroutine may safely do it.
func (k *keyboard) redraw() { k.change(func() { k.redrawing = true }) }

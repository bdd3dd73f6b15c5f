package repl

import (
	"bytes"
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
	typed     []byte // and not delivered yet
	editing   bool   // the editor may have it
	listening bool   // whole lines go to ahead
	closed    bool   // the input has ended
	ahead     chan Typed
}

// Bytes of special keys.
const (
	ctrlD  = 4
	escape = 27
)

func newKeyboard(in io.Reader) *keyboard {
	k := &keyboard{ahead: make(chan Typed, readAhead)}
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
			k.add([]byte{ctrlD})
		case err != nil:
			ends = most
		}
		last = time.Now()
	}
	k.end()
}

func (k *keyboard) add(p []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.typed = append(k.typed, p...)
	k.deliver()
	k.changed.Broadcast()
}

func (k *keyboard) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	k.changed.Broadcast()
}

// edit lets the editor read what is typed, up to the end of the line.
func (k *keyboard) edit(on bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.editing = on
	k.changed.Broadcast()
}

// listen returns a channel that receives whole lines until stopListening.
func (k *keyboard) listen() <-chan Typed {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listening = true
	k.deliver()
	return k.ahead
}

// stopListening ends listening and returns the lines that nobody has received.
func (k *keyboard) stopListening() []Typed {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listening = false
	var left []Typed
	for len(k.ahead) > 0 {
		left = append(left, <-k.ahead)
	}
	return left
}

// deliver sends whole lines to the channel.
func (k *keyboard) deliver() {
	for k.listening && !k.editing && len(k.ahead) < cap(k.ahead) {
		end := bytes.IndexAny(k.typed, "\r\n")
		if end < 0 {
			return
		}
		k.ahead <- Typed{Line: string(k.typed[:end])}
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

// take copies deliverable bytes to p, translating keys that the editor does not know.
func (k *keyboard) take(p []byte) int {
	n := 0
	for len(k.typed) > 0 && n < len(p)-longestKey {
		key, to, ok := knownKey(k.typed)
		switch {
		case !ok && !k.closed: // an incomplete sequence
			return n
		case key > 0:
			n += copy(p[n:], to)
			k.typed = k.typed[key:]
			continue
		}
		b := k.typed[0]
		p[n] = b
		n, k.typed = n+1, k.typed[1:]
		if b == '\r' || b == '\n' {
			k.editing = false
			return n
		}
	}
	return n
}

// deleteKey represents the Delete key. The editor would take the key's own sequence for Ctrl-D,
// which ends the shell on an empty line.
const deleteKey = '\uf8ff'

// keys maps sequences of terminals that the editor does not know to ones that it knows: Home and
// End as sent by tmux, screen and rxvt, Ctrl-Left and Ctrl-Right, and bracketed paste, which is
// dropped.
var keys = []struct{ from, to string }{
	{"\x1b[1~", "\x01"},
	{"\x1b[7~", "\x01"},
	{"\x1b[4~", "\x05"},
	{"\x1b[8~", "\x05"},
	{"\x1b[3~", string(deleteKey)},
	{"\x1b[1;5D", "\x1bb"},
	{"\x1b[1;5C", "\x1bf"},
	{"\x1b[200~", ""},
	{"\x1b[201~", ""},
	{"\x1b[2~", ""},
	{"\x1b[5~", ""},
	{"\x1b[6~", ""}, // Insert, Page Up, Page Down
}

// longestKey is the length in bytes of the longest sequence in keys.
const longestKey = 6

// knownKey looks for one of keys at the start of typed. It returns the length of its sequence, or
// 0. ok is false if typed is an incomplete sequence.
func knownKey(typed []byte) (key int, to string, ok bool) {
	if typed[0] != escape {
		return 0, "", true
	}
	text := string(typed[:min(len(typed), longestKey)])
	for _, k := range keys {
		switch {
		case strings.HasPrefix(text, k.from):
			return len(k.from), k.to, true
		case strings.HasPrefix(k.from, text):
			return 0, "", false
		}
	}
	return 0, "", true
}

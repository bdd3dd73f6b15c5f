package repl

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// The line editor does not know all keys of all terminals, and fails at some input: a NUL byte ends
// it, Enter within an unfinished escape sequence is lost, and the end of an unknown sequence is taken
// for text. It draws the line again for each character, so that a long text takes minutes. So it gets
// only what it knows, and a long text as one key.

// Characters for private use stand for keys that are not characters.
const (
	// deleteKey is the Delete key. The editor would take the key's own sequence for Ctrl-D, which
	// ends the shell on an empty line.
	deleteKey = '\uf8ff'
	// textKey is a long text; see keyboard.text.
	textKey = '\uf8fe'
	// redrawKey draws the line again.
	redrawKey = '\uf8fd'
)

// longText is the number of bytes from which text is inserted as a whole.
const longText = 256

// longestKey is more than the longest text in bytes that a key is translated to.
const longestKey = 8

const escape = 27

// The marks before and after what is pasted.
const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// Keys as nextKey returns them.
const (
	keyLeft, keyRight = "\x1b[D", "\x1b[C"
	keyUp, keyDown    = "\x1b[A", "\x1b[B"
	keyHome, keyEnd   = "\x1b[H", "\x1b[F"
	ctrlA, ctrlC      = "\x01", "\x03"
	ctrlE             = "\x05"
)

// sequences maps the sequences of keys, without ESC [ or ESC O, to what the editor knows: Home and
// End as sent by tmux, screen and rxvt, Delete, Ctrl-Left and Ctrl-Right.
var sequences = map[string]string{
	"1~": "\x01", "7~": "\x01", "4~": "\x05", "8~": "\x05", "3~": string(deleteKey),
	"1;5D": "\x1bb", "1;5C": "\x1bf", "200~": pasteBegin, "201~": pasteEnd,
}

// nextKey returns the length of the first key of typed and what the editor gets for it, which is
// empty for a key that it does not know. The length is 0 if the key is incomplete.
func nextKey(typed []byte) (length int, to string) {
	switch {
	case len(typed) == 0:
		return 0, ""
	case typed[0] == 0:
		return 1, ""
	case typed[0] != escape:
		return 1, string(typed[:1])
	case len(typed) == 1:
		return 0, ""
	}
	switch second := typed[1]; {
	case second == '[' || second == 'O':
		return sequenceKey(typed)
	case second < ' ': // ESC was pressed, and then that key
		return 1, ""
	case strings.IndexByte("]P^_X", second) >= 0:
		if length := replyLength(typed); length > 0 {
			return length, ""
		}
	}
	return 2, string(typed[:2])
}

// sequenceKey is nextKey for a key that begins with ESC [ or ESC O.
func sequenceKey(typed []byte) (length int, to string) {
	const longest = 64
	end := 2
	for end < min(len(typed), longest) && ' ' <= typed[end] && typed[end] < '@' {
		end++
	}
	switch {
	case end == len(typed):
		return 0, ""
	case !isFinal(typed[end]):
		return end, "" // not a sequence
	case typed[end] == '[' && end+1 == len(typed):
		return 0, ""
	case typed[end] == '[' && isFinal(typed[end+1]): // function keys of Linux's console have another byte
		return end + 2, ""
	}
	if to, ok := sequences[string(typed[2:end+1])]; ok {
		return end + 1, to
	}
	if strings.IndexByte("ABCDHF", typed[end]) >= 0 { // arrows, Home and End, with Shift and the like
		return end + 1, "\x1b[" + string(typed[end])
	}
	return end + 1, ""
}

// isFinal reports whether a byte ends a sequence.
func isFinal(b byte) bool { return '@' <= b && b <= '~' }

// replyLength returns the length of a terminal's reply, such as its colours, at the start of typed.
// A text editor may have asked for it. It is 0 if the reply is not there as a whole: then Alt was
// pressed.
func replyLength(typed []byte) int {
	for _, end := range []string{"\a", "\x1b\\"} {
		if at := bytes.Index(typed, []byte(end)); at > 0 && !bytes.ContainsAny(typed[:at], "\r\n") {
			return at + len(end)
		}
	}
	return 0
}

// pastedKey is nextKey for a byte that was pasted: a tab is space, and no byte is a command except
// the end of a line.
func pastedKey(typed []byte) (length int, to string) {
	switch b := typed[0]; {
	case b == '\t':
		return 1, "    "
	case b < ' ' && b != '\r' && b != '\n', b == 0x7f:
		return 1, ""
	}
	return 1, string(typed[:1])
}

// textLength returns the length of the text at the start of typed, up to a control character or an
// incomplete character.
func textLength(typed []byte) int {
	if end := bytes.IndexFunc(typed, func(r rune) bool { return r < ' ' || r == 0x7f }); end >= 0 {
		return end
	}
	last := max(0, len(typed)-1)
	for last > 0 && !utf8.RuneStart(typed[last]) {
		last--
	}
	if !utf8.FullRune(typed[last:]) {
		return last
	}
	return len(typed)
}

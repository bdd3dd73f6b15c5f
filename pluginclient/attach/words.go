package attach

import (
	"errors"
	"runtime"
	"strings"
)

// Quoting is that of a POSIX shell (Shell Command Language, 2.2): within '...' everything is
// literal; within "..." a backslash quotes $ ` " \ and a line feed; elsewhere it quotes any
// character, but for Windows, whose paths have backslashes. Nothing is expanded.

// onWindows reports whether a backslash outside quotes is literal.
const onWindows = runtime.GOOS == "windows"

// splitWords splits a command line into words, which are separated by white space.
func splitWords(text string, windows bool) ([]string, error) {
	r := &reader{rest: text, windows: windows}
	for !r.done() {
		switch piece, quoted := r.piece(); {
		case !quoted && strings.Contains(" \t\n", piece):
			if r.inWord {
				r.end()
			}
		default:
			r.add(piece)
		}
	}
	if r.inWord {
		r.end()
	}
	return r.words, r.err
}

// splitHead splits a SPEC into NAME and its options, which are separated by commas, and the command
// line after a colon.
func splitHead(text string, windows bool) (fields []string, command string, hasCommand bool, err error) {
	r := &reader{rest: text, windows: windows}
	for !r.done() {
		switch piece, quoted := r.piece(); {
		case !quoted && piece == ",":
			r.end()
		case !quoted && piece == ":":
			r.end()
			return r.words, r.rest, true, r.err
		default:
			r.add(piece)
		}
	}
	r.end()
	return r.words, "", false, r.err
}

// A reader reads text with quotes.
type reader struct {
	rest    string
	windows bool
	words   []string
	word    strings.Builder
	inWord  bool
	err     error
}

func (r *reader) done() bool { return r.rest == "" || r.err != nil }

// piece returns the next byte, or the next quoted text.
func (r *reader) piece() (text string, quoted bool) {
	switch c := r.take(); {
	case c == "'":
		return r.single(), true
	case c == `"`:
		return r.double(), true
	case c == `\` && !r.windows:
		if r.rest == "" {
			r.err = errors.New("it ends with a backslash")
			return "", true
		}
		return r.take(), true
	default:
		return c, false
	}
}

func (r *reader) take() string {
	c := r.rest[:1]
	r.rest = r.rest[1:]
	return c
}

func (r *reader) add(text string) {
	r.inWord = true
	r.word.WriteString(text)
}

func (r *reader) end() {
	r.words = append(r.words, r.word.String())
	r.word.Reset()
	r.inWord = false
}

func (r *reader) single() string {
	text, rest, ok := strings.Cut(r.rest, "'")
	if !ok {
		r.err = errNotClosed
	}
	r.rest = rest
	return text
}

func (r *reader) double() string {
	var b strings.Builder
	for r.rest != "" {
		switch c := r.take(); {
		case c == `"`:
			return b.String()
		case c == `\` && r.rest != "" && strings.Contains("$`\"\\\n", r.rest[:1]):
			b.WriteString(r.take())
		default:
			b.WriteString(c)
		}
	}
	r.err = errNotClosed
	return b.String()
}

var errNotClosed = errors.New("a quote is not closed")

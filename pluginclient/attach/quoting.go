package attach

import (
	"errors"
	"runtime"
	"strings"
)

// Quoting is that of a POSIX shell (Shell Command Language, 2.2): within '...' everything is
// literal; within "..." a backslash quotes $ ` " \ and a line feed; elsewhere it quotes any
// character, except on Windows, whose paths have backslashes. There is no expansion.

// onWindows reports whether a backslash outside quotes is literal.
const onWindows = runtime.GOOS == "windows"

// splitWords splits a command line into words, which are separated by white space.
func splitWords(text string, windows bool) ([]string, error) {
	r := &wordReader{rest: text, windows: windows}
	for !r.done() {
		switch piece, quoted := r.next(); {
		case !quoted && strings.Contains(" \t\n", piece):
			if r.inWord {
				r.endWord()
			}
		default:
			r.write(piece)
		}
	}
	if r.inWord {
		r.endWord()
	}
	return r.words, r.err
}

// splitHead splits a SPEC into NAME and its options, which are separated by commas, and the command
// line after a colon.
func splitHead(text string, windows bool) (fields []string, command string, hasCommand bool, err error) {
	r := &wordReader{rest: text, windows: windows}
	for !r.done() {
		switch piece, quoted := r.next(); {
		case !quoted && piece == ",":
			r.endWord()
		case !quoted && piece == ":":
			r.endWord()
			return r.words, r.rest, true, r.err
		default:
			r.write(piece)
		}
	}
	r.endWord()
	return r.words, "", false, r.err
}

// A wordReader reads text with quotes.
type wordReader struct {
	rest    string
	windows bool
	words   []string
	word    strings.Builder
	inWord  bool
	err     error
}

func (r *wordReader) done() bool { return r.rest == "" || r.err != nil }

// next returns the next byte, or the next quoted text.
func (r *wordReader) next() (text string, quoted bool) {
	switch c := r.nextByte(); {
	case c == "'":
		return r.singleQuoted(), true
	case c == `"`:
		return r.doubleQuoted(), true
	case c == `\` && !r.windows:
		if r.rest == "" {
			r.err = errors.New("trailing backslash")
			return "", true
		}
		return r.nextByte(), true
	default:
		return c, false
	}
}

func (r *wordReader) nextByte() string {
	c := r.rest[:1]
	r.rest = r.rest[1:]
	return c
}

func (r *wordReader) write(text string) {
	r.inWord = true
	r.word.WriteString(text)
}

func (r *wordReader) endWord() {
	r.words = append(r.words, r.word.String())
	r.word.Reset()
	r.inWord = false
}

func (r *wordReader) singleQuoted() string {
	text, rest, ok := strings.Cut(r.rest, "'")
	if !ok {
		r.err = errUnclosedQuote
	}
	r.rest = rest
	return text
}

func (r *wordReader) doubleQuoted() string {
	var b strings.Builder
	for r.rest != "" {
		switch c := r.nextByte(); {
		case c == `"`:
			return b.String()
		case c == `\` && r.rest != "" && strings.Contains("$`\"\\\n", r.rest[:1]):
			b.WriteString(r.nextByte())
		default:
			b.WriteString(c)
		}
	}
	r.err = errUnclosedQuote
	return b.String()
}

var errUnclosedQuote = errors.New("unclosed quote")

// quoteValue returns a value, quoted for a SPEC, if necessary.
func quoteValue(value string) string {
	if !strings.ContainsAny(value, `,:'"\`) {
		return value
	}
	var b strings.Builder
	for _, r := range value {
		if strings.ContainsRune("$`\"\\", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return `"` + b.String() + `"`
}

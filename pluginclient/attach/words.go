package attach

import (
	"errors"
	"strings"
)

// splitWords splits a command line into words by the rules of a POSIX shell for
// blanks and quoting (Shell Command Language, 2.2): within '...' everything is literal;
// within "..." a backslash quotes $ ` " \ and a line feed; elsewhere it quotes any
// character. Nothing is expanded.
func splitWords(text string) ([]string, error) {
	w := splitter{rest: text}
	for w.rest != "" && w.err == nil {
		w.step()
	}
	w.finish()
	return w.words, w.err
}

type splitter struct {
	rest   string
	words  []string
	word   strings.Builder
	inWord bool
	err    error
}

func (w *splitter) step() {
	c := w.rest[0]
	w.rest = w.rest[1:]
	switch c {
	case ' ', '\t', '\n':
		w.finish()
	case '\'':
		w.add(w.upTo("'"))
	case '"':
		w.double()
	case '\\':
		if w.rest == "" {
			w.err = errors.New("it ends with a backslash")
			return
		}
		w.add(w.rest[:1])
		w.rest = w.rest[1:]
	default:
		w.add(string([]byte{c}))
	}
}

func (w *splitter) add(text string) {
	w.inWord = true
	w.word.WriteString(text)
}

func (w *splitter) finish() {
	if w.inWord {
		w.words = append(w.words, w.word.String())
	}
	w.word.Reset()
	w.inWord = false
}

// upTo takes the text up to a closing quote, and the quote.
func (w *splitter) upTo(quote string) string {
	text, rest, ok := strings.Cut(w.rest, quote)
	if !ok {
		w.err = errors.New("a quote is not closed")
	}
	w.rest = rest
	return text
}

func (w *splitter) double() {
	w.inWord = true
	for w.rest != "" {
		c := w.rest[0]
		w.rest = w.rest[1:]
		switch {
		case c == '"':
			return
		case c == '\\' && w.rest != "" && strings.Contains("$`\"\\\n", w.rest[:1]):
			w.add(w.rest[:1])
			w.rest = w.rest[1:]
		default:
			w.add(string([]byte{c}))
		}
	}
	w.err = errors.New("a quote is not closed")
}

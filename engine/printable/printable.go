// Package printable shows text that others have written: what an engine answers, names, tags
// and comments of a game, names of files. A terminal obeys control characters, and bidi
// controls reorder what stands around them, so they are shown escaped, as a Go string literal
// has them: \x1b, \a, \u009b, \u202e, and \xff for a byte that is not UTF-8. Everything else stays
// as it is, a backslash too, so that text which is escaped twice does not change.
//
// [Text] and [Line] are for reports, and [Writer] is the door to a terminal: whatever reaches
// it is escaped, and what qhsh itself draws goes around it, by [Raw]. Formats for programs do
// not need it: their bytes stay as they are.
package printable

import (
	"encoding/xml"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns text with what a terminal would obey escaped. Tabs and line ends, LF or CR LF,
// stay.
func Text(text string) string { return escape(text, true) }

// Line returns text escaped to stay on one line: tabs and line ends are \t, \r and \n.
func Line(text string) string { return escape(text, false) }

// Plural returns a number with a noun, such as "1 game" or "2 games".
func Plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

// Capital returns a text whose first letter, which is ASCII, is upper case.
func Capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// OneOf joins words for a message: "a, b or c".
func OneOf(words []string) string { return list(words, " or ") }

// AllOf joins words for a message: "a, b and c".
func AllOf(words []string) string { return list(words, " and ") }

func list(words []string, and string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + and + words[last]
}

// Markup returns text escaped as by Line, for HTML, SVG and XML.
func Markup(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(Line(text))) // writing to a Builder does not fail
	return b.String()
}

func escape(text string, multiline bool) string {
	var b strings.Builder
	done := 0 // bytes of text that are in b
	for i := 0; i < len(text); {
		if ' ' <= text[i] && text[i] < 0x7f {
			i++
			continue
		}
		size, shown := first(text[i:], multiline)
		if shown != "" {
			b.WriteString(text[done:i] + shown)
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

// first returns the size of the first character of a text, and how it is shown; empty: as it
// is.
func first(text string, multiline bool) (size int, shown string) {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case multiline && strings.HasPrefix(text, "\r\n"):
		return 2, ""
	case multiline && (r == '\n' || r == '\t'):
		return size, ""
	case r == utf8.RuneError && size == 1,
		unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control):
		quoted := strconv.Quote(text[:size])
		return size, quoted[1 : len(quoted)-1]
	}
	return size, ""
}

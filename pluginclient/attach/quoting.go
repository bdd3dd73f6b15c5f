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
	words, _, _, err := splitQuoted(text, " \t\n", "", windows)
	return words, err
}

// splitHead splits a SPEC into NAME and its options, which are separated by commas, and the command
// line after a colon.
func splitHead(text string, windows bool) (fields []string, command string, hasCommand bool, err error) {
	return splitQuoted(text, ",", ":", windows)
}

// splitQuoted splits text at separators, up to a character of end if that is not empty: then words may be
// empty without quotes, too.
func splitQuoted(text, separators, end string, windows bool) (words []string, rest string, ended bool, err error) {
	var word strings.Builder
	var quote byte // 0: none is open
	begun := end != ""
	endWord := func() {
		if begun {
			words = append(words, word.String())
		}
		word.Reset()
		begun = end != ""
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '"' && c == '\\':
			if i+1 < len(text) && strings.IndexByte("$`\"\\\n", text[i+1]) >= 0 {
				i++
			}
			word.WriteByte(text[i])
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, begun = c, true
		case strings.IndexByte(separators, c) >= 0:
			endWord()
		case strings.IndexByte(end, c) >= 0:
			endWord()
			return words, text[i+1:], true, nil
		case c == '\\' && !windows && i+1 == len(text):
			return words, "", false, errors.New("trailing backslash")
		case c == '\\' && !windows:
			i++
			fallthrough
		default:
			begun = true
			word.WriteByte(text[i])
		}
	}
	if quote != 0 {
		return words, "", false, errors.New("unclosed quote")
	}
	endWord()
	return words, "", false, nil
}

// quoteValue returns a value, quoted for a SPEC, if necessary.
func quoteValue(value string) string {
	if !strings.ContainsAny(value, `,:'"\`) {
		return value
	}
	return `"` + strings.NewReplacer("$", `\$`, "`", "\\`", `"`, `\"`, `\`, `\\`).Replace(value) + `"`
}

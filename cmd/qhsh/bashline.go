package main

import (
	"strings"

	"qhsh/pluginclient"
)

// A bashLine is a command line for bash up to the cursor, split into words. Bash replaces only a
// part of the last word by a completion: the text behind the last word break.
type bashLine struct {
	words []string // without their quotes; the last one, which may be empty, is being typed
	tail  string   // the part of the last word that is replaced, with its quotes
	quote byte     // the quote that is open at the end; 0 if there is none
}

// parseBashLine splits a line. breaks are the characters of COMP_WORDBREAKS.
func parseBashLine(line, breaks string) bashLine {
	var l bashLine
	var word strings.Builder
	inWord, tail := false, 0
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case l.quote == 0 && strings.IndexByte(" \t\n", c) >= 0:
			if inWord {
				l.words = append(l.words, word.String())
				word.Reset()
			}
			inWord, tail = false, i+1
			continue
		case c == '\\' && l.quote != '\'' && i+1 < len(line):
			i++
			if l.quote == '"' && strings.IndexByte("$`\"\\", line[i]) < 0 {
				word.WriteByte('\\')
			}
			word.WriteByte(line[i])
		case c == l.quote:
			l.quote, tail = 0, breakAt(breaks, c, i, tail)
		case l.quote == 0 && (c == '\'' || c == '"'):
			l.quote, tail = c, i+1
		default:
			word.WriteByte(c)
			if l.quote == 0 {
				tail = breakAt(breaks, c, i, tail)
			}
		}
		inWord = true
	}
	l.words, l.tail = append(l.words, word.String()), line[tail:]
	return l
}

// breakAt returns where the replaced part of a word begins after the character c at offset i.
func breakAt(breaks string, c byte, i, tail int) int {
	if strings.IndexByte(breaks, c) >= 0 {
		return i + 1
	}
	return tail
}

// reply returns what bash inserts for a candidate. Bash itself closes an open quote.
func (l bashLine) reply(c pluginclient.Completion) string {
	rest := c.Text[len(l.words[len(l.words)-1]):]
	switch {
	case l.quote == '"':
		return l.tail + escape(rest, "$`\"\\")
	case l.quote == '\'':
		return l.tail + strings.ReplaceAll(rest, "'", `'\''`)
	case strings.ContainsAny(c.Text[max(len(c.Text)-1, 0):], "=,:./"):
		return l.tail + escape(rest, bashSpecial)
	}
	return l.tail + escape(rest, bashSpecial) + " "
}

// bashSpecial are the characters that are not literal outside quotes.
const bashSpecial = " \"'\\$`&|;<>()*?[]{}~#!"

// escape puts a backslash before each of the special characters.
func escape(text, special string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(special, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

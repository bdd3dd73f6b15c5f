package record

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"qhsh/engine"
)

// skipBlanks skips white space, commas and lines that begin with %, and counts lines.
func (t *moveText) skipBlanks() {
	for t.pos < len(t.text) {
		if c := t.text[t.pos]; c == ' ' {
			t.pos++
			continue
		} else if c > ' ' && c < 0x80 && c != ',' {
			return
		}
		r, n := utf8.DecodeRuneInString(t.text[t.pos:])
		if !unicode.IsSpace(r) && r != '\ufeff' && r != ',' {
			return
		}
		t.pos += n
		if r == '\n' {
			t.line++
			if strings.HasPrefix(t.text[t.pos:], "%") {
				t.until("\n", false)
			}
		}
	}
}

// until returns the text up to a delimiter, which is consumed unless it is the end of the line.
func (t *moveText) until(sign string, must bool) string {
	line := t.line
	text := t.text[t.pos+1:]
	end := strings.Index(text, sign)
	switch {
	case end >= 0:
		text = text[:end]
		t.pos += 1 + end
		if sign != "\n" {
			t.pos++
		}
	default:
		t.pos = len(t.text)
		if must && t.skipped == 0 {
			t.fail(errors.New("unclosed comment: missing }"))
		}
	}
	t.line = line + strings.Count(text, "\n")
	return text
}

// word returns the text up to white space or a delimiter.
func (t *moveText) word() string {
	from := t.pos
	for t.pos < len(t.text) && !wordEnds[t.text[t.pos]] {
		if t.text[t.pos] < utf8.RuneSelf {
			t.pos++
			continue
		}
		r, n := utf8.DecodeRuneInString(t.text[t.pos:])
		if unicode.IsSpace(r) {
			break
		}
		t.pos += n
	}
	return t.text[from:t.pos]
}

var wordEnds = func() (table [256]bool) {
	for _, c := range []byte(" \t\r\n\v\f{}();$,") {
		table[c] = true
	}
	return table
}()

// joinWords returns the words that belong to a move, given the first.
func (t *moveText) joinWords(word string) string {
	if t.joiner == nil {
		return word
	}
	for {
		pos, line := t.pos, t.line
		t.skipBlanks()
		next := t.word()
		if next == "" || len(t.joiner.JoinMoves([]string{word, next})) > 1 {
			t.pos, t.line = pos, line
			return word
		}
		word += " " + next
	}
}

// readMultiWord parses a move of several words, given the first, up to a comma or the end of the
// line.
func (t *moveText) readMultiWord(word string) (engine.Move, bool) {
	rest := t.text[t.pos:]
	if end := strings.IndexAny(rest, ",\n{}();$"); end >= 0 {
		rest = rest[:end]
	}
	words := append([]string{word}, strings.Fields(rest)...)
	m, err := t.board.Parse(strings.Join(words, " "))
	if err != nil || len(words) == 1 {
		return 0, false
	}
	t.pos += len(rest)
	return m, true
}

// readSplitWord parses a legal move with blanks inside, such as C2 = 5, given its first part.
func (t *moveText) readSplitWord(word string) (engine.Move, bool) {
	const maxSplit = 5 // parts, with 4 bytes each
	pos := t.pos
	for range maxSplit - 1 {
		t.pos += len(t.text[t.pos:]) - len(strings.TrimLeft(t.text[t.pos:], " \t"))
		next := t.word()
		if next == "" || len(word)+len(next) > 4*maxSplit {
			break
		}
		part, _ := cutGlyph(next)
		word += part
		if m, err := t.board.Parse(word); err == nil {
			t.pos -= len(next) - len(part) // the glyph is the next word
			return m, true
		}
	}
	t.pos = pos
	return 0, false
}

// narrowNumber returns a text with the move number that begins it in ASCII, if it has full-width digits or
// points, as in １．炮二平五 and 1、炮二平五.
func narrowNumber(text string) string {
	if rest := strings.TrimLeft(text, "0123456789"); rest == "" || rest[0] < utf8.RuneSelf { // nearly always
		return text
	}
	after := strings.TrimLeft(text, "0123456789０１２３４５６７８９")
	move := strings.TrimLeft(after, ".．、")
	number := text[:len(text)-len(move)]
	if len(after) == len(text) || len(move) == len(after) || utf8.RuneCountInString(number) == len(number) {
		return text
	}
	return dateSigns.Replace(number) + move
}

// cutNumber removes a leading move number. 15.6 has none: it is the first pawn of file 5 in WXF.
func cutNumber(word string) string {
	digits := strings.TrimLeft(word, "0123456789")
	rest := strings.TrimLeft(digits, ".．、…·")
	switch {
	case rest == "", digits == word && rest != word:
		return rest
	case rest == digits, len(rest) == 1 && '0' <= rest[0] && rest[0] <= '9':
		return word
	}
	return rest
}

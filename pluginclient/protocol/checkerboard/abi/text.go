package abi

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is the text in a buffer up to its NUL, or all of it, as [Sanitize] leaves it.
func Text(buffer []byte) string {
	if end := bytes.IndexByte(buffer, 0); end >= 0 {
		buffer = buffer[:end]
	}
	return Sanitize(string(buffer))
}

// Sanitize makes a line of an engine's text: line ends are "\n", other control characters blanks, and
// bytes that are no UTF-8 question marks.
func Sanitize(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", `\n`)
	return strings.TrimRight(strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return '?'
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, text), " ")
}

// Fill sets every number of a Move.
func (move *Move) Fill(n int32) {
	at := Coor{n, n}
	*move = Move{Jumps: n, NewPiece: n, OldPiece: n, From: at, To: at}
	for i := range maxPath {
		move.Path[i], move.Del[i], move.DelPiece[i] = at, at, n
	}
}

package form

import (
	"strings"
	"unicode"
)

// Clean is a text that cannot disturb a terminal: U+FFFD stands for each control character,
// line ends among them, and for each byte that is no UTF-8.
func Clean(text string) string { return withoutControls(text, unicode.ReplacementChar) }

// OneLine is Clean with a blank for each control character.
func OneLine(text string) string { return withoutControls(text, ' ') }

func withoutControls(text string, instead rune) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return instead
		}
		return r
	}, text)
}

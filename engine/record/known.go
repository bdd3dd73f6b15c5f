package record

import (
	"strings"
	"unicode"
)

// unknownWords are values of tags that say that a name is not known, in lower case.
var unknownWords = map[string]bool{"unknown": true, "n.n.": true, "nn": true, "未知": true, "不详": true, "不詳": true, "佚名": true}

// Known returns a tag's value, or "" if that says that it is not known: PGN writes ?, other formats
// write other signs or a word.
func (t Tags) Known(name string) string {
	value := t.Get(name)
	isSign := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if unknownWords[strings.ToLower(strings.TrimSpace(value))] || strings.TrimFunc(value, isSign) == "" {
		return ""
	}
	return value
}

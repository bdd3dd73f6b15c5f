package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"qhsh/engine/printable"
)

// Tags are metadata about a game, in the order in which they were read. Start position, result,
// notation and the name of the game are not tags.
type Tags []Tag

// A Tag is a name as PGN has it, such as Event, Red or Date, and a value in one line.
type Tag struct{ Name, Value string }

// IllegalStart is the tag of a game with an illegal start position; it says why. It is set by
// [Library.WithIllegalStarts], never read from a file.
const IllegalStart = "IllegalStart"

// MaxTags is the maximum number of tags of a game.
const MaxTags = 500

// ErrTags is the error of a game with more than MaxTags tags.
var ErrTags = fmt.Errorf("more than %d tags: the rest is ignored", MaxTags)

// Get returns a tag's value; empty if there is none. The name is case-insensitive.
func (t Tags) Get(name string) string {
	for _, tag := range t {
		if strings.EqualFold(tag.Name, name) {
			return tag.Value
		}
	}
	return ""
}

// unknownWords are values of tags that say that a name is not known, in lower case. Programs that know no player
// write the name of the side.
var unknownWords = map[string]bool{
	"unknown": true, "n.n.": true, "nn": true, "未知": true, "不详": true, "不詳": true, "佚名": true,
	"红": true, "紅": true, "黑": true, "红方": true, "紅方": true, "黑方": true, "白方": true, "红棋": true, "紅棋": true, "黑棋": true,
}

// Known returns a tag's value, or "" if that says that it is not known: PGN writes ?, other formats
// write other signs, a word, or the name of the tag.
func (t Tags) Known(name string) string {
	value := t.Get(name)
	word := strings.ToLower(strings.TrimSpace(value))
	isSign := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if unknownWords[word] || strings.EqualFold(word, name) || strings.TrimFunc(word, isSign) == "" {
		return ""
	}
	return value
}

// Set sets a tag; an empty value removes it.
func (t *Tags) Set(name, value string) {
	i := slices.IndexFunc(*t, func(tag Tag) bool { return strings.EqualFold(tag.Name, name) })
	switch {
	case value == "" && i >= 0:
		*t = slices.Delete(*t, i, i+1)
	case value == "":
	case i >= 0:
		(*t)[i].Value = value
	default:
		*t = append(*t, Tag{name, value})
	}
}

// Add sets a tag unless it already has a value.
func (t *Tags) Add(name, value string) {
	value = CleanLine(value)
	if value != "" && t.Get(name) == "" {
		*t = append(*t, Tag{name, value})
	}
}

// CleanLine returns a text on one line, without control characters and surrounding space.
func CleanLine(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd")))
}

// CleanText returns a comment without control characters, carriage returns and surrounding space.
func CleanText(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == '\n', r == '\t':
			return r
		case r < ' ', r == 0x7f:
			return -1
		}
		return r
	}, text))
}

// MarshalJSON writes an object whose keys are in the order of the tags.
func (t Tags) MarshalJSON() ([]byte, error) {
	return printable.JSONObject(len(t), func(i int) (string, any) { return t[i].Name, t[i].Value })
}

// UnmarshalJSON reads an object with string values.
func (t *Tags) UnmarshalJSON(data []byte) error {
	var values map[string]string
	if err := json.Unmarshal(data, &values); err != nil || values == nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	_, _ = dec.Token() // the brace; the object is valid
	for dec.More() {
		name, _ := dec.Token()
		value, _ := dec.Token()
		text, _ := value.(string) // null becomes ""
		*t = append(*t, Tag{name.(string), text})
	}
	return nil
}

package record

import (
	"fmt"
	"strings"
)

// A result ends a game of PGN, and what follows it may be any text. But a move that is legal there
// shows that the result stands in the middle of a game, which would lose its other half.

// findBehind returns the error of a move after the result that has just been read, with its line. A move with the
// number 1 starts the next game instead.
func (t *moveText) findBehind() (behind Errors) {
	if t.skipped > 0 {
		return behind // the final position is not known
	}
	pos, line := t.pos, t.line
	defer func() { t.pos, t.line = pos, line }()
	result := t.text[t.wordAt:pos]
	word := t.wordBehind()
	if word == "" {
		return behind
	}
	at := t.line
	if _, err := t.parseMove(word); err == nil || choices(err) != nil {
		behind.AddAt(at, fmt.Errorf("move %s %s after the result %s", t.number(), word, result))
	}
	return behind
}

// wordBehind returns the word after comments and a move number; empty if there is none, or if a game
// begins there.
func (t *moveText) wordBehind() string {
	for {
		t.skipBlanks()
		rest := t.text[t.pos:]
		switch {
		case rest == "", isMoveText(rest) && !strings.HasPrefix(rest, "1..."):
			return ""
		case rest[0] == '{':
			t.until("}", false)
		case rest[0] == ';':
			t.until("\n", false)
		default:
			written := t.word()
			word, _ := cutGlyph(cutNumber(written))
			if written == "" || word != "" {
				return word
			}
		}
	}
}

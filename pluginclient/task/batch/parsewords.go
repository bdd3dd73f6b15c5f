package batch

import (
	"strings"

	"qhsh/engine"
)

// ParseWords parses a position of any number of fields, followed by moves. The word "moves" between
// them is optional, unlike in Parse.
func ParseWords(game engine.Game, words []string) Item {
	line := strings.Join(words, " ")
	text, moves, ok := cutWords(game, words)
	switch {
	case !ok:
		text, _, _ = strings.Cut(line, " "+movesWord+" ")
		if _, err := game.Position(text); err != nil {
			return Item{Input: Excerpt(line), Err: err}
		}
	case len(moves) > 0:
		if strings.EqualFold(moves[0], movesWord) {
			moves = moves[1:]
		}
		line = text + " " + movesWord + " " + strings.Join(moves, " ")
	}
	return Parse(game, line)
}

// cutWords splits words into a position and its moves. ok is false if no position comes first.
func cutWords(game engine.Game, words []string) (text string, moves []string, ok bool) {
	fields := 1
	for fields < len(words) && isField(words[fields]) {
		fields++
	}
	for n := len(words); n > fields; n-- { // the text of a game may have fields that look like moves
		text = strings.Join(words[:n], " ")
		if pos, err := game.Position(text); err == nil && pos.String() == text {
			return text, words[n:], true
		}
	}
	text = strings.Join(words[:fields], " ")
	return text, words[fields:], Parse(game, text).Err == nil
}

// isField reports whether a word after the board is another FEN field: the side, a dash, or a
// number.
func isField(word string) bool {
	return len(word) == 1 || strings.Trim(word, "0123456789") == ""
}

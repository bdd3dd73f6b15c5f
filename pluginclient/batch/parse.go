package batch

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"qhsh/engine"
)

// The words of a line that are not the game's. They are known in any case.
const (
	positionWord = "position"
	fenWord      = "fen"
	startWord    = "startpos"
	movesWord    = "moves"
)

// Parse reads a position as people and other programs write them on a line:
//
//	TEXT                    a position's text form, in Xiangqi a FEN
//	startpos                the position that a game begins from
//	TEXT moves M1 M2 ...    either with moves played on it, in the game's notation
//
// The words position and fen of UCI's position command may stand in front of it.
// Moves that contain blanks are separated by commas. The Text of startpos is the text
// form of the start, so that it is a position wherever it is read. The Item has no
// File and no Line. A line that cannot be read has an Err that names the place.
func Parse(game engine.Game, line string) Item {
	line = strings.TrimSpace(line)
	item := Item{Input: excerpt(line)}
	text, moves := cutMoves(cutWord(cutWord(line, positionWord), fenWord))
	pos, err := parsePosition(game, text)
	if err != nil {
		item.Err = err
		return item
	}
	played, pos, err := playAll(pos, splitMoves(moves))
	if err != nil {
		item.Err = err
		return item
	}
	if strings.EqualFold(text, startWord) {
		text = game.Start().String()
	}
	item.Text, item.Moves, item.Pos = strings.ToValidUTF8(text, "\ufffd"), played, pos
	return item
}

func parsePosition(game engine.Game, text string) (engine.Position, error) {
	switch {
	case text == "":
		return nil, errors.New("the position is missing")
	case strings.EqualFold(text, startWord):
		return game.Start(), nil
	}
	return game.Position(text)
}

// cutWord is a line without a word that it begins with.
func cutWord(line, word string) string {
	if isWord(line, word) {
		line = strings.TrimSpace(line[len(word):])
	}
	return line
}

// cutMoves finds the word moves, but not in a comment such as an EPD's c0 "Red moves".
func cutMoves(line string) (text, moves string) {
	quoted, before := false, ' '
	for i, r := range line {
		if r == '"' {
			quoted = !quoted
		}
		if !quoted && unicode.IsSpace(before) && isWord(line[i:], movesWord) {
			return strings.TrimSpace(line[:i]), line[i+len(movesWord):]
		}
		before = r
	}
	return line, ""
}

// isWord tells whether text begins with a word.
func isWord(text, word string) bool {
	if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[len(word):])
	return len(text) == len(word) || unicode.IsSpace(next)
}

func splitMoves(text string) []string {
	if !strings.Contains(text, ",") {
		return strings.Fields(text)
	}
	moves := strings.Split(text, ",")
	for i := range moves {
		moves[i] = strings.TrimSpace(moves[i])
	}
	return moves
}

// playAll plays moves, and gives them back as the game writes them.
func playAll(pos engine.Position, texts []string) ([]string, engine.Position, error) {
	var played []string
	for i, text := range texts {
		m, err := pos.Parse(text)
		if err != nil {
			return nil, nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		played = append(played, pos.Format(m))
		if pos, err = pos.Play(m); err != nil {
			return nil, nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return played, pos, nil
}

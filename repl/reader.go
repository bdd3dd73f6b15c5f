package repl

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/pluginclient/task/batch"
)

// A reader reads the moves and positions of a game as people write them.
type reader struct {
	games games.Table
	game  engine.Game
}

// reader reads those of an engine's game, or of the usual one.
func (s *Shell) reader(e *attached) reader { return reader{s.host.Games, s.rules(e)} }

// position reads a position with moves behind it.
func (r reader) position(line string) (engine.Position, error) {
	item := batch.Parse(r.games.AnyNotation(r.game), line)
	return item.Pos, item.Err
}

// looksLikePosition reports whether a line is meant for a position: the word startpos, or text
// with slashes, as in the text of the game's start. One with half of them, which was copied
// badly, is still meant as one.
func (r reader) looksLikePosition(line string) bool {
	word, rest := cutWord(line)
	if strings.EqualFold(word, "position") {
		word, _ = cutWord(rest)
	}
	slashes := strings.Count(r.game.Start().String(), "/")
	return strings.EqualFold(word, "startpos") || slashes > 0 && 2*strings.Count(line, "/") >= slashes
}

// isMove reports whether a text has the form of a move, wherever it may be played.
func (r reader) isMove(text string) bool {
	_, err := r.games.ReadMove(r.game.Start(), text)
	return !errors.Is(err, engine.ErrMalformed)
}

// play plays moves. The error tells which one is wrong.
func (r reader) play(pos engine.Position, moves []string) (engine.Position, error) {
	for i, text := range moves {
		m, err := r.games.ReadMove(pos, text)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		if pos, err = pos.Play(m); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return pos, nil
}

var (
	nonMoves   = regexp.MustCompile(`^([0-9]+\.*|\.\.\.|1-0|0-1|1/2-1/2|\*)$`)
	moveNumber = regexp.MustCompile(`^[0-9]+\.+`)
)

// moves takes a list of moves apart, with or without numbers, commas and the result at its
// end. ok reports whether it is one.
func (r reader) moves(text string) (moves []string, ok bool) {
	moves, odd := r.parseMoves(text)
	return moves, len(moves) > 0 && odd == ""
}

// listed are the moves of a list up to the first word that does not belong there, which is
// odd; empty: there is none. Moves that contain blanks are separated by commas.
func (r reader) parseMoves(text string) (moves []string, odd string) {
	var words []string
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t\r\n,;\u3000，；、", c) }) {
		if !nonMoves.MatchString(word) {
			words = append(words, strings.TrimRight(moveNumber.ReplaceAllString(word, ""), "!?"))
		}
	}
	moves = engine.JoinMoves(r.game, words)
	n := r.countLeadingMoves(moves)
	if n == len(moves) {
		return moves, ""
	}
	if parts := batch.SplitMoves(text + ","); n == 0 && r.countLeadingMoves(parts) == len(parts) {
		return parts, ""
	}
	return moves[:n], moves[n]
}

// leading is how many texts are moves before the first that is none.
func (r reader) countLeadingMoves(texts []string) int {
	for i, text := range texts {
		if !r.isMove(text) {
			return i
		}
	}
	return len(texts)
}

// A lineError is what is wrong with a line of a file.
type fileLineError struct {
	line int
	error
}

// fileLine is a line of a file that says something.
type fileLine struct {
	number int
	text   string
}

// file reads a file of positions or of moves. n is the line that is wanted, 0 the first
// position; rest is how many positions follow it in that case.
func (r reader) file(data []byte, n int) (pos engine.Position, rest int, err error) {
	if !isPlain(data) {
		return nil, 0, errors.New("it is no text that can be made out: save it as UTF-8")
	}
	lines := fileLines(strings.TrimPrefix(string(data), "\ufeff"), n)
	switch {
	case n > 0 && len(lines) == 0:
		return nil, 0, &fileLineError{n, errors.New("there is no position")}
	case len(lines) == 0:
		return nil, 0, errors.New("there is nothing in it")
	}
	first := lines[0]
	if moves, _ := r.parseMoves(first.text); len(moves) > 0 {
		pos, err = r.playLines(lines)
		return pos, 0, err
	}
	if pos, err = r.position(first.text); err != nil {
		return nil, 0, &fileLineError{first.number, err}
	}
	return pos, len(lines) - 1, nil
}

// isPlain reports whether a file is text in UTF-8.
func isPlain(data []byte) bool { return utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 }

var (
	braces  = regexp.MustCompile(`\{[^}]*\}`)
	comment = regexp.MustCompile(`^\s*(;|//).*|(^|\s)#.*`)
)

// fileLines are the lines without comments that say something, or line n of them.
func fileLines(text string, n int) []fileLine {
	text = braces.ReplaceAllStringFunc(text, func(said string) string { return strings.Repeat("\n", strings.Count(said, "\n")) })
	var all []fileLine
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(comment.ReplaceAllString(line, ""))
		if line != "" && (n == 0 || n == i+1) {
			all = append(all, fileLine{i + 1, line})
		}
	}
	return all
}

// playLines plays the moves of a file from the start.
func (r reader) playLines(lines []fileLine) (engine.Position, error) {
	pos := r.game.Start()
	for _, line := range lines {
		moves, odd := r.parseMoves(line.text)
		if odd != "" {
			return nil, &fileLineError{line.number, fmt.Errorf("%q is no move", odd)}
		}
		next, err := r.play(pos, moves)
		if err != nil {
			return nil, &fileLineError{line.number, err}
		}
		pos = next
	}
	return pos, nil
}

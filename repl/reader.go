package repl

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch"
)

// A reader reads moves and positions of a game as people write them.
type reader struct {
	games games.Table
	game  engine.Game
}

// reader returns the reader for an engine's game, or for the default game if e is nil.
func (s *Shell) reader(e *attached) reader { return reader{s.host.Games, s.rules(e)} }

// position parses a position that moves may follow.
func (r reader) position(line string) (engine.Position, error) {
	item := batch.Parse(r.games.AnyNotation(r.game), line)
	return item.Pos, item.Err
}

// looksLikePosition reports whether a line is meant as a position: it has the word startpos, or at
// least half as many slashes as the text of the game's start, so that a badly copied position
// counts too.
func (r reader) looksLikePosition(line string) bool {
	word, rest := cutWord(line)
	if strings.EqualFold(word, "position") {
		word, _ = cutWord(rest)
	}
	slashes := strings.Count(r.game.Start().String(), "/")
	return strings.EqualFold(word, "startpos") || slashes > 0 && 2*strings.Count(line, "/") >= slashes
}

// isMove reports whether text has the syntax of a move, legal or not.
func (r reader) isMove(text string) bool {
	_, err := r.games.ReadMove(r.game.Start(), text)
	return !errors.Is(err, engine.ErrMalformed)
}

// play plays moves. Its error names the move that is wrong.
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
	nonMoves   = lazyregexp.New(`^([0-9]+\.*|\.\.\.|1-0|0-1|1/2-1/2|\*)$`)
	moveNumber = lazyregexp.New(`^[0-9]+\.+`)
)

// parseMoves returns the moves of a list, which may contain numbers, commas and a result, up to the first word that is not a move. bad is that
// word, or "". Moves that contain blanks must be separated by commas.
//
// Numbers are not skipped where the words are moves as they are: in some games a move consists of
// numbers.
func (r reader) parseMoves(text string) (moves []string, bad string) {
	raw := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t\r\n,;\u3000，；、", c) })
	if moves = engine.JoinMoves(r.game, raw); r.countLeadingMoves(moves) == len(moves) {
		return moves, ""
	}
	var words []string
	for _, word := range raw {
		if !nonMoves().MatchString(word) {
			words = append(words, strings.TrimRight(moveNumber().ReplaceAllString(word, ""), "!?"))
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

func (r reader) countLeadingMoves(texts []string) int {
	for i, text := range texts {
		if !r.isMove(text) {
			return i
		}
	}
	return len(texts)
}

// A fileLine is a line of a file without its comments.
type fileLine struct {
	path   string
	number int
	text   string
}

func (l fileLine) wrong(why error) error { return fmt.Errorf("%s:%d: %w", l.path, l.number, why) }

// file reads a file of positions or of moves. n is the wanted line; if it is 0, file returns the
// first position, and rest is the number of positions after it. Errors name the file.
func (r reader) file(data []byte, path string, n int) (pos engine.Position, rest int, err error) {
	if !isPlain(data) {
		return nil, 0, fmt.Errorf("%s: unknown text encoding: save the file as UTF-8", path)
	}
	lines := fileLines(strings.TrimPrefix(string(data), "\ufeff"), path, n)
	var first fileLine
	count := 0
	for line := range lines {
		if count++; count == 1 {
			first = line
		}
	}
	switch {
	case n > 0 && count == 0:
		return nil, 0, fmt.Errorf("%s:%d: no position on this line", path, n)
	case count == 0:
		return nil, 0, fmt.Errorf("%s: no positions or games", path)
	case len(first.text) > record.MaxLine:
		return nil, 0, first.wrong(errLongLine)
	}
	if moves, _ := r.parseMoves(first.text); len(moves) > 0 {
		pos, err = r.playLines(lines)
		return pos, 0, err
	}
	if pos, err = r.position(first.text); err != nil {
		return nil, 0, first.wrong(err)
	}
	return pos, count - 1, nil
}

func isPlain(data []byte) bool { return utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 }

var (
	braces  = lazyregexp.New(`\{[^}]*\}`)
	comment = lazyregexp.New(`^\s*(;|//).*|(^|\s)#.*`)
)

var errLongLine = fmt.Errorf("the line is longer than %d bytes", record.MaxLine)

// fileLines yields the lines that are not empty after comments are removed, or only line n if n > 0.
func fileLines(text, path string, n int) iter.Seq[fileLine] {
	text = braces().ReplaceAllStringFunc(text, func(said string) string { return strings.Repeat("\n", strings.Count(said, "\n")) })
	return func(yield func(fileLine) bool) {
		number := 0
		for line := range strings.SplitSeq(text, "\n") {
			if number++; n > 0 && n != number {
				continue
			}
			line = strings.TrimSpace(comment().ReplaceAllString(line, ""))
			if line != "" && !yield(fileLine{path, number, line}) {
				return
			}
		}
	}
}

// playLines plays the moves of a file from the start of the game.
func (r reader) playLines(lines iter.Seq[fileLine]) (engine.Position, error) {
	pos, plies := r.game.Start(), 0
	for line := range lines {
		if len(line.text) > record.MaxLine {
			return nil, line.wrong(errLongLine)
		}
		moves, bad := r.parseMoves(line.text)
		if bad != "" {
			return nil, line.wrong(fmt.Errorf("%q is not a move", bad))
		}
		if plies += len(moves); plies > record.MaxPlies {
			return nil, line.wrong(fmt.Errorf("more than %d moves", record.MaxPlies))
		}
		next, err := r.play(pos, moves)
		if err != nil {
			return nil, line.wrong(err)
		}
		pos = next
	}
	return pos, nil
}

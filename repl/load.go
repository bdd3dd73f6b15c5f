package repl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	xqrecord "qhsh/engine/xiangqi/record"
	"qhsh/pluginclient/batch"
	"qhsh/pluginclient/batch/input"
)

var lineNumber = regexp.MustCompile(`^(.+):([0-9]+)$`)

// runLoad is .load.
func runLoad(c *call) error {
	path, err := c.only()
	if err != nil {
		return err
	}
	if path == "" {
		return c.misuse("the file is missing")
	}
	if err := c.shell.keptFromScripts(c.command.name); err != nil {
		return err
	}
	file, path, n, err := c.openNumbered(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in, err := input.Unpack(file)
	if err != nil {
		return fmt.Errorf(".load: %s: %w", path, err)
	}
	defer in.Close()
	found, err := c.find(in, path, n)
	if found.pos == nil {
		return fmt.Errorf(".load: %w", err)
	}
	if found.more != "" {
		c.shell.chat("%s", found.more)
	}
	if err := c.setBoard(found.pos); err != nil {
		return err
	}
	c.shell.chat("%s", found.text)
	if err != nil {
		return fmt.Errorf(".load: %w; the board has what could be read up to there", err)
	}
	return nil
}

// openNumbered opens a file behind whose name a number may stand; 0: there is none.
func (c *call) openNumbered(path string) (file *os.File, name string, n int, err error) {
	file, err = os.Open(path)
	if m := lineNumber.FindStringSubmatch(path); m != nil && errors.Is(err, os.ErrNotExist) {
		path = m[1]
		if n, err = strconv.Atoi(m[2]); err != nil || n < 1 {
			return nil, path, 0, c.misuse("%q is not the number of a line or a game", m[2])
		}
		file, err = os.Open(path)
	}
	if err != nil {
		return nil, path, n, fmt.Errorf(".load: %w", err)
	}
	return file, path, n, nil
}

// A found is what .load takes from a file.
type found struct {
	pos  engine.Position // nil: nothing
	text string          // what it is, in words
	more string          // what else there is; empty: nothing
}

// find looks into a file for its first position or game, or number n of them: lines of text
// that are positions or moves, and else whatever holds games. With an error there may be a
// part of a game.
func (c *call) find(file io.Reader, path string, n int) (found, error) {
	in := bufio.NewReaderSize(file, formBytes)
	head, err := in.Peek(formBytes)
	if err != nil && err != io.EOF {
		return found{}, err
	}
	game := c.engine.session.Position().Game()
	if input.FormOf(path, in, input.DefaultColumn) == input.CSV {
		return findInTable(game, in, path, n)
	}
	isXiangqi := game.Name() == xiangqi.Rules.Name()
	if isXiangqi && xqrecord.FormIn(head).Name != linesForm {
		return c.findGame(in, path, n)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return found{}, err
	}
	pos, rest, err := readGame(game, data, n)
	if err != nil && isXiangqi {
		if f, ok, damage := c.asGames(data, path, n); ok {
			return f, damage
		}
	}
	var at *lineError
	switch {
	case errors.As(err, &at):
		return found{}, fmt.Errorf("%s:%d: %w", path, at.line, at.error)
	case err != nil:
		return found{}, fmt.Errorf("%s: %w", path, err)
	}
	return foundFirst(pos, rest, path), nil
}

// foundFirst is a position that so many others follow in a file.
func foundFirst(pos engine.Position, rest int, path string) found {
	f := found{pos: pos, text: positionText(pos)}
	if rest > 0 {
		f.more = fmt.Sprintf("the first of %d positions: '.load %s:N' takes the one of line N", rest+1, path)
	}
	return f
}

// findInTable is find in a CSV file, such as 'qhsh hints' writes: the position of its first
// row, or of the row that begins on line n.
func findInTable(game engine.Game, in io.Reader, path string, n int) (found, error) {
	src, err := input.Open(games.Default.Loose(game), in, input.Options{Name: path, Form: input.CSV})
	if err != nil {
		return found{}, err
	}
	defer src.Close()
	for {
		item, err := src.Next()
		switch {
		case err == io.EOF && n > 0:
			return found{}, fmt.Errorf("%s:%d: there is no position", path, n)
		case err == io.EOF:
			return found{}, fmt.Errorf("%s: there is nothing in it", path)
		case err != nil:
			return found{}, err
		case n > 0 && item.Line != n:
			continue
		case item.Err != nil:
			return found{}, fmt.Errorf("%s:%d: %w", path, item.Line, item.Err)
		}
		rest := 0
		if n == 0 {
			if rest, err = src.Pass(math.MaxInt); err != nil && err != io.EOF {
				return found{}, err
			}
		}
		return foundFirst(item.Pos, rest, path), nil
	}
}

// A lineError is what is wrong with a line of a file.
type lineError struct {
	line int
	error
}

// fileLine is a line of a file that says something.
type fileLine struct {
	number int
	text   string
}

// readGame reads a file of positions or of moves. n is the line that is wanted, 0 the
// first position; rest is how many positions follow it in that case.
func readGame(game engine.Game, data []byte, n int) (pos engine.Position, rest int, err error) {
	if !isPlain(data) {
		return nil, 0, errors.New("it is no text that can be made out: save it as UTF-8")
	}
	lines := fileLines(strings.TrimPrefix(string(data), "\ufeff"), n)
	switch {
	case n > 0 && len(lines) == 0:
		return nil, 0, &lineError{n, errors.New("there is no position")}
	case len(lines) == 0:
		return nil, 0, errors.New("there is nothing in it")
	}
	first := lines[0]
	if moves, _ := listed(first.text); len(moves) > 0 && game.Name() == xiangqi.Rules.Name() {
		pos, err = playLines(lines)
		return pos, 0, err
	}
	if pos, err = parseGame(game, first.text); err != nil {
		return nil, 0, &lineError{first.number, err}
	}
	return pos, len(lines) - 1, nil
}

// isPlain tells whether a file is text in UTF-8.
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
func playLines(lines []fileLine) (engine.Position, error) {
	var pos engine.Position = xiangqi.Start()
	for _, line := range lines {
		moves, odd := listed(line.text)
		if odd != "" {
			return nil, &lineError{line.number, fmt.Errorf("%q is no move", odd)}
		}
		next, err := playTexts(pos, moves)
		if err != nil {
			return nil, &lineError{line.number, err}
		}
		pos = next
	}
	return pos, nil
}

// parseGame reads a position with moves behind it.
func parseGame(game engine.Game, line string) (engine.Position, error) {
	item := batch.Parse(games.Default.Loose(game), line)
	return item.Pos, item.Err
}

var (
	moveToken = regexp.MustCompile(`^[A-Ia-i][0-9]-?[A-Ia-i][0-9]$`)
	nonMoves  = regexp.MustCompile(`^([0-9]+\.*|\.\.\.|1-0|0-1|1/2-1/2|\*)$`)
	numberHad = regexp.MustCompile(`^[0-9]+\.+`)
)

// moveList takes a list of moves apart, with or without numbers, commas and the result
// at its end. ok tells whether it is one.
func moveList(text string) (moves []string, ok bool) {
	moves, odd := listed(text)
	return moves, len(moves) > 0 && odd == ""
}

// listed are the moves of a list up to the first word that does not belong there, which is
// odd; empty: there is none.
func listed(text string) (moves []string, odd string) {
	for _, token := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;\u3000，；、", r) }) {
		if nonMoves.MatchString(token) {
			continue
		}
		token = strings.TrimRight(numberHad.ReplaceAllString(token, ""), "!?")
		if !isMoveText(token) {
			return moves, token
		}
		moves = append(moves, token)
	}
	return moves, ""
}

// playTexts plays moves. The error tells which one is wrong.
func playTexts(pos engine.Position, moves []string) (engine.Position, error) {
	for i, text := range moves {
		m, err := parseMove(pos, text)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		if pos, err = pos.Play(m); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return pos, nil
}

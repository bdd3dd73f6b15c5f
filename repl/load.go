package repl

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient/batch"
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
	n := 0
	data, err := os.ReadFile(path)
	if m := lineNumber.FindStringSubmatch(path); m != nil && errors.Is(err, os.ErrNotExist) {
		path = m[1]
		if n, err = strconv.Atoi(m[2]); err != nil || n < 1 {
			return c.misuse("%q is not the number of a line", m[2])
		}
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return fmt.Errorf(".load: %w", err)
	}
	pos, rest, err := readGame(data, n)
	var at *lineError
	switch {
	case errors.As(err, &at):
		return fmt.Errorf(".load: %s:%d: %w", path, at.line, at.error)
	case err != nil:
		return fmt.Errorf(".load: %s: %w", path, err)
	}
	if rest > 0 {
		c.shell.chat("the first of %d positions: '.load %s:N' takes the one of line N", rest+1, path)
	}
	if err := c.setBoard(pos); err != nil {
		return err
	}
	c.shell.chat("%s", positionText(pos))
	return nil
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
func readGame(data []byte, n int) (pos engine.Position, rest int, err error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) || bytes.IndexByte(data, 0) >= 0 {
		return nil, 0, errors.New("the text is UTF-16, or no text at all: save it as UTF-8")
	}
	lines := fileLines(strings.TrimPrefix(string(data), "\ufeff"), n)
	switch {
	case n > 0 && len(lines) == 0:
		return nil, 0, &lineError{n, errors.New("there is no position")}
	case len(lines) == 0:
		return nil, 0, errors.New("there is nothing in it")
	}
	first := lines[0]
	if moves, _ := listed(first.text); len(moves) > 0 {
		pos, err = playLines(lines)
		return pos, 0, err
	}
	if pos, err = parseGame(first.text); err != nil {
		return nil, 0, &lineError{first.number, err}
	}
	return pos, len(lines) - 1, nil
}

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
func parseGame(line string) (engine.Position, error) {
	item := batch.Parse(xiangqi.Rules, line)
	return item.Pos, item.Err
}

var (
	moveToken = regexp.MustCompile(`^[A-Ia-i][0-9]-?[A-Ia-i][0-9]$`)
	nonMoves  = regexp.MustCompile(`^([0-9]+\.+|\.\.\.|1-0|0-1|1/2-1/2|\*)$`)
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
	for _, token := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;", r) }) {
		if nonMoves.MatchString(token) {
			continue
		}
		token = numberHad.ReplaceAllString(token, "")
		if !moveToken.MatchString(token) {
			return moves, token
		}
		moves = append(moves, token)
	}
	return moves, ""
}

// playTexts plays moves. The error tells which one is wrong.
func playTexts(pos engine.Position, moves []string) (engine.Position, error) {
	for i, text := range moves {
		m, err := pos.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
		if pos, err = pos.Play(m); err != nil {
			return nil, fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return pos, nil
}

package repl

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"

	"qhsh/engine"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch/input"
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
	var other *record.OtherGameError
	if errors.As(err, &other) && other.Game != "" {
		name := other.Game
		if name == c.shell.host.Games.Usual().Name() {
			name = "builtin" // the engine of the usual game
		}
		err = fmt.Errorf("%w: it needs -engine %s", err, name)
	}
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
	game := c.shell.rules(c.engine)
	if input.FormOf(path, in, input.DefaultColumn) == input.CSV {
		return findInTable(c.shell.host.Games.Loose(game), in, path, n)
	}
	if c.beginsRecord(head) {
		return c.findGame(in, path, n)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return found{}, err
	}
	pos, rest, err := c.shell.reader(c.engine).file(data, n)
	if err != nil {
		if f, ok, damage := c.asGames(data, path, n); ok {
			return f, damage
		} else if other := (*record.OtherGameError)(nil); errors.As(damage, &other) {
			return found{}, damage
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
	src, err := input.Open(game, in, input.Options{Name: path, Form: input.CSV})
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

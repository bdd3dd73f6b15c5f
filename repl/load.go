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
	path, err := c.optionalArg()
	if err != nil {
		return err
	}
	if path == "" {
		return c.usageError("the file is missing")
	}
	if err := c.shell.refuseInScript(c.command.name); err != nil {
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
	found, err := c.findInFile(in, path, n)
	var other *record.OtherGameError
	if errors.As(err, &other) && other.Game != "" {
		name := other.Game
		if name == c.shell.host.Games.DefaultGame().Name() {
			name = "builtin" // the engine of the usual game
		}
		err = fmt.Errorf("%w: it needs -engine %s", err, name)
	}
	if found.pos == nil {
		return fmt.Errorf(".load: %w", err)
	}
	if found.note != "" {
		c.shell.notify("%s", found.note)
	}
	if err := c.setBoard(found.pos); err != nil {
		return err
	}
	c.shell.notify("%s", found.text)
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
			return nil, path, 0, c.usageError("%q is not the number of a line or a game", m[2])
		}
		file, err = os.Open(path)
	}
	if err != nil {
		return nil, path, n, fmt.Errorf(".load: %w", err)
	}
	return file, path, n, nil
}

// A found is what .load takes from a file.
type loadResult struct {
	pos  engine.Position // nil: nothing
	text string          // what it is, in words
	note string          // what else there is; empty: nothing
}

// find looks into a file for its first position or game, or number n of them: lines of text
// that are positions or moves, and else whatever holds games. With an error there may be a
// part of a game.
func (c *call) findInFile(file io.Reader, path string, n int) (loadResult, error) {
	in := bufio.NewReaderSize(file, sniffBytes)
	head, err := in.Peek(sniffBytes)
	if err != nil && err != io.EOF {
		return loadResult{}, err
	}
	game := c.shell.rules(c.engine)
	if input.FormOf(path, in, input.DefaultColumn) == input.CSV {
		return findInTable(c.shell.host.Games.AnyNotation(game), in, path, n)
	}
	if c.isGameFile(head) {
		return c.findGame(in, path, n)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return loadResult{}, err
	}
	pos, rest, err := c.shell.reader(c.engine).file(data, n)
	if err != nil {
		if f, ok, damage := c.findGameInText(data, path, n); ok {
			return f, damage
		} else if other := (*record.OtherGameError)(nil); errors.As(damage, &other) {
			return loadResult{}, damage
		}
	}
	var at *fileLineError
	switch {
	case errors.As(err, &at):
		return loadResult{}, fmt.Errorf("%s:%d: %w", path, at.line, at.error)
	case err != nil:
		return loadResult{}, fmt.Errorf("%s: %w", path, err)
	}
	return firstOf(pos, rest, path), nil
}

// foundFirst is a position that so many others follow in a file.
func firstOf(pos engine.Position, rest int, path string) loadResult {
	f := loadResult{pos: pos, text: positionText(pos)}
	if rest > 0 {
		f.note = fmt.Sprintf("the first of %d positions: '.load %s:N' takes the one of line N", rest+1, path)
	}
	return f
}

// findInTable is find in a CSV file, such as 'qhsh hints' writes: the position of its first
// row, or of the row that begins on line n.
func findInTable(game engine.Game, in io.Reader, path string, n int) (loadResult, error) {
	src, err := input.Open(game, in, input.Options{Name: path, Form: input.CSV})
	if err != nil {
		return loadResult{}, err
	}
	defer src.Close()
	for {
		item, err := src.Next()
		switch {
		case err == io.EOF && n > 0:
			return loadResult{}, fmt.Errorf("%s:%d: there is no position", path, n)
		case err == io.EOF:
			return loadResult{}, fmt.Errorf("%s: there is nothing in it", path)
		case err != nil:
			return loadResult{}, err
		case n > 0 && item.Line != n:
			continue
		case item.Err != nil:
			return loadResult{}, fmt.Errorf("%s:%d: %w", path, item.Line, item.Err)
		}
		rest := 0
		if n == 0 {
			if rest, err = src.Pass(math.MaxInt); err != nil && err != io.EOF {
				return loadResult{}, err
			}
		}
		return firstOf(item.Pos, rest, path), nil
	}
}

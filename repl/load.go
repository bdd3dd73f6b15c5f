package repl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"qhsh/engine"
	"qhsh/engine/interruptible"
	"qhsh/engine/lazyregexp"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch/input"
)

var lineNumber = lazyregexp.New(`^(.+):([0-9]+)$`)

func setupLoad(c *call, fs *flag.FlagSet) func() error {
	lenient := fs.Bool("lenient", false, "")
	var encoding *record.Encoding
	fs.Func("encoding", "", func(name string) (err error) {
		encoding, err = record.ParseEncoding(name)
		return err
	})
	return func() error { return c.loadFile(*lenient, encoding) }
}

func (c *call) loadFile(lenient bool, encoding *record.Encoding) error {
	guess := ""
	l := loader{call: c, records: c.records().WithEncoding(encoding).OnGuess(func(_, encoding string) { guess = encoding })}
	if lenient {
		l.records = l.records.Lenient()
	}
	found, err := l.load(c.operand())
	var other *record.OtherGameError
	if errors.As(err, &other) && other.Game != "" {
		err = fmt.Errorf("%w: use -engine %s", err, c.shell.host.Games.EngineName(other.Game))
	}
	if found.pos == nil {
		return fmt.Errorf(".load: %w", err)
	}
	if err := c.setBoard(found.pos); err != nil {
		return err
	}
	if guess != "" {
		c.shell.notify("the text may be in %s, which is a guess; -encoding names another", guess)
	}
	if found.note != "" {
		c.shell.notify("%s", found.note)
	}
	c.shell.notify("%s", found.text)
	c.shell.remark(found.read)
	if p := c.shell.here(); p != nil {
		for note := range strings.Lines(c.shell.notes(p, c.shell.style)) {
			c.shell.notify("%s", strings.TrimSuffix(note, "\n"))
		}
	}
	switch {
	case record.IsDropped(err):
		c.shell.say(".load: %s", printable.Error(err))
	case err != nil:
		return fmt.Errorf(".load: %w; the board shows the part that could be read", err)
	}
	return nil
}

// read opens a file and calls f to read it. The user can interrupt both.
func (c *call) read(path string, f func(in io.Reader) error) error {
	return c.shell.await(c.ctx, waitOptions{name: c.command.name}, func(ctx context.Context) error {
		file, err := interruptible.Open(ctx, path)
		if err != nil {
			return err
		}
		defer file.Close()
		if err = f(file); ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	})
}

// A loader reads a file for .load.
type loader struct {
	*call
	records *record.Library
}

// load returns what a file has. Its name may be followed by :N.
func (c *loader) load(path string) (found loadResult, err error) {
	n := 0
	if m := lineNumber().FindStringSubmatch(path); m != nil {
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			path = m[1]
			if n, err = strconv.Atoi(m[2]); err != nil || n < 1 {
				return found, fmt.Errorf("invalid line or game number %q; usage: %s", m[2], c.command.synopsis())
			}
		}
	}
	err = c.read(path, func(file io.Reader) error {
		in, err := input.Unpack(file)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		defer in.Close()
		found, err = c.findInFile(in, path, n)
		return err
	})
	if c.ctx.Err() != nil || errors.Is(err, errAborted) || errors.Is(err, ErrInterrupted) {
		return loadResult{}, err
	}
	return found, err
}

// A loadResult is what .load takes from a file.
type loadResult struct {
	pos  engine.Position // nil if nothing could be read
	read engine.Position // pos or the start of its game, the object that was read
	text string          // a description of it
	note string          // a hint at other positions or games in the file; may be empty
}

// maxList is the maximum size in bytes of a text without tags that is not a position per line: it is
// read in several ways.
const maxList = record.MaxGame / 2

// findInFile returns the first position or game of a file, or number n if n > 0. It reads CSV, files
// of games, and lines of positions or moves. If the error is not nil, the result may hold a part of
// a game.
func (c *loader) findInFile(file io.Reader, path string, n int) (loadResult, error) {
	raw := bufio.NewReaderSize(file, sniffBytes)
	in := record.FromUTF16(raw)
	if in != raw {
		c.records = c.records.WithEncoding(record.UTF8)
	}
	head, err := in.Peek(sniffBytes)
	if err != nil && err != io.EOF {
		return loadResult{}, err
	}
	game := c.shell.host.Games.AnyNotation(c.shell.rules(c.engine))
	if input.DetectFormat(path, in, input.DefaultColumn) == input.CSV {
		return findInRows(game, in, path, input.CSV, n)
	}
	if c.records.DetectFormat(head) != record.Moves {
		return c.findGame(in, path, n)
	}
	data, err := io.ReadAll(io.LimitReader(in, maxList+1))
	if err != nil {
		return loadResult{}, err
	}
	if len(data) > maxList { // a list of positions may have any size
		f, err := findInRows(game, io.MultiReader(bytes.NewReader(data), in), path, input.FEN, n)
		if err != nil {
			err = fmt.Errorf("%w (a file of more than %s must have a position on each line)", err, record.Megabytes(maxList))
		}
		return f, err
	}
	pos, rest, err := c.shell.reader(c.engine).file(data, path, n)
	if err != nil {
		f, ok, damage := c.findGameInText(data, path, n)
		switch {
		case ok:
			return f, damage
		case errors.As(damage, new(*record.OtherGameError)):
			return loadResult{}, damage
		}
		return loadResult{}, err
	}
	return firstOf(pos, rest, path), nil
}

// firstOf returns the result for a position that rest others follow in the file.
func firstOf(pos engine.Position, rest int, path string) loadResult {
	f := loadResult{pos: pos, read: pos, text: positionText(pos)}
	if rest > 0 {
		f.note = fmt.Sprintf("loaded the first of %d positions: '.load %s:N' loads line N", rest+1, path)
	}
	return f
}

// findInRows is findInFile for a CSV file, such as 'qhsh hints' writes, or another format that is read
// row by row: it returns the position of the first row, or of the row that starts on line n.
func findInRows(game engine.Game, in io.Reader, path, format string, n int) (loadResult, error) {
	src, err := input.Open(game, in, input.Options{Name: path, Format: format})
	if err != nil {
		return loadResult{}, err
	}
	defer src.Close()
	for {
		item, err := src.Next()
		switch {
		case err == io.EOF && n > 0:
			return loadResult{}, fmt.Errorf("%s:%d: no position on this line", path, n)
		case err == io.EOF:
			return loadResult{}, fmt.Errorf("%s: no positions or games", path)
		case err != nil:
			return loadResult{}, err
		case n > 0 && item.Line != n:
			continue
		case item.Err != nil:
			return loadResult{}, fmt.Errorf("%s:%d: %w", path, item.Line, item.Err)
		}
		rest := 0
		if n == 0 {
			if rest, err = src.Count(); err != nil {
				return loadResult{}, err
			}
		}
		return firstOf(item.Pos, rest, path), nil
	}
}

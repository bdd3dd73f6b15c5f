package repl

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch"
)

// sniffBytes is how much of a file is read to detect its format.
const sniffBytes = 1 << 16

// records returns the library that reads and writes records of the engine's game.
func (c *call) records() *record.Library {
	return c.shell.host.Games.Records(c.engine.session.Position().Game())
}

func (c *loader) findGame(in io.Reader, path string, n int) (loadResult, error) {
	g, more, err := c.pickGame(in, path, n)
	if g == nil {
		return loadResult{}, err
	}
	f := loadResult{read: g.Start}
	var failed error
	if g.Start, failed = engine.WithoutHistory(g.Start); failed != nil {
		return loadResult{}, failed
	}
	g.MergeRepeated() // moves that the file repeats
	c.shell.keep(g)
	f.text = c.shell.gameSummary(g)
	for _, pos := range g.Positions(false) {
		f.pos = pos
	}
	if more {
		f.note = fmt.Sprintf("loaded the first of several games: '.load %s:N' loads game N", path)
	}
	return f, err
}

// pickGame reads a file up to game n, or to the first readable game if n is 0. If n is 0, more
// reports whether other games follow. If the error is not nil, picked may be a part of the game.
func (c *loader) pickGame(in io.Reader, path string, n int) (picked *record.Game, more bool, failed error) {
	number := 0
	for g, err := range c.records.Read(in, path) {
		if c.shell.isHalted() || c.ctx.Err() != nil {
			return nil, false, ErrInterrupted
		}
		if errors.Is(err, record.ErrFileTooLarge) { // it explains all others
			return picked, false, err
		}
		number++
		switch {
		case number == n:
			return g, false, err
		case n > 0:
		case picked != nil:
			return picked, true, failed
		case g != nil:
			if failed != nil {
				c.shell.say("skipped: %s", printable.Error(failed))
			}
			picked, failed = g, err
		case failed == nil:
			failed = err
		}
	}
	if number < n {
		return nil, false, fmt.Errorf("%s: no game %d: the file has %s", path, n, printable.Plural(number, "game"))
	}
	return picked, false, failed
}

// findGameInText reads data that is not a list of positions or moves in UTF-8: moves over several
// lines after a position, or text in a Chinese encoding. If only a part can be read and the text
// is plain, ok is false, as the error of the list is more useful.
func (c *loader) findGameInText(data []byte, path string, n int) (f loadResult, ok bool, err error) {
	if _, _, err := c.shell.reader(c.engine).file(data, path, 0); err == nil {
		return loadResult{}, false, nil // a list without line n
	}
	f, err = c.findGame(bytes.NewReader(data), path, n)
	return f, f.pos != nil && (err == nil || record.IsDropped(err) || !isPlain(data)), err
}

// gameSummary describes a game in a few words: players, result, and where the board stands.
func (s *Shell) gameSummary(g *record.Game) string {
	var words []string
	style := s.host.Games.PGN(g.Start.Game())
	first, second := g.Tags.Get(style.First), g.Tags.Get(style.Second)
	switch {
	case first != "" || second != "":
		words = append(words, cmp.Or(first, "?")+" - "+cmp.Or(second, "?"))
	case g.Tags.Get("Title") != "":
		words = append(words, g.Tags.Get("Title"))
	}
	if g.Result != engine.Ongoing {
		words = append(words, style.FormatResult(g.Result))
	}
	words = append(words, startText(g.Start, g.Plies()))
	others := 0
	g.Walk(func(n *record.Node) bool {
		others += max(len(n.Next)-1, 0)
		return true
	})
	if others > 0 {
		words = append(words, printable.Plural(others, "variation"))
	}
	return strings.Join(words, ", ")
}

// encodeGame returns the contents of a file of that name for the current game. lost says what the file
// cannot hold; it is empty if it holds everything.
func (c *call) encodeGame(path, style string) (data []byte, lost string, err error) {
	form, known := c.records().FormatByExtension(path)
	for _, game := range c.shell.host.Games.Games() {
		if other, ok := c.shell.host.Games.Records(game).FormatByExtension(path); ok && !known {
			return nil, "", c.usageError("%s: games of %s cannot be written as %s", path, engine.Title(c.shell.rules(c.engine)), other.Name)
		}
	}
	if extension := filepath.Ext(path); !known && !slices.Contains([]string{"", ".txt", ".fen", ".moves"}, extension) {
		return nil, "", c.usageError("%s: unknown extension %s: use .pgn, or .txt for one line of moves", path, extension)
	}
	pos := c.engine.session.Position()
	game := c.shell.gameOf(pos)
	if c.isLines(path) { // only the moves that lead to the board
		if game.HasNotes() {
			lost = "comments and variations, only the moves that lead to the board"
		}
		if style == usualNotation(c.shell.host.Games) {
			return []byte(batch.FormatGame(pos) + "\n"), lost, nil
		}
		form, game = record.Moves, record.FromPosition(pos)
	}
	var text bytes.Buffer
	w, err := c.records().NewWriter(&text, form, style)
	if err != nil {
		return nil, "", c.usageError("%s: %w", path, err)
	}
	if err := cmp.Or(w.Write(game), w.Close()); err != nil {
		return nil, "", fmt.Errorf("%s: %s: %w", c.command.name, path, err)
	}
	return text.Bytes(), cmp.Or(lost, strings.Join(w.Lost(), ", ")), nil
}

// isLines reports whether a file of that name is written as a line of moves.
func (c *call) isLines(path string) bool {
	form, known := c.records().FormatByExtension(path)
	return !known || form == record.Moves
}

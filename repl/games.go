package repl

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/printable"
	"qhsh/engine/record"
	"qhsh/pluginclient/task/batch"
)

const (
	// linesForm is the form of text that has positions or moves and nothing else.
	linesFormat = "moves"
	// formBytes is how much of a file is looked at to find out its form.
	sniffBytes = 1 << 16
)

// records read and write games of the current engine's game.
func (c *call) records() *record.Library {
	return c.shell.host.Games.Records(c.engine.session.Position().Game())
}

// beginsRecord reports whether a file that begins so holds games, and more than lines of moves.
func (c *call) isGameFile(head []byte) bool {
	return c.records().DetectFormat(head).Name != linesFormat
}

// findGame takes the first game of a file, or game n.
func (c *call) findGame(in io.Reader, path string, n int) (loadResult, error) {
	g, more, err := c.pickGame(in, path, n)
	if g == nil {
		return loadResult{}, err
	}
	if keepErr := c.shell.keepLoaded(g); keepErr != nil {
		return loadResult{}, keepErr
	}
	f := loadResult{text: c.shell.gameSummary(g)}
	for _, pos := range g.Positions(false) {
		f.pos = pos
	}
	if more {
		f.note = fmt.Sprintf("the first of several games: '.load %s:N' takes game N", path)
	}
	return f, err
}

// pickGame reads a file up to the game that is wanted; without a number that is the first one
// of which anything can be read. more tells, if no number was given, whether others follow.
// With an error there may be a part of the game.
func (c *call) pickGame(in io.Reader, path string, n int) (picked *record.Game, more bool, failed error) {
	number := 0
	for g, err := range c.records().Read(in, path) {
		if c.interrupted() {
			return nil, false, ErrInterrupted
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
				c.say("passed over: %s", printable.Error(failed))
			}
			picked, failed = g, err
		case failed == nil:
			failed = err
		}
	}
	if number < n {
		return nil, false, fmt.Errorf("%s: there is no game %d, but %d", path, n, number)
	}
	return picked, false, failed
}

// interrupted reports whether a person has pressed Ctrl-C since the command began.
func (c *call) interrupted() bool {
	select {
	case <-c.shell.host.Interrupt:
		c.shell.halted = true
		return true
	case <-c.ctx.Done():
		return true
	default:
		return false
	}
}

// asGames is what there is in a text that is no list of positions or moves in UTF-8: moves
// over many lines from a position, or in an encoding of Chinese. If neither can be read whole,
// and the text is plain, the list's own error tells more.
func (c *call) findGameInText(data []byte, path string, n int) (f loadResult, ok bool, err error) {
	if _, _, err := c.shell.reader(c.engine).file(data, 0); err == nil {
		return loadResult{}, false, nil // it is a list, which has no such line
	}
	f, err = c.findGame(bytes.NewReader(data), path, n)
	return f, f.pos != nil && (err == nil || !isPlain(data)), err
}

// gameSummary tells a game in a few words: who played, how it went, where the board stands.
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
	text := "startpos"
	if g.Start.String() != g.Start.Game().Start().String() {
		text = "a FEN"
	}
	if plies := g.Plies(); plies > 0 {
		text += " and " + count(plies, "move")
	}
	words = append(words, text)
	if others := countVariations(g); others > 0 {
		words = append(words, count(others, "variation"))
	}
	return strings.Join(words, ", ")
}

// countVariations is how many moves of a game stand beside a main one.
func countVariations(g *record.Game) int {
	others := 0
	g.Walk(func(n *record.Node) bool {
		others += max(len(n.Next)-1, 0)
		return true
	})
	return others
}

// written is the game as a file of that name holds it.
func (c *call) encodeGame(path, style string) ([]byte, error) {
	form, known := c.records().FormatByExtension(path)
	if other, ok := formatInAnyGame(c.shell.host.Games, path); ok && !known {
		return nil, c.usageError("%s: games of %s are not written as %s", path, engine.Title(c.shell.rules(c.engine)), other.Name)
	}
	lines := !known || form.Name == linesFormat
	if lines && style == usualNotation(c.shell.host.Games) {
		return []byte(batch.FormatGame(c.engine.session.Position()) + "\n"), nil
	}
	pos := c.engine.session.Position()
	game := c.shell.gameOf(pos)
	if lines { // what leads to the board
		form = record.Moves
		game = record.FromPosition(pos)
	}
	var text bytes.Buffer
	w, err := c.records().NewWriter(&text, form, style)
	if err != nil {
		return nil, c.usageError("%s: %w", path, err)
	}
	if err := w.Write(game); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", c.command.name, path, err)
	}
	return text.Bytes(), nil
}

// formOfAny returns the form that a file's extension stands for in the records of any game.
func formatInAnyGame(all games.Table, path string) (form *record.Format, ok bool) {
	for _, game := range all.Games() {
		if form, ok = all.Records(game).FormatByExtension(path); ok {
			return form, true
		}
	}
	return nil, false
}

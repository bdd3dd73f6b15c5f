package repl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qhsh/engine"
	"qhsh/engine/games"
	"qhsh/engine/xiangqi"
	"qhsh/pluginclient"
	"qhsh/pluginclient/batch"
)

// speaker is an engine that has a language of its own; nil if it speaks QHPLUGIN.
func (e *attached) speaker() pluginclient.Speaker {
	speaker, _ := e.session.(pluginclient.Speaker)
	return speaker
}

// phrase is a command of an engine's own language.
func (e *attached) phrase(word string) (pluginclient.Phrase, bool) {
	phrases := e.speaker().Phrases()
	i := slices.IndexFunc(phrases, func(p pluginclient.Phrase) bool { return p.Word == word })
	if i < 0 {
		return pluginclient.Phrase{}, false
	}
	return phrases[i], true
}

// asCommand is a phrase with what follows it as an entry of the table.
func asCommand(line string, p pluginclient.Phrase) *command {
	cmd := &command{name: p.Word, usage: p.Usage, summary: p.Summary, needs: anEngine, many: true, run: func(c *call) error {
		if c.engine.speaker() == nil {
			return fmt.Errorf("%s speaks QHPLUGIN, which has no %s", c.engine.name, p.Word)
		}
		return c.utter(line, p)
	}}
	if p.Complete != nil {
		cmd.complete = func(_ *Shell, before []string) (all []candidate) {
			words, more := p.Complete(before)
			for _, word := range words {
				all = append(all, candidate{text: word, open: !more})
			}
			return all
		}
	}
	return cmd
}

// speaks tells whether the current engine has a language of its own.
func (s *Shell) speaks() bool { return s.current != nil && s.current.speaker() != nil }

// command is a command of the shell, or of the current engine's own language; nil if there
// is none. line is all of it.
func (s *Shell) command(word, line string) *command {
	if !s.speaks() || strings.HasPrefix(word, ".") {
		return s.table.find(word)
	}
	if p, ok := s.current.phrase(word); ok {
		return asCommand(line, p)
	}
	return nil
}

// protocol are the commands of the current engine's language, as the help lists them.
func (s *Shell) protocol() []*command {
	if !s.speaks() {
		return protocolCommands()
	}
	var all []*command
	for _, p := range s.current.speaker().Phrases() {
		all = append(all, asCommand(p.Word, p))
	}
	return all
}

// speak carries out a line for an engine with a language of its own: one of its commands goes
// to it as it stands, and anything else is offered to the board.
func (s *Shell) speak(c *call, word string) error {
	if c.command = s.command(word, c.line); c.command != nil {
		return c.run()
	}
	return s.offerGame(c, word)
}

// utter sends a line in an engine's own language, waits, and shows the answer.
func (c *call) utter(text string, p pluginclient.Phrase) error {
	w := wait{engines: []*attached{c.engine}}
	if p.Thinks {
		w.ahead, w.live = true, c.engine.thinking
	}
	var answer []string
	err := c.shell.await(c.ctx, w, func(ctx context.Context) (err error) {
		answer, err = c.engine.raw(ctx, text)
		return err
	})
	if errors.As(err, new(told)) {
		return err
	}
	for _, line := range answer {
		fmt.Fprintln(c.out, line)
	}
	switch {
	case errors.Is(err, errAborted):
		c.shell.chat("%s: stopped", c.engine.name)
		return nil
	case err != nil:
		return c.shell.blame(c.engine, err)
	case p.Quits && !c.engine.speaker().Fails(answer):
		c.engine.state = ended
		c.shell.chatEnded(c.engine)
	}
	if c.engine.speaker().Fails(answer) {
		return errAnswered
	}
	return nil
}

// offerGame deals with a line that is no command, in any game: moves and positions are for
// the board.
func (s *Shell) offerGame(c *call, word string) error {
	now := c.engine.session.Position()
	moves := engine.WholeMoves(now.Game(), strings.FieldsFunc(c.line, func(r rune) bool { return strings.ContainsRune(" \t,", r) }))
	if len(moves) == 0 {
		return s.unknown(word)
	}
	switch _, err := now.Parse(moves[0]); {
	case err == nil:
		return c.onBoard(func(pos engine.Position) (engine.Position, error) { return playTexts(pos, moves) })
	case !errors.Is(err, engine.ErrMalformed):
		return err
	}
	item := batch.Parse(now.Game(), c.line)
	switch {
	case item.Err == nil:
		return c.onBoard(func(engine.Position) (engine.Position, error) { return item.Pos, nil })
	case strings.ContainsAny(c.line, "/") || strings.EqualFold(word, "startpos"):
		return item.Err
	}
	var words []string
	for _, p := range c.engine.speaker().Phrases() {
		words = append(words, p.Word)
	}
	if guess := Closest(word, words); guess != "" {
		return fmt.Errorf("unknown command %q: did you mean %s?", word, guess)
	}
	if own := s.table.find("." + word); own != nil {
		return fmt.Errorf("unknown command %q: did you mean %s?", word, own.name)
	}
	return fmt.Errorf("%q is no command, no move and no position: .help lists the commands, .send sends anything to %s", word, c.engine.name)
}

// drawing is a board of a game that draws its boards in one way; ok is false for Xiangqi,
// whose boards have styles.
func drawing(pos engine.Position) (text string, ok bool) {
	if _, xiangqiBoard := pos.(*xiangqi.Position); xiangqiBoard {
		return "", false
	}
	return games.Default.Draw(pos, games.Look{}), true
}

// status tells in a line how a game of any kind stands.
func status(pos engine.Position) string {
	return games.Default.Standing(pos)
}

// moveRows are the legal moves of a game whose moves are not from a square to a square, as
// many in a row as fit. Those of text are the ones that begin with it.
func moveRows(pos engine.Position, text string) []string {
	const width = 76
	var rows []string
	row := ""
	for _, m := range pos.Moves() {
		name := pos.Format(m)
		if len(name) < len(text) || !strings.EqualFold(name[:len(text)], text) {
			continue
		}
		if row != "" && len(row)+1+len(name) > width {
			rows, row = append(rows, row), ""
		}
		row = strings.TrimLeft(row+" "+name, " ")
	}
	if row != "" {
		rows = append(rows, row)
	}
	return rows
}

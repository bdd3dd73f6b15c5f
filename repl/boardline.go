package repl

import (
	"context"
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/suggest"
	"qhsh/pluginclient/task/batch"
)

// setBoardFromLine handles a line that is not a command. A position or a list of moves changes the
// board; anything else is an error with a suggestion.
func (s *Shell) setBoardFromLine(c *call, word string) error {
	r := s.reader(c.engine)
	moves, bad := r.parseMoves(c.line)
	if len(moves) > 0 && bad == "" {
		return c.changeBoard(func(pos engine.Position) (engine.Position, error) {
			if _, err := r.games.ReadMove(pos, moves[0]); err != nil && s.languageOf(c.engine).OneMove {
				return nil, err
			}
			return r.play(pos, moves)
		})
	}
	if pos, err := r.position(c.line); err == nil || r.looksLikePosition(c.line) {
		changeErr := c.changeBoard(func(engine.Position) (engine.Position, error) {
			if err != nil {
				return nil, err
			}
			return inNewGame(pos)
		})
		if changeErr == nil {
			s.remark(pos)
		}
		return changeErr
	}
	if len(moves) > 0 {
		return fmt.Errorf("%q in a list of moves is not a move", bad)
	}
	return s.unknownCommand(word)
}

// changeBoard sets the engine's board to the position that find derives from the current one.
func (c *call) changeBoard(find func(engine.Position) (engine.Position, error)) error {
	if c.engine == nil {
		return errNoEngine
	}
	before := c.engine.session.Position()
	pos, err := find(before)
	if err != nil {
		return err
	}
	_, played := before.History()
	_, all := pos.History()
	loader, ok := pluginclient.As[pluginclient.Loader](c.engine.session)
	if ok && len(all) > len(played) && strings.HasPrefix(batch.FormatGame(pos), batch.FormatGame(before)) { // the same game
		err = c.shell.awaitEngine(c.ctx, c.engine, func(ctx context.Context) error { return loader.Load(ctx, all[len(played):]...) })
	} else {
		err = c.setBoard(pos)
	}
	if err != nil {
		return err
	}
	now := c.engine.session.Position()
	text := positionText(now)
	switch p, rest := c.shell.placeOf(now); {
	case p == nil:
	case len(rest) == 0:
		text = strings.TrimSuffix(c.shell.describe(p), "\n")
	case len(p.node().Next) > 0:
		text += ", a new variation"
	}
	c.shell.notify("%s", text)
	return nil
}

// remark says what is odd about a position that has been read.
func (s *Shell) remark(pos engine.Position) {
	if remark := engine.Remark(pos); remark != "" {
		s.say("%s", remark)
	}
}

// remarkNew says what is odd about the board, if it shows another game than before.
func (c *call) remarkNew(before engine.Position) {
	if now := c.engine.session.Position(); startOf(now) != startOf(before) {
		c.shell.remark(now)
	}
}

func (s *Shell) unknownCommand(word string) error {
	guess := s.command(suggest.Closest(word, names(s.commands())))
	if guess == nil && !strings.HasPrefix(word, ".") {
		guess = s.table.find("." + word)
	}
	if guess == nil {
		return fmt.Errorf("unknown command %q: .help lists the commands, .send sends any line to the engine", word)
	}
	return fmt.Errorf("unknown command %q: did you mean %s?", word, guess.name)
}

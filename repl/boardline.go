package repl

import (
	"context"
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/pluginclient"
	"qhsh/pluginclient/task/batch"
)

// offer deals with a line that is no command: a position or a list of moves is for the
// board, and whatever else it is, somebody has meant something by it.
func (s *Shell) setBoardFromLine(c *call, word string) error {
	r := s.reader(c.engine)
	moves, odd := r.parseMoves(c.line)
	if len(moves) > 0 && odd == "" {
		return c.changeBoard(func(pos engine.Position) (engine.Position, error) {
			if _, err := r.games.ReadMove(pos, moves[0]); err != nil && s.languageOf(c.engine).OneMove {
				return nil, err
			}
			return r.play(pos, moves)
		})
	}
	if pos, err := r.position(c.line); err == nil || r.looksLikePosition(c.line) {
		return c.changeBoard(func(engine.Position) (engine.Position, error) { return pos, err })
	}
	if len(moves) > 0 {
		return fmt.Errorf("a list of moves was begun, but %q is none", odd)
	}
	return s.unknownCommand(word)
}

// onBoard brings the engine to the position that find makes of the present one.
func (c *call) changeBoard(find func(engine.Position) (engine.Position, error)) error {
	if c.engine == nil {
		return errNoEngine
	}
	before := c.engine.session.Position()
	pos, err := find(before)
	if err != nil {
		return err
	}
	if err := c.playTo(before, pos); err != nil {
		return err
	}
	c.shell.notify("%s", positionText(c.engine.session.Position()))
	return nil
}

// goTo plays the moves that lead from the board to pos, if pos is a later position of
// the same game, and else starts a new game.
func (c *call) playTo(before, pos engine.Position) error {
	_, played := before.History()
	_, all := pos.History()
	loader, ok := pluginclient.As[pluginclient.Loader](c.engine.session)
	if !ok || len(all) <= len(played) || !strings.HasPrefix(batch.FormatGame(pos), batch.FormatGame(before)) {
		return c.setBoard(pos)
	}
	return c.shell.await(c.ctx, waitOptions{engines: []*attached{c.engine}}, func(ctx context.Context) error {
		return c.shell.reportEngineError(c.engine, loader.Load(ctx, all[len(played):]...))
	})
}

// unknown is the error of a line that means nothing, with a guess at what was meant.
func (s *Shell) unknownCommand(word string) error {
	guess := s.command(Closest(word, names(s.commands())))
	if guess == nil && !strings.HasPrefix(word, ".") {
		guess = s.table.find("." + word)
	}
	if guess == nil {
		return fmt.Errorf("unknown command %q: .help lists the commands, .send sends anything to the engine", word)
	}
	return fmt.Errorf("unknown command %q: did you mean %s?", word, guess.name)
}

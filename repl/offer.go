package repl

import (
	"context"
	"fmt"
	"strings"

	"qhsh/engine"
	"qhsh/engine/xiangqi"
)

// offer deals with a line that is no command: a position or a list of moves is for the
// board, and whatever else it is, somebody has meant something by it.
func (s *Shell) offer(c *call, word string) error {
	if moves, ok := moveList(c.line); ok {
		return c.onBoard(func(pos engine.Position) (engine.Position, error) { return playTexts(pos, moves) })
	}
	if looksLikePosition(c.line) {
		return c.onBoard(func(engine.Position) (engine.Position, error) { return parseGame(xiangqi.Rules, c.line) })
	}
	if moves, odd := listed(c.line); len(moves) > 0 {
		return fmt.Errorf("a list of moves was begun, but %q is none", odd)
	}
	return s.unknown(word)
}

// looksLikePosition tells whether a line is meant for a position: the word startpos, or
// text with the slashes between the ranks of a FEN.
func looksLikePosition(line string) bool {
	word, rest := cutWord(line)
	if strings.EqualFold(word, "position") {
		word, _ = cutWord(rest)
	}
	const slashes = 5 // a FEN has nine; one that was copied badly is still meant as one
	return strings.EqualFold(word, "startpos") || strings.Count(line, "/") >= slashes
}

// onBoard brings the engine to the position that find makes of the present one.
func (c *call) onBoard(find func(engine.Position) (engine.Position, error)) error {
	if c.engine == nil {
		return errNoEngine
	}
	before := c.engine.session.Position()
	pos, err := find(before)
	if err != nil {
		return err
	}
	if err := c.goTo(before, pos); err != nil {
		return err
	}
	c.shell.chat("%s", positionText(c.engine.session.Position()))
	return nil
}

// goTo plays the moves that lead from the board to pos, if pos is a later position of
// the same game, and else starts a new game.
func (c *call) goTo(before, pos engine.Position) error {
	_, played := before.History()
	_, all := pos.History()
	loader, ok := c.engine.session.(interface {
		Load(ctx context.Context, moves ...engine.Move) error
	})
	if !ok || len(all) <= len(played) || !strings.HasPrefix(gameText(pos), gameText(before)) {
		return c.setBoard(pos)
	}
	return c.shell.await(c.ctx, wait{engines: []*attached{c.engine}}, func(ctx context.Context) error {
		return c.shell.blame(c.engine, c.engine.found(loader.Load(ctx, all[len(played):]...)))
	})
}

// unknown is the error of a line that means nothing, with a guess at what was meant.
func (s *Shell) unknown(word string) error {
	names := s.table.names()
	guess := Closest(word, names)
	if guess == "" && !strings.HasPrefix(word, ".") {
		if c := s.table.find("." + word); c != nil {
			guess = c.name
		}
	}
	if guess == "" {
		return fmt.Errorf("unknown command %q: .help lists the commands, .send sends anything to the engine", word)
	}
	return fmt.Errorf("unknown command %q: did you mean %s?", word, s.table.find(guess).name)
}
